import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { DAY_MS } from '../../engine/units.ts'
import { api } from '../api.ts'
import { counted, date, localDay, number, roughDistance, sumDuration, text, type Units } from '../format.ts'
import { LateDropZone } from '../import/late-drop-zone.tsx'
import { useShortcuts } from '../keys.ts'
import { Link, navigate, useRoute } from '../router.ts'
import { type PaceClock, usePaceClock } from '../shown-pace.ts'
import { type Resource, useLoaded, useResource, useUnits } from '../state.ts'
import type { Run, RunPage } from '../types.ts'
import { Button } from '../ui/button.tsx'
import { Empty, LoadFailure } from '../ui/empty.tsx'
import { Icon } from '../ui/icon.tsx'
import { failureToast, Lazy } from '../ui/lazy.tsx'
import { fetchPart } from '../ui/part.ts'
import { SkeletonLines } from '../ui/spinner.tsx'
import { toastDone } from '../undo.ts'
import { useAction } from '../use-action.ts'
import { TERMS } from '../words.ts'
import { useReturnToRow } from './list-place.ts'
import { byMonth, type Choice, NOTHING_CHOSEN, reachedTo, toggled } from './run-choice.ts'
import { RunFilters } from './run-filters.tsx'
import { RunHeadings, RunLine } from './run-lines.tsx'
import { type Filters, filtersOf, isFiltered, listPath, PAGE_SIZE, pageOf, runsPath } from './run-query.ts'
import './runs.css'

const loadActions = () =>
  fetchPart('run-actions', () => import('./run-actions.tsx')).then(({ RunActions }) => RunActions)

/**
 * The list of all runs with search and order; more of them are loaded while scrolling. Keys: / searches, j and k move
 * through the runs, x selects.
 */
export function Runs() {
  const units = useUnits()
  const clock = usePaceClock()
  const { query } = useRoute()
  const filters = useMemo(() => filtersOf(query), [query])
  const pages = pageOf(query)
  const { data, error, isLoading } = useRuns(filters, pages, { units, clock })
  // what was shown stays visible until more, or others, are loaded
  const latest = useRef<Shown | null>(null)
  if (data !== null) latest.current = { page: data, filters }
  const shown = latest.current
  const [choice, setChoice] = useState<Choice | null>(null)
  // changed filters clear the selection
  const found = runsPath(filters, 1)
  useEffect(() => setChoice((now) => (now === null ? null : NOTHING_CHOSEN)), [found])
  const list = useRef<HTMLDivElement>(null)
  const current = shown?.page ?? null
  const runs = current?.items ?? []
  const ids = runs.map(({ id }) => id)
  const choose = (id: string, isRange: boolean) =>
    setChoice((now) => (isRange ? reachedTo(now ?? NOTHING_CHOSEN, id, ids) : toggled(now ?? NOTHING_CHOSEN, id)))
  const hasMore = current !== null && runs.length < current.totalCount
  const more = () => {
    if (hasMore && data !== null && !isLoading) navigate(runsPath(filters, data.pages + 1), { replace: true })
  }
  useShortcuts((event) => {
    const onDone = choice === null ? null : () => setChoice(null)
    onListKey(event, { list: list.current, more, choose, onDone })
  })
  // the list stands below what is suggested, which would move it when it comes later
  const untyped = useUntyped()
  const isThere = current !== null && (untyped.data !== null || untyped.error !== null)
  useReturnToRow(data !== null && isThere)
  useStartAt(pages, list, data !== null && isThere)
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
          {isThere && <SuggestedTypes untyped={untyped.data?.items ?? []} />}
          {error !== null && current === null ? (
            <LoadFailure message={error.message} />
          ) : current === null || !isThere ? (
            <SkeletonLines count={8} height="74px" />
          ) : runs.length === 0 ? (
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
          {isThere && hasMore && <More shown={runs.length} of={current.totalCount} isBusy={isLoading} onMore={more} />}
          {isThere && runs.length > 0 && <Keys />}
        </>
      )}
    </div>
  )
}

/** The first pages of a list as one. */
interface LoadedRuns extends RunPage {
  /** How many pages are in it. */
  readonly pages: number
}

/** What the list shows, with the filters that it was loaded with. */
interface Shown {
  readonly page: LoadedRuns
  readonly filters: Filters
}

/** The first pages of the list; of a longer list only the pages are loaded that the shorter one had not. */
function useRuns(filters: Filters, pages: number, reader: { units: Units; clock: PaceClock }): Resource<LoadedRuns> {
  const first = listPath(filters, 1, reader)
  const known = useRef<{ first: string; pages: readonly RunPage[] }>({ first: '', pages: [] })
  return useLoaded(`${first}&pages=${pages}`, async () => {
    const { current } = known
    // those that are loaded again may have changed
    const isLonger = current.first === first && current.pages.length === pages - 1
    const had = isLonger ? current.pages : [await api.get(first)]
    const last = Math.max(1, Math.min(pages, had[0]?.totalPages ?? 1))
    const missing = Array.from({ length: last - had.length }, (_, index) => had.length + index + 1)
    const all = [...had, ...(await Promise.all(missing.map((page) => api.get(listPath(filters, page, reader)))))]
    known.current = { first, pages: all }
    return { ...all.at(-1)!, items: all.flatMap(({ items }) => items), pages: all.length }
  })
}

/** An address that names more than the first page, opened anew, shows what was loaded last. */
function useStartAt(pages: number, list: { readonly current: HTMLElement | null }, isThere: boolean): void {
  const wanted = useRef(pages)
  useEffect(() => {
    if (!isThere) return
    const row = list.current?.querySelectorAll<HTMLElement>('.run-line')[(wanted.current - 1) * PAGE_SIZE]
    if (wanted.current > 1 && window.scrollY === 0) row?.scrollIntoView({ block: 'center' })
    wanted.current = 1
  }, [isThere])
}

interface MoreProps {
  readonly shown: number
  readonly of: number
  readonly isBusy: boolean
  readonly onMore: () => void
}

/** Loads more as soon as it is nearly in view; a button for who does not scroll. */
function More({ shown, of, isBusy, onMore }: MoreProps) {
  const end = useRef<HTMLDivElement>(null)
  const latest = useRef(onMore)
  latest.current = onMore
  useEffect(() => {
    if (end.current === null) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && latest.current(), {
      rootMargin: '0px 0px 800px 0px',
    })
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [shown, isBusy])
  return (
    <div class="more-runs" ref={end}>
      <Button size="small" isBusy={isBusy} onClick={onMore}>
        Show more runs
      </Button>
      <span class="muted small" role="status">
        {number(shown)} of {number(of)}
      </span>
    </div>
  )
}

/** The service suggests types for runs that are not older. */
const SUGGESTED_DAYS = 90
const REFUSED_KEY = 'harrier.types'

function useUntyped() {
  const [since] = useState(() => localDay(new Date(Date.now() - SUGGESTED_DAYS * DAY_MS).toISOString()))
  return useResource(`/workouts?runType=none&startDate=${since}&pageSize=100`)
}

/** The types that runs without one look like, to be set at once; put away, it comes back with the next such run. */
function SuggestedTypes({ untyped }: { readonly untyped: readonly Run[] }) {
  const [refused, setRefused] = useState(() => localStorage.getItem(REFUSED_KEY))
  const { isBusy, act } = useAction(TERMS.notSaved)
  const runs = untyped.filter(({ suggestedRunType }) => suggestedRunType !== null)
  const [newest] = runs
  if (newest === undefined || newest.id === refused) return null
  const counts = [...Map.groupBy(runs, ({ suggestedRunType }) => suggestedRunType?.type ?? '')]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([type, of], place) =>
      place === 0
        ? `${counted(of.length, 'run')} ${of.length === 1 ? `looks like a ${type}` : `look like ${type}s`}`
        : `${number(of.length)} like ${of.length === 1 ? `a ${type}` : `${type}s`}`,
    )
  const set = async () => {
    const body = { ids: runs.map(({ id }) => id), set: { suggestedRunType: true } }
    const { changed, receiptId } = await api.send('POST', '/workouts/bulk-edit', body)
    toastDone(`${counted(changed, 'type')} set`, [receiptId])
  }
  return (
    <div class="notice suggested-types">
      <Icon name="info" />
      <div>
        {counts.join(', ')}.{' '}
        <Button size="small" isBusy={isBusy} onClick={() => void act(set)}>
          {runs.length === 1 ? 'Set type' : 'Set types'}
        </Button>{' '}
        <Link class="button small" href="/app/runs?type=none">
          Show
        </Link>{' '}
        <Button
          kind="quiet"
          size="small"
          onClick={() => {
            localStorage.setItem(REFUSED_KEY, newest.id)
            setRefused(newest.id)
          }}
        >
          Not now
        </Button>
      </div>
    </div>
  )
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
function Keys() {
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
    </p>
  )
}

interface ListKeys {
  readonly list: HTMLElement | null
  /** Loads more runs, where there are more. */
  readonly more: () => void
  readonly choose: (id: string, isRange: boolean) => void
  /** Ends selection mode; null: it is off. */
  readonly onDone: (() => void) | null
}

function onListKey(event: KeyboardEvent, { list, more, choose, onDone }: ListKeys): void {
  const lines = [...(list?.querySelectorAll<HTMLElement>('.run-line') ?? [])]
  const at = lines.findIndex((line) => line.matches(':focus'))
  if (event.key === '/') document.querySelector<HTMLElement>('input[type=search]')?.focus()
  else if (event.key === 'j') {
    lines[Math.min(at + 1, lines.length - 1)]?.focus()
    if (at + 2 >= lines.length) more()
  } else if (event.key === 'k') lines[Math.max(at - 1, 0)]?.focus()
  else if (event.key.toLowerCase() === 'x' && lines[at]?.dataset.run !== undefined)
    choose(lines[at].dataset.run, event.shiftKey)
  else if (event.key === 'Escape' && onDone !== null) onDone()
  else return
  event.preventDefault()
}
