import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { printable } from '../../base/texts.ts'
import { canBeBroughtBack, toastDone } from '../actions.ts'
import { ApiError, api } from '../api.ts'
import { number, runName, shownPace, usePaceClock } from '../format.ts'
import { Link, navigate, useRoute, useShortcuts } from '../router.ts'
import { useRememberedRun } from '../screens/list-place.ts'
import { type Filters, filtersOf, neighboursPath, pageOfPosition, runPath, runsPath } from '../screens/run-query.ts'
import { useResource, useUnits } from '../state.ts'
import { Button, Icon, type IconName, Skeleton } from '../ui/button.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { Empty, failureNotice, Lazy, LoadFailure, Notice } from '../ui/loaded.tsx'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import { toast } from '../ui/toast.tsx'
import { TERMS } from '../words.ts'
import { EffortsTable, RouteCard, similarPath, UnconfirmedEfforts } from './again/route-card.tsx'
import { Charts } from './charts/charts.tsx'
import { isSameSamples, type MaybeSeries, type Parts, type RunSeries, runSeries } from './charts/series.ts'
import type { Pin } from './map/map-controls.tsx'
import { Passes, RouteMap, SectionPlace } from './map/route-map.tsx'
import { MediaGallery } from './media-gallery.tsx'
import type { RunDialogProps } from './run-dialogs.tsx'
import { Overlap, RunHead, useEdits } from './run-head.tsx'
import { bestDivision, createRunView, type Detail, difference, MOST_GROWTH_PX, type Samples } from './run-view.ts'
import { CorrectedLine, SourcesCard } from './sources/sources-card.tsx'
import { RunNumbers, TrainingCard, WeatherCard } from './tables/run-numbers.tsx'
import { FixRun, Stretches } from './tables/stretches.tsx'
import './run.css'

/** Most samples requested; more than any screen shows, and thinning keeps the extremes. */
const MOST_POINTS = 30_000

/** The page of one run: numbers, map, charts, tables, and what the runner entered. */
export function RunPage({ id }: { readonly id: string }) {
  return <LoadedRun key={id} id={id} />
}

function LoadedRun({ id }: { readonly id: string }) {
  // without the route, which the samples contain
  const path = `/workouts/${id}?includeRaw=false&includeRoute=false` as const
  const { data, error } = useResource(path)
  const { run, edit } = useEdits(data, id)
  useEffect(() => {
    if (run !== null) document.title = printable(`${runName(run)} · Harrier`)
    else if (error?.status === 404) document.title = 'Run not found · Harrier'
  }, [run, error])
  if (run !== null) return <Run run={run} onEdit={edit} />
  if (error === null) return <Waiting />
  return (
    <div class="page run">
      {error.status === 404 ? (
        <Empty
          icon="runs"
          title="Run not found"
          isView
          action={
            <Link href="/app/runs" class="button">
              All runs
            </Link>
          }
        >
          It was deleted, or the address is incomplete.
        </Empty>
      ) : (
        <LoadFailure message={error.message} />
      )}
    </div>
  )
}

/** Placeholders in the size of the content. */
function Waiting() {
  return (
    <div class="page run" aria-busy="true">
      <div class="stack gap-4">
        <Skeleton width="12rem" height="1rem" />
        <Skeleton width="18rem" height="2.2rem" />
      </div>
      <Skeleton height="7rem" />
      <div class="columns">
        <Skeleton height="26rem" />
        <Skeleton height="38rem" />
      </div>
    </div>
  )
}

function Run({ run, onEdit }: Parts<'run' | 'onEdit'>) {
  const clock = usePaceClock()
  const shown = useMemo(() => shownPace(run, clock), [run, clock])
  const view = useMemo(createRunView, [])
  const samples = useResource(`/workouts/${run.id}/samples?maxPoints=${MOST_POINTS}`)
  const zones = useResource('/settings/heart-rate-zones')
  const series = useSeries(samples.data)
  const removal = useRemoval(run.id)
  const efforts = samples.data?.bestEfforts ?? []
  const isLoading = samples.data === null
  const own = { run, runId: run.id, shown, clock: shown.clock, view, onEdit }
  const race = useRace(run, series !== null || samples.error !== null)
  return (
    <div class="page run">
      <RunPlace id={run.id} />
      {removal.question}
      {removal.failure !== null && <Notice kind="bad">{removal.failure}</Notice>}
      <RunHead
        run={run}
        onEdit={onEdit}
        actions={<RunMenu run={run} series={series} onRace={race} onDelete={() => void removal.start()} />}
      />
      {run.leftOut && <Notice>This run is excluded from statistics and records.</Notice>}
      {run.source === 'manual' && (
        <Overlap
          startMs={Date.parse(run.startedAt)}
          endMs={Date.parse(run.startedAt) + 1000 * run.durationS}
          exceptId={run.id}
        />
      )}
      <UnconfirmedEfforts runId={run.id} />
      <RunNumbers run={run} shown={shown} />
      <CorrectedLine run={run} />
      {samples.error !== null && samples.data === null && <LoadFailure message={samples.error.message} />}
      {samples.data !== null && series === null && run.splits.length === 0 && (
        <p class="muted">This run has totals only, because it has no recording.</p>
      )}
      <Columns
        cards={[
          [
            'map',
            1,
            run.hasRoute && (series === null ? isLoading && <MapPlace /> : <RouteOf {...own} series={series} />),
          ],
          [
            'charts',
            run.hasRoute ? 2 : 1,
            series === null ? (
              isLoading && <Skeleton height="38rem" />
            ) : (
              <Charts {...own} series={series} zones={zones.data} />
            ),
          ],
          ['route', 1, run.hasRoute && series !== null && <RouteCard {...own} series={series} />],
          ['passes', 2, run.hasRoute && series !== null && <Passes {...own} series={series} />],
          ['stretches', 2, <Stretches {...own} isReady={!isLoading} series={series} />],
          ['training', null, <TrainingCard {...own} series={series} zones={zones.data} />],
          ['efforts', null, efforts.length > 0 && <EffortsTable {...own} efforts={efforts} />],
          ['weather', null, run.weather !== null && <WeatherCard weather={run.weather} />],
          ['media', null, <MediaGallery runId={run.id} />],
        ]}
      />
      <SourcesCard runId={run.id} />
    </div>
  )
}

/** Leads to the earlier runs that can be raced, as soon as they are loaded; null: the run has no route. */
function useRace({ id, hasRoute }: Detail, isDrawn: boolean): (() => void) | null {
  const { data, error } = useResource(hasRoute ? similarPath(id) : null)
  const [isWanted, setWanted] = useState(false)
  const isReady = isDrawn && (data !== null || error !== null)
  useEffect(() => {
    if (!isWanted || !isReady) return
    setWanted(false)
    const first = document.querySelector<HTMLElement>('.run-route .button, .race .button')
    if (first === null) return toast(error === null ? 'You have no earlier run on this route' : TERMS.failed)
    first.scrollIntoView({ block: 'center' })
    first.focus()
  }, [isWanted, isReady])
  return hasRoute ? () => setWanted(true) : null
}

/** Placeholder in the size of the map. */
function MapPlace() {
  return (
    <div class="map-window run-map-place">
      <Skeleton height="100%" />
    </div>
  )
}

/** A column of null: the one that ends higher. */
type ColumnCard = readonly [name: string, column: 1 | 2 | null, content: ComponentChildren]

/** Height of a row of the grid, of which a card spans as many as it needs; as in run.css. */
const ROW_PX = 4
const GAP_PX = 24
/** Columns that differ by less end alike. */
const FINE_PX = 40
/** Divisions at one width of the window. */
const MOST_TRIES = 20

/**
 * Cards in two columns that end at about the same height. Cards are measured, and those that may stand in either column
 * are divided so that the columns differ least; what remains, the map takes. Once the runner has pressed something, cards
 * stay where they are. Below 1024 px all is one column.
 */
function Columns({ cards }: { readonly cards: readonly ColumnCard[] }) {
  const frame = useRef<HTMLDivElement>(null)
  const given = useRef(cards)
  given.current = cards
  useLayoutEffect(() => {
    const element = frame.current
    if (element === null) return
    const cells = [...element.children] as HTMLElement[]
    /** Heights of each card as last measured in the left and in the right column. */
    const measured: Partial<Record<1 | 2, number>>[] = cells.map(() => ({}))
    let [isKept, growth, chosen, tries] = [false, 0, 0, 0]
    const place = () => {
      const { current: all } = given
      const spans = cells.map(({ offsetHeight }) => (offsetHeight === 0 ? 0 : offsetHeight + GAP_PX))
      const sum = (column: 1 | 2) => all.reduce((so, [, of], k) => (of === column ? so + spans[k]! : so), 0)
      const missing = sum(2) - sum(1) + growth
      const free = all.flatMap(([, column], k) => (column === null ? [k] : []))
      const columnOf = (k: number) => all[k]?.[1] ?? ((chosen >> free.indexOf(k)) & 1 ? 1 : 2)
      for (const k of free) measured[k]![columnOf(k)] = spans[k]!
      const heights = free.map((k) => ([1, 2] as const).map((column) => measured[k]![column] ?? spans[k]!))
      if (!isKept) {
        const rest = missing - difference(heights, chosen)
        // a card may be higher in a column where it was not measured yet
        if ((rest < -FINE_PX || rest > MOST_GROWTH_PX + FINE_PX) && tries < MOST_TRIES) {
          chosen = bestDivision(heights, missing)
          tries += 1
        }
        growth = Math.max(0, Math.min(MOST_GROWTH_PX, missing - difference(heights, chosen)))
        element.style.setProperty('--map-growth', `${growth}px`)
      }
      for (const [k, cell] of cells.entries()) {
        cell.style.setProperty('--column', String(columnOf(k)))
        cell.style.setProperty('--rows', String(Math.max(1, Math.round(spans[k]! / ROW_PX))))
      }
    }
    const keep = () => {
      isKept = true
    }
    let width = innerWidth
    const onResize = () => {
      if (innerWidth === width) return
      ;[width, isKept, tries] = [innerWidth, false, 0]
    }
    const observer = new ResizeObserver(place)
    for (const cell of cells) observer.observe(cell)
    for (const event of ['pointerdown', 'keydown'] as const) element.addEventListener(event, keep)
    addEventListener('resize', onResize)
    return () => {
      observer.disconnect()
      removeEventListener('resize', onResize)
    }
  }, [])
  return (
    <div class="run-columns stack gap-5" ref={frame}>
      {cards.map(([name, , content]) => (
        <div key={name} class="run-cell grow">
          {content}
        </div>
      ))}
    </div>
  )
}

/** Creates a new series only when samples changed, since every edit of the run loads them again. */
function useSeries(samples: Samples | null): RunSeries | null {
  const last = useRef<{ readonly samples: Samples; readonly series: RunSeries | null } | null>(null)
  if (samples === null) return null
  if (last.current === null || !isSameSamples(last.current.samples, samples)) {
    last.current = { samples, series: runSeries(samples) }
  }
  return last.current.series
}

/** The map of the route, with the handles of a section below it. */
function RouteOf({ run, shown, series, view }: Parts<'run' | 'shown' | 'series' | 'view'>) {
  const photos = usePhotos(run.id)
  if (series.lat === null || series.lon === null) return null
  return (
    <RouteMap
      series={series}
      view={view}
      photos={photos}
      label={`Map of the route of ${runName(run)}. Arrow keys move it, plus and minus zoom, 0 shows all; Select a section below it has two handles, and Shift and a drag along the route do the same`}
    >
      <SectionPlace runId={run.id} clock={shown.clock} series={series} view={view} hasRoute />
    </RouteMap>
  )
}

/** Deletes the run and returns to its list. */
function useRemoval(id: string) {
  const [failure, setFailure] = useState<string | null>(null)
  /** Confirmation when deleting cannot be undone. */
  const [isAsking, setAsking] = useState(false)
  const start = async () => {
    if (await canBeBroughtBack()) await remove()
    else setAsking(true)
  }
  const remove = async () => {
    setAsking(false)
    setFailure(null)
    try {
      const receiptId = await api.change('DELETE', `/workouts/${id}`)
      navigate(`/app/runs${location.search}`, { replace: true })
      toastDone('Run deleted', [receiptId])
    } catch (error) {
      setFailure(error instanceof ApiError ? error.message : 'Couldn’t delete the run. Try again.')
    }
  }
  const question = isAsking && (
    <Confirm title="Delete this run?" action="Delete" onConfirm={() => void remove()} onClose={() => setAsking(false)}>
      <p class="muted">Its recording, photos and notes are deleted too. This can’t be undone.</p>
    </Confirm>
  )
  return { failure, start, question }
}

/** Photos that have a place on the map. */
function usePhotos(runId: string): readonly Pin[] {
  const { data } = useResource(`/workouts/${runId}/media`)
  return useMemo(
    () =>
      (data ?? []).flatMap(({ id, mimeType, lat, lon }) =>
        lat === null || lon === null || !mimeType.startsWith('image/') ? [] : [{ id, workoutId: runId, lat, lon }],
      ),
    [data],
  )
}

/** The way back to the list, and to the runs before and after in it. Keys: j and k as in the list. */
function RunPlace({ id }: { readonly id: string }) {
  const reader = { units: useUnits(), clock: usePaceClock() }
  const { query } = useRoute()
  const filters = filtersOf(query)
  const { data } = useResource(neighboursPath(id, filters, reader))
  const { previousId = null, nextId = null, position = null, totalCount = 0 } = data ?? {}
  useRememberedRun(id)
  useShortcuts(({ key }) => {
    const to = key === 'j' ? nextId : key === 'k' ? previousId : null
    if (to !== null) navigate(runPath(to, filters), { replace: true })
  })
  return (
    <nav class="run-place level gap-3 spread" aria-label="Runs in the list">
      <Link
        href={runsPath(filters, position === null ? 1 : pageOfPosition(position))}
        class="run-back level gap-1 muted small"
      >
        <Icon name="left" />
        Runs
      </Link>
      {position !== null && totalCount > 1 && (
        <span class="level gap-1 muted small">
          <Step name="Previous run" icon="left" id={previousId} filters={filters} />
          <span>
            {number(position)} of {number(totalCount)}
          </span>
          <Step name="Next run" icon="right" id={nextId} filters={filters} />
        </span>
      )}
    </nav>
  )
}

/** Replaces this run in the history, so that Back leads to the list. @param step with an id of null: there is none */
function Step({ name, icon, id, filters }: { name: string; icon: IconName; id: string | null; filters: Filters }) {
  if (id === null) return <Button kind="quiet" size="small" icon={icon} aria-label={name} disabled />
  const classes = 'button quiet small icon-only'
  return (
    <Link href={runPath(id, filters)} class={classes} aria-label={name} title={name} isReplacing>
      <Icon name={icon} />
    </Link>
  )
}

interface RunMenuProps extends Parts<'run'>, MaybeSeries {
  /** Leads to the runs that this one can be raced against; null: it has no route. */
  readonly onRace: (() => void) | null
  readonly onDelete: () => void
}

/** Actions on a whole run. */
function RunMenu({ series, onRace, onDelete, ...shared }: RunMenuProps) {
  const [open, setOpen] = useState<RunDialogProps['name'] | 'fix' | 'share' | null>(null)
  const items: readonly MenuItem[] = [
    { text: 'Edit…', icon: 'edit', onChoose: () => setOpen('edit') },
    ...(onRace === null ? [] : [{ text: 'Race it', icon: 'runs', onChoose: onRace } as const]),
    { text: 'Similar runs…', icon: 'whole', onChoose: () => setOpen('similar') },
    { text: 'Fix…', icon: 'section', onChoose: () => setOpen('fix') },
    { text: 'Share…', icon: 'share', onChoose: () => setOpen('share') },
    { text: 'Download…', icon: 'download', onChoose: () => setOpen('download') },
    { text: 'Exclude…', icon: 'minus', onChoose: () => setOpen('exclude') },
    { text: 'Delete', icon: 'trash', isDangerous: true, onChoose: onDelete },
  ]
  const onClose = () => setOpen(null)
  return (
    <>
      <Menu label="More actions" items={items} buttonClass="button icon-only" />
      {open === 'fix' && <FixRun run={shared.run} series={series} first={null} onClose={onClose} />}
      {open === 'share' && <Lazy load={loadShareDialog} props={{ run: shared.run, onClose }} waiting={failureNotice} />}
      {open !== null && open !== 'fix' && open !== 'share' && (
        <Lazy key={open} load={loadDialog} props={{ ...shared, name: open, onClose }} waiting={failureNotice} />
      )}
    </>
  )
}

const loadDialog = () => import('./run-dialogs.tsx').then(({ RunDialog }) => RunDialog)
const loadShareDialog = () => import('./share-dialog.tsx').then(({ ShareDialog }) => ShareDialog)
