import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { DAY_MS } from '../../engine/units.ts'
import { toastDone, useAction } from '../actions.ts'
import { ApiError, api } from '../api.ts'
import {
  counted,
  date,
  localDay,
  number,
  type PaceClock,
  roughDistance,
  sumDuration,
  text,
  type Units,
  usePaceClock,
} from '../format.ts'
import { DropZone } from '../import/drop.tsx'
import { Link, navigate, useRoute, useShortcuts } from '../router.ts'
import { useLoaded, useResource, useUnits } from '../state.ts'
import type { Run, RunPage } from '../types.ts'
import { Button, Icon } from '../ui/button.tsx'
import { Empty, failureToast, Lazy, LoadFailure, Pending } from '../ui/loaded.tsx'
import { TERMS } from '../words.ts'
import { type Choice, isReturning, NOTHING_CHOSEN, reachedTo, toggled, useReturnToRow } from './list-place.ts'
import { RunFilters } from './run-filters.tsx'
import { RunHeadings, RunLine } from './run-lines.tsx'
import { type Filters, filtersOf, isFiltered, listPath, PAGE_SIZE, pageOf, runsPath } from './run-query.ts'
import './screens.css'

const loadActions = () => import('./run-actions.tsx').then(({ RunActions }) => RunActions)

/**
 * The list of all runs with search and order; more of them are loaded while scrolling. Keys: / searches, j and k move
 * through the runs, x selects.
 */
export function Runs() {
  const units = useUnits()
  const clock = usePaceClock()
  const { query } = useRoute()
  const filters = useMemo(() => filtersOf(query), [query])
  const found = runsPath(filters, 1)
  const asked = pageOf(query)
  // an address that names a later page, opened anew, begins there; on the way back from a run all of before are known
  const [start, setStart] = useState({ found, first: isReturning() ? 1 : asked })
  const first = start.found === found ? Math.min(start.first, asked) : 1
  const { data, error, isLoading } = useRuns(filters, { first, last: asked }, { units, clock })
  // what was shown stays visible until more, or others, are loaded
  const latest = useRef<{ readonly page: LoadedRuns; readonly filters: Filters } | null>(null)
  if (data !== null) latest.current = { page: data, filters }
  const shown = latest.current
  const [choice, setChoice] = useState<Choice | null>(null)
  // changed filters clear the selection
  useEffect(() => setChoice((now) => (now === null ? null : NOTHING_CHOSEN)), [found])
  const list = useRef<HTMLDivElement>(null)
  const current = shown?.page ?? null
  const runs = current?.items ?? []
  const ids = runs.map(({ id }) => id)
  const choose = (id: string, isRange: boolean) =>
    setChoice((now) => (isRange ? reachedTo(now ?? NOTHING_CHOSEN, id, ids) : toggled(now ?? NOTHING_CHOSEN, id)))
  const shownUntil = current === null ? 0 : (current.first - 1) * PAGE_SIZE + runs.length
  const hasMore = current !== null && shownUntil < current.totalCount
  const more = () => {
    if (hasMore && data !== null && !isLoading) navigate(runsPath(filters, data.last + 1), { replace: true })
  }
  const earlier = () => data !== null && !isLoading && setStart({ found, first: data.first - 1 })
  useShortcuts((event) => {
    const lines = [...(list.current?.querySelectorAll<HTMLElement>('.run-line') ?? [])]
    const at = lines.findIndex((line) => line.matches(':focus'))
    if (event.key === '/') document.querySelector<HTMLElement>('input[type=search]')?.focus()
    else if (event.key === 'j') {
      lines[Math.min(at + 1, lines.length - 1)]?.focus()
      if (at + 2 >= lines.length) more()
    } else if (event.key === 'k') lines[Math.max(at - 1, 0)]?.focus()
    else if (event.key.toLowerCase() === 'x' && lines[at]?.dataset.run !== undefined)
      choose(lines[at].dataset.run, event.shiftKey)
    else if (event.key === 'Escape' && choice !== null) setChoice(null)
    else return
    event.preventDefault()
  })
  // the list stands below what is suggested, which would move it when it comes later
  const untyped = useUntyped()
  const isThere = current !== null && (untyped.data !== null || untyped.error !== null)
  useReturnToRow(data !== null && isThere)
  useKeptPlace(list, current?.first ?? 1)
  const medals = useResource('/stats/best-efforts/medals').data?.medals
  // drawn only when they change: a whole page of lines takes longer than the request
  const lines = useMemo(() => {
    if (shown === null) return null
    const { page, filters } = shown
    const medalsOf = Map.groupBy(medals ?? [], ({ workoutId }) => workoutId)
    const linesOf = (of: readonly Run[], name: object) => (
      <ol class="lines" {...name}>
        {of.map((run) => (
          <RunLine
            key={run.id}
            {...{ run, filters, units, clock }}
            medals={(medalsOf.get(run.id) ?? []).toSorted((a, b) => a.rank - b.rank)}
            isChosen={choice === null ? null : choice.ids.has(run.id)}
            onChoose={(isRange) => choose(run.id, isRange)}
          />
        ))}
      </ol>
    )
    if (filters.sort !== 'startedAt') return linesOf(page.items, { 'aria-label': 'Runs' })
    const monthOf = (run: Run) => localDay(run.startedAt, run.utcOffsetMinutes).slice(0, 7)
    return [...Map.groupBy(page.items, monthOf)].map(([month, of]) => (
      <section key={month} aria-labelledby={`month-${month}`}>
        <h2 class="run-month muted small bold" id={`month-${month}`}>
          {date(`${month}-01`, 'monthYear')}
        </h2>
        {linesOf(of, { 'aria-labelledby': `month-${month}` })}
      </section>
    ))
  }, [shown?.page, shown?.filters, units, clock, choice, medals])

  const change = (changed: Partial<Filters>) => navigate(runsPath({ ...filters, ...changed }, 1), { replace: true })
  const isEmptyLog = current?.totalCount === 0 && !isFiltered(filters)
  return (
    <div class="page">
      <div class="page-head">
        <h1 tabIndex={-1}>Runs</h1>
        <p class="muted small" role="status">
          {current === null ? ' ' : sumsOf(current, isFiltered(filters), { units, clock })}
        </p>
      </div>
      {isEmptyLog ? (
        <DropZone />
      ) : (
        <>
          <RunFilters
            filters={filters}
            onChange={change}
            isChoosing={choice !== null}
            onChoosing={(isChoosing) => setChoice(isChoosing ? NOTHING_CHOSEN : null)}
          />
          {isThere && <SuggestedTypes untyped={untyped.data?.items ?? []} />}
          {current === null || !isThere ? (
            <Pending error={current === null ? error : null} count={8} height="74px" />
          ) : runs.length === 0 ? (
            <Empty
              icon="search"
              title="No matching runs"
              action={<Button onClick={() => navigate('/app/runs')}>Clear filters</Button>}
            >
              No run matches all of these filters.
            </Empty>
          ) : (
            <>
              {current.first > 1 && (
                <More name="Show earlier runs" isBusy={isLoading} failure={error} onMore={earlier} />
              )}
              <div
                ref={list}
                class={`card run-list${isLoading && data === null ? ' waiting' : ''}${choice === null ? '' : ' choosing'}`}
              >
                <RunHeadings filters={filters} onChange={change} />
                {lines}
              </div>
            </>
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
          {isThere && hasMore && (
            <More name="Show more runs" isBusy={isLoading} failure={error} onMore={more}>
              {number(shownUntil)} of {number(current.totalCount)}
            </More>
          )}
          {isThere && runs.length > 0 && (
            <p class="keys level middle gap-4 above-4 muted small">
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
          )}
        </>
      )}
    </div>
  )
}

/** Pages of a list, from the first to the last of them. */
interface Span {
  readonly first: number
  readonly last: number
}

/** Pages of a list as one. */
type LoadedRuns = RunPage & Span
type Reader = { readonly units: Units; readonly clock: PaceClock }

/** Some pages of the list; when one more is asked for than was shown, that one alone is loaded. */
function useRuns(filters: Filters, { first, last }: Span, reader: Reader) {
  const path = (page: number) => listPath(filters, page, reader)
  const known = useRef<{ of: string; pages: ReadonlyMap<number, RunPage> }>({ of: '', pages: new Map() })
  return useLoaded<LoadedRuns>(`${path(1)}&pages=${first}-${last}`, async () => {
    const { of, pages } = known.current
    // those that are loaded again may have changed
    const had = of === path(1) && pages.size === last - first ? pages : new Map<number, RunPage>()
    const wanted = Array.from({ length: last - first + 1 }, (_, index) => first + index)
    const load = async (page: number) => [page, had.get(page) ?? (await api.get(path(page)))] as const
    // there may be fewer by now
    const all = await Promise.all(wanted.map(load)).catch(async (error: unknown) => {
      if (!(error instanceof ApiError) || error.status !== 404 || last === 1) throw error
      return [[1, await api.get(path(1))] as const]
    })
    known.current = { of: path(1), pages: new Map(all) }
    const items = all.flatMap(([, page]) => page.items)
    return { ...all.at(-1)![1], items, first: all[0]![0], last: all.at(-1)![0] }
  })
}

/** Runs that come above those in view leave these where they are. */
function useKeptPlace(list: { readonly current: HTMLElement | null }, first: number): void {
  const before = useRef({ first, height: 0 })
  useLayoutEffect(() => {
    const height = document.documentElement.scrollHeight
    if (list.current !== null && first < before.current.first && before.current.height > 0)
      window.scrollBy(0, height - before.current.height)
    before.current = { first, height: list.current === null ? 0 : height }
  })
}

interface MoreProps {
  readonly name: string
  readonly isBusy: boolean
  /** Why the last ones did not come. */
  readonly failure: { readonly message: string } | null
  readonly onMore: () => void
  readonly children?: ComponentChildren
}

/** Loads more as soon as it is nearly in view; a button for who does not scroll. */
function More({ name, isBusy, failure, onMore, children }: MoreProps) {
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
  }, [isBusy, failure])
  if (failure !== null && !isBusy) return <LoadFailure message={failure.message} />
  return (
    <div class="level gap-3 middle above-4 below-4" ref={end}>
      <Button size="small" isBusy={isBusy} onClick={onMore}>
        {name}
      </Button>
      {children !== undefined && (
        <span class="muted small" role="status">
          {children}
        </span>
      )}
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
    .map(([type, { length }], place) => {
      const like = length === 1 ? `like ${/^[AEIO]/.test(type) ? 'an' : 'a'} ${type}` : `like ${type}s`
      return place > 0
        ? `${number(length)} ${like}`
        : `${counted(length, 'run')} ${length === 1 ? 'looks' : 'look'} ${like}`
    })
  const set = async () => {
    const body = { ids: runs.map(({ id }) => id), set: { suggestedRunType: true } }
    const { changed, receiptId } = await api.send('POST', '/workouts/bulk-edit', body)
    toastDone(`${counted(changed, 'type')} set`, [receiptId])
  }
  return (
    <div class="notice suggested-types below-4">
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

/** Number of runs, or of matches, and their totals. */
function sumsOf({ totalCount, totals }: RunPage, isFound: boolean, { units, clock }: Reader) {
  const timeS = clock === 'moving' ? totals.movingTimeS : totals.durationS
  return (
    <>
      <span>{`${counted(totalCount, 'run')}${isFound ? ' found' : ''}`}</span>
      {totalCount > 0 && ` · ${text(roughDistance(totals.distanceM, units))} · ${sumDuration(timeS)}`}
    </>
  )
}
