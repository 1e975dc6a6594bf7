import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { counted, date, roughDistance, sumDuration, text, type Units } from '../format.ts'
import { LateDropZone } from '../import/late-drop-zone.tsx'
import { useShortcuts } from '../keys.ts'
import { navigate, useRoute } from '../router.ts'
import { type PaceClock, usePaceClock } from '../shown-pace.ts'
import { useResource, useUnits } from '../state.ts'
import type { Run, RunPage } from '../types.ts'
import { Button } from '../ui/button.tsx'
import { Empty, LoadFailure } from '../ui/empty.tsx'
import { failureToast, Lazy } from '../ui/lazy.tsx'
import { Pages } from '../ui/pages.tsx'
import { fetchPart } from '../ui/part.ts'
import { SkeletonLines } from '../ui/spinner.tsx'
import { useReturnToRow } from './list-place.ts'
import { byMonth, type Choice, NOTHING_CHOSEN, reachedTo, toggled } from './run-choice.ts'
import { RunFilters } from './run-filters.tsx'
import { RunHeadings, RunLine } from './run-lines.tsx'
import { type Filters, filtersOf, isFiltered, listPath, pageOf, runsPath } from './run-query.ts'
import './runs.css'

const loadActions = () =>
  fetchPart('run-actions', () => import('./run-actions.tsx')).then(({ RunActions }) => RunActions)

/**
 * The list of all runs with search and order. Keys: / searches, j and k move through the runs, x selects, n and p
 * change pages.
 */
export function Runs() {
  const units = useUnits()
  const clock = usePaceClock()
  const { query } = useRoute()
  const filters = useMemo(() => filtersOf(query), [query])
  const page = pageOf(query)
  const { data, error, isLoading } = useResource(listPath(filters, page, { units, clock }))
  // the previous page stays visible until the next one is loaded
  const latest = useRef<Shown | null>(null)
  if (data !== null) latest.current = { page: data, filters }
  const shown = latest.current
  const [choice, setChoice] = useState<Choice | null>(null)
  // changed filters clear the selection
  const found = runsPath(filters, 1)
  useEffect(() => setChoice((now) => (now === null ? null : NOTHING_CHOSEN)), [found])
  const list = useRef<HTMLDivElement>(null)
  const go = (next: number) => navigate(runsPath(filters, next))
  const isPast = error?.status === 404 && data === null
  useLastPage(isPast, filters, { units, clock })
  const current = shown?.page ?? null
  const ids = (current?.items ?? []).map(({ id }) => id)
  const choose = (id: string, isRange: boolean) =>
    setChoice((now) => (isRange ? reachedTo(now ?? NOTHING_CHOSEN, id, ids) : toggled(now ?? NOTHING_CHOSEN, id)))
  useShortcuts((event) => {
    const onDone = choice === null ? null : () => setChoice(null)
    onListKey(event, { list: list.current, page, pages: current?.totalPages ?? 0, go, choose, onDone })
  })
  useReturnToRow(data !== null)
  // drawn only when they change: a whole page of lines takes longer than the request
  const lines = useMemo(
    () =>
      shown !== null && (
        <Lines runs={shown.page.items} filters={shown.filters} clock={clock} choice={choice} onChoose={choose} />
      ),
    [shown?.page, shown?.filters, units, clock, choice],
  )

  const change = (changed: Partial<Filters>) => navigate(runsPath({ ...filters, ...changed }, 1), { replace: true })
  const isEmptyLog = current?.totalCount === 0 && !isFiltered(filters)
  return (
    <div class="page">
      <div class="page-head">
        <h1 tabIndex={-1}>Runs</h1>
        <p class="muted small" role="status">
          {current === null ? ' ' : <Sums page={current} clock={clock} isFound={isFiltered(filters)} />}
        </p>
      </div>
      {isEmptyLog ? (
        <LateDropZone />
      ) : (
        <>
          <RunFilters
            filters={filters}
            onChange={change}
            isChoosing={choice !== null}
            onChoosing={(isChoosing) => setChoice(isChoosing ? NOTHING_CHOSEN : null)}
          />
          {error !== null && data === null && !isPast ? (
            <LoadFailure message={error.message} />
          ) : current === null ? (
            <SkeletonLines count={8} height="74px" />
          ) : current.items.length === 0 ? (
            <Empty
              icon="search"
              title="No matching runs"
              action={<Button onClick={() => navigate('/app/runs')}>Clear filters</Button>}
            >
              No run matches all of these filters.
            </Empty>
          ) : (
            <div
              ref={list}
              class={`run-list${isLoading && data === null ? ' waiting' : ''}${choice === null ? '' : ' choosing'}`}
            >
              <RunHeadings filters={filters} onChange={change} />
              {lines}
            </div>
          )}
          {choice !== null && (
            <Lazy
              load={loadActions}
              waiting={failureToast}
              props={{
                ids: choice.ids,
                onChooseAll: () => setChoice({ ids: new Set([...choice.ids, ...ids]), anchor: choice.anchor }),
                onLeft: (left: ReadonlySet<string>) => setChoice({ ids: left, anchor: null }),
                onDone: () => setChoice(null),
              }}
            />
          )}
          {current !== null && (
            <Pages
              page={Math.min(page, current.totalPages)}
              pages={current.totalPages}
              hrefOf={(to) => runsPath(filters, to)}
            />
          )}
          {current !== null && current.items.length > 0 && <Keys hasPages={current.totalPages > 1} />}
        </>
      )}
    </div>
  )
}

/** What the list shows, with the filters that it was loaded with. */
interface Shown {
  readonly page: RunPage
  readonly filters: Filters
}

/** Redirects an address past the end, from a bookmark or after deletions, to the last page. */
function useLastPage(isPast: boolean, filters: Filters, reader: { units: Units; clock: PaceClock }): void {
  const { data } = useResource(isPast ? listPath(filters, 1, reader) : null)
  useEffect(() => {
    if (isPast && data !== null) navigate(runsPath(filters, Math.max(1, data.totalPages)), { replace: true })
  }, [isPast, data])
}

interface SumsProps {
  readonly page: RunPage
  readonly clock: PaceClock
  readonly isFound: boolean
}

/** Number of runs, or of matches, and their totals. */
function Sums({ page: { totalCount, totals }, clock, isFound }: SumsProps) {
  const units = useUnits()
  const timeS = clock === 'moving' ? totals.movingTimeS : totals.durationS
  return (
    <>
      <span>
        {counted(totalCount, 'run')}
        {isFound ? ' found' : ''}
      </span>
      {totalCount > 0 && ` · ${text(roughDistance(totals.distanceM, units))} · ${sumDuration(timeS)}`}
    </>
  )
}

interface LinesProps {
  readonly runs: readonly Run[]
  readonly filters: Filters
  readonly clock: PaceClock
  readonly choice: Choice | null
  readonly onChoose: (id: string, isRange: boolean) => void
}

/** The runs; when ordered by day, grouped by month. */
function Lines({ runs, filters, clock, choice, onChoose }: LinesProps) {
  const units = useUnits()
  const { data } = useResource('/stats/best-efforts/medals')
  const medals = Map.groupBy(data?.medals ?? [], ({ workoutId }) => workoutId)
  const lines = (of: readonly Run[]) =>
    of.map((run) => (
      <RunLine
        key={run.id}
        run={run}
        filters={filters}
        units={units}
        clock={clock}
        medals={(medals.get(run.id) ?? []).toSorted((a, b) => a.rank - b.rank)}
        isChosen={choice === null ? null : choice.ids.has(run.id)}
        onChoose={(isRange) => onChoose(run.id, isRange)}
      />
    ))
  if (filters.sort !== 'startedAt')
    return (
      <ol class="lines" aria-label="Runs">
        {lines(runs)}
      </ol>
    )
  return byMonth(runs).map(({ month, runs: ofMonth }) => (
    <section key={month} aria-labelledby={`month-${month}`}>
      <h2 class="run-month muted small" id={`month-${month}`}>
        {date(`${month}-01`, 'monthYear')}
      </h2>
      <ol class="lines" aria-labelledby={`month-${month}`}>
        {lines(ofMonth)}
      </ol>
    </section>
  ))
}

/** Keyboard shortcuts; shown where a keyboard is likely. */
function Keys({ hasPages }: { readonly hasPages: boolean }) {
  return (
    <p class="keys muted small">
      <span>
        <kbd>/</kbd> search
      </span>
      <span>
        <kbd>j</kbd> <kbd>k</kbd> next, previous run
      </span>
      <span>
        <kbd>x</kbd> or <kbd>Shift</kbd>-click to select several
      </span>
      {hasPages && (
        <span>
          <kbd>n</kbd> <kbd>p</kbd> next, previous page
        </span>
      )}
    </p>
  )
}

interface ListKeys {
  readonly list: HTMLElement | null
  readonly page: number
  readonly pages: number
  readonly go: (page: number) => void
  readonly choose: (id: string, isRange: boolean) => void
  /** Ends selection mode; null: it is off. */
  readonly onDone: (() => void) | null
}

function onListKey(event: KeyboardEvent, { list, page, pages, go, choose, onDone }: ListKeys): void {
  const lines = [...(list?.querySelectorAll<HTMLElement>('.run-line') ?? [])]
  const at = lines.findIndex((line) => line.matches(':focus'))
  if (event.key === '/') document.querySelector<HTMLElement>('input[type=search]')?.focus()
  else if (event.key === 'j') lines[Math.min(at + 1, lines.length - 1)]?.focus()
  else if (event.key === 'k') lines[Math.max(at - 1, 0)]?.focus()
  else if (event.key.toLowerCase() === 'x' && lines[at]?.dataset.run !== undefined)
    choose(lines[at].dataset.run, event.shiftKey)
  else if (event.key === 'Escape' && onDone !== null) onDone()
  else if (event.key === 'n' && page < pages) go(page + 1)
  else if (event.key === 'p' && page > 1) go(page - 1)
  else return
  event.preventDefault()
}
