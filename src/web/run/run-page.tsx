import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { printable } from '../../base/texts.ts'
import { ApiError, api } from '../api.ts'
import { runName } from '../format.ts'
import { Link, navigate } from '../router.ts'
import { type ShownPace, shownPace, usePaceClock } from '../shown-pace.ts'
import { useResource } from '../state.ts'
import { Confirm } from '../ui/dialog.tsx'
import { Empty, LoadFailure, Notice } from '../ui/empty.tsx'
import { Skeleton } from '../ui/spinner.tsx'
import { canBeBroughtBack, toastDone } from '../undo.ts'
import { Passes, Race } from './again/again.tsx'
import { Charts } from './charts/charts.tsx'
import { isSameSamples, type RunSeries, runSeries } from './charts/series.ts'
import type { Pin } from './map/photo-pins.tsx'
import { RouteMap } from './map/route-map.tsx'
import { MediaGallery } from './media/media-gallery.tsx'
import { Overlap } from './overlap.tsx'
import { RunHead } from './run-head.tsx'
import { RunMenu } from './run-menu.tsx'
import { RunNotes } from './run-notes.tsx'
import { RunPlace } from './run-place.tsx'
import { createRunView, type RunView } from './run-view.ts'
import { SectionPlace } from './section/section-choice.tsx'
import { CorrectedLine } from './sources/corrections.tsx'
import { SourcesCard } from './sources/sources-card.tsx'
import { EffortsTable } from './tables/efforts-table.tsx'
import { RunNumbers } from './tables/run-numbers.tsx'
import { SimilarRuns } from './tables/similar-runs.tsx'
import { Stretches } from './tables/stretches.tsx'
import { TrainingCard } from './tables/training-card.tsx'
import { WeatherCard } from './tables/weather-card.tsx'
import { ZonesBar } from './tables/zones-bar.tsx'
import type { Detail, Edit, Samples, Zones } from './types.ts'
import { UnconfirmedEfforts } from './unconfirmed-efforts.tsx'
import { useEdits } from './use-edits.ts'
import './run.css'
import './run-print.css'

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
  if (error !== null && error.status === 404) {
    return (
      <div class="page run">
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
      </div>
    )
  }
  if (error !== null) {
    return (
      <div class="page run">
        <LoadFailure message={error.message} />
      </div>
    )
  }
  return <Waiting />
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
      <div class="run-body">
        <Skeleton height="26rem" />
        <Skeleton height="38rem" />
      </div>
    </div>
  )
}

function Run({ run, onEdit }: { readonly run: Detail; readonly onEdit: (edit: Edit) => Promise<string | null> }) {
  const clock = usePaceClock()
  const shown = useMemo(() => shownPace(run, clock), [run, clock])
  const view = useMemo(createRunView, [])
  const samples = useResource(`/workouts/${run.id}/samples?maxPoints=${MOST_POINTS}`)
  const zones = useResource('/settings/heart-rate-zones')
  const series = useSeries(samples.data)
  const removal = useRemoval(run.id)
  const efforts = samples.data?.bestEfforts ?? []
  const effortsTable = efforts.length > 0 && (
    <EffortsTable runId={run.id} efforts={efforts} series={series} view={view} />
  )
  return (
    <div class="page run">
      <RunPlace id={run.id} />
      {removal.question}
      {removal.failure !== null && <Notice kind="bad">{removal.failure}</Notice>}
      <RunHead
        run={run}
        onEdit={onEdit}
        actions={<RunMenu run={run} series={series} onEdit={onEdit} onDelete={() => void removal.start()} />}
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
      <RunNotes notes={run.notes} onSave={(notes) => onEdit({ notes })} />
      <RunNumbers run={run} shown={shown} />
      <CorrectedLine run={run} />
      {samples.error !== null && samples.data === null && <LoadFailure message={samples.error.message} />}
      <Body run={run} shown={shown} series={series} isLoading={samples.data === null} zones={zones.data} view={view}>
        {!run.hasRoute && effortsTable}
      </Body>
      <div class="run-more">
        {run.hasRoute && effortsTable}
        {run.hasRoute && <SimilarRuns run={run} view={view} />}
        {run.weather !== null && <WeatherCard weather={run.weather} />}
        <TrainingCard run={run} view={series === null ? null : view} onEdit={onEdit} />
        <MediaGallery runId={run.id} />
      </div>
      <SourcesCard runId={run.id} />
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

interface BodyProps {
  readonly run: Detail
  readonly shown: ShownPace
  readonly series: RunSeries | null
  readonly isLoading: boolean
  readonly zones: Zones | null
  readonly view: RunView
  /** Content below the map, or in its place. */
  readonly children: ComponentChildren
}

/** Map and charts side by side where there is room; the map stays visible while the tables scroll. */
function Body({ run, shown, series, isLoading, zones, view, children }: BodyProps) {
  const hasMap = run.hasRoute && (isLoading || (series !== null && series.lat !== null && series.lon !== null))
  const hasZones = run.hrZoneSeconds !== null
  const hasCharts = isLoading || series !== null
  const photos = usePhotos(run.id)
  const stretches = <Stretches run={run} clock={shown.clock} isReady={!isLoading} series={series} view={view} />
  if (!hasMap && !hasCharts && !hasZones && run.splits.length === 0) {
    return (
      <>
        <p class="muted">This run has totals only, because it has no recording.</p>
        {stretches}
      </>
    )
  }
  const zonesBar = hasZones && <ZonesBar run={run} zones={zones} />
  const again = run.hasRoute && series !== null ? { runId: run.id, series, view } : null
  const label = `Map of the route of ${runName(run)}. Arrow keys move it, plus and minus zoom, 0 shows all; Select a section below it has two handles, and Shift and a drag along the route do the same`
  return (
    <div class={hasMap || hasZones || !run.hasRoute ? 'run-body' : 'run-body single'}>
      <div class="run-side">
        {hasMap &&
          (series === null ? (
            <div class="run-map-place">
              <Skeleton height="100%" />
            </div>
          ) : (
            <RouteMap series={series} view={view} photos={photos} label={label}>
              <SectionPlace
                place="map"
                hint="Drag the ends, or tap the route: first where the section starts, then where it ends."
                runId={run.id}
                clock={shown.clock}
                series={series}
                view={view}
                hasRoute
              />
            </RouteMap>
          ))}
        {zonesBar}
        {children}
      </div>
      <div class="run-main">
        {again !== null && <Race {...again} />}
        {hasCharts &&
          (series === null ? (
            <Skeleton height="38rem" />
          ) : (
            <Charts run={run} shown={shown} series={series} zones={zones} view={view} />
          ))}
        {again !== null && <Passes {...again} />}
        {stretches}
      </div>
    </div>
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
