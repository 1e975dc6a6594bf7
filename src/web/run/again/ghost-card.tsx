import { useEffect, useMemo, useRef } from 'preact/hooks'
import { date, distance, text, type Units } from '../../format.ts'
import { Link } from '../../router.ts'
import { useResource } from '../../state.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { LoadFailure } from '../../ui/empty.tsx'
import { nearestRow, type RunSeries, runSeries } from '../charts/series.ts'
import { type RunView, useDrawing } from '../run-view.ts'
import type { GhostRace, Samples } from '../types.ts'
import { ghostLines } from './ghost-lines.ts'
import { type GhostPlaces, ghostPlaces } from './ghost-places.ts'
import { gapText, partsText, raceText, stopText } from './ghost-words.ts'

interface GhostCardProps {
  readonly runId: string
  readonly rivalId: string
  readonly series: RunSeries
  readonly units: Units
  readonly view: RunView
}

/** Most samples of the ghost requested; the line of its run is thin. */
const MOST_POINTS = 5000

/** This run compared with an earlier one: the gap along the way, and the ghost on map and charts. */
export function GhostCard({ runId, rivalId, series, units, view }: GhostCardProps) {
  const { data, error, reload } = useResource<GhostRace>(`/workouts/${runId}/ghost/${rivalId}`)
  const places = useMemo(() => (data === null ? null : ghostPlaces(data, series)), [data, series])
  useEffect(() => {
    view.ghost.set(places)
    return () => view.ghost.set(null)
  }, [places, view])
  const samples = useResource<Samples>(data === null ? null : `/workouts/${rivalId}/samples?maxPoints=${MOST_POINTS}`)
  const lines = useMemo(() => {
    const ghost = samples.data === null ? null : runSeries(samples.data)
    return data === null || ghost === null ? null : ghostLines(data, series, ghost)
  }, [data, samples.data, series])
  useEffect(() => {
    view.ghostLines.set(lines)
    return () => view.ghostLines.set(null)
  }, [lines, view])
  const stop = (
    <Button size="small" kind="quiet" onClick={() => view.rival.set(null)}>
      End the race
    </Button>
  )
  if (error !== null) {
    return (
      <Card title="Against the ghost" aside={stop} class="run-again">
        {error.status === 400 ? (
          <p class="muted">{error.message}.</p>
        ) : (
          <LoadFailure message={error.message} onRetry={reload} />
        )}
      </Card>
    )
  }
  if (data === null) return null
  const parts = partsText(data)
  const longest = stopText(data, units)
  return (
    <Card title="Against the ghost" aside={stop} class="run-again">
      <p class="again-words">
        {raceText(data.gapS)} <Link href={`/app/runs/${rivalId}`}>{date(data.ghost.startedAt, 'short')}</Link>
        {parts === '' ? '.' : `: ${parts}.`}
        {longest !== null && ` ${longest}.`}
      </p>
      {places !== null && <GapLine race={data} places={places} series={series} units={units} view={view} />}
    </Card>
  )
}

const WIDTH = 640
const HEIGHT = 120
const INSET = 10

interface GapLineProps extends Omit<GhostCardProps, 'runId' | 'rivalId'> {
  readonly race: GhostRace
  readonly places: GhostPlaces
}

/** The gap over the distance, behind is down. Shares its cursor with charts and map. */
function GapLine({ race, places, series, units, view }: GapLineProps) {
  const { distanceM, gapS } = race.places
  const [fromM, toM] = [distanceM[0]!, distanceM.at(-1)!]
  const most = gapS.reduce((least, gap) => Math.max(least, Math.abs(gap)), 1)
  const x = (metres: number) => ((metres - fromM) / Math.max(1, toM - fromM)) * WIDTH
  const y = (gap: number) => HEIGHT / 2 + (gap / most) * (HEIGHT / 2 - INSET)
  const path = useMemo(
    () => gapS.map((gap, k) => `${k === 0 ? 'M' : 'L'}${x(distanceM[k]!).toFixed(1)} ${y(gap).toFixed(1)}`).join(''),
    [race],
  )
  const mark = useRef<SVGLineElement>(null)
  const words = useRef<HTMLSpanElement>(null)
  useDrawing([view.cursor], () => {
    const row = view.cursor.get()
    const metres = row < 0 ? null : series.distanceM![row]!
    mark.current?.toggleAttribute('hidden', metres === null)
    if (words.current !== null) {
      words.current.textContent =
        metres === null
          ? `${text(distance(toM - fromM, units))} together`
          : `${gapText(places.gapAt(row))} at ${text(distance(metres, units))}`
    }
    if (metres === null) return
    const at = Math.max(0, Math.min(WIDTH, x(metres))).toFixed(1)
    mark.current?.setAttribute('x1', at)
    mark.current?.setAttribute('x2', at)
  }, [race, places, series, units])
  const follow = ({ clientX, currentTarget }: PointerEvent & { readonly currentTarget: SVGElement }) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    view.cursor.set(nearestRow(series.distanceM!, fromM + ((clientX - left) / width) * (toM - fromM)))
  }
  return (
    <figure class="gap-line">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Gap over the distance, at most ${Math.round(most)} s`}
        onPointerMove={follow}
        onPointerLeave={() => view.cursor.set(-1)}
      >
        <line class="gap-level" x1="0" x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} />
        <path class="gap-path" d={path} />
        <line class="gap-cursor" ref={mark} y1="0" y2={HEIGHT} hidden />
      </svg>
      <figcaption>
        <span>ahead above, behind below; to {Math.round(most)} s</span>
        <span ref={words} />
      </figcaption>
    </figure>
  )
}
