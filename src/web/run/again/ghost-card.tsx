import { useEffect, useMemo, useRef } from 'preact/hooks'
import { Ends, Level, Plot } from '../../charts/plot.tsx'
import { linePath } from '../../charts/scale.ts'
import { date, distance, duration, runDay, text } from '../../format.ts'
import { Link } from '../../router.ts'
import { useResource, useUnits } from '../../state.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { LoadFailure } from '../../ui/empty.tsx'
import { Skeleton } from '../../ui/spinner.tsx'
import { type RunSeries, runSeries } from '../charts/series.ts'
import type { Rival, RunView } from '../run-view.ts'
import type { GhostRace } from '../types.ts'
import { ghostLines } from './ghost-lines.ts'
import { type GhostPlaces, ghostPlaces } from './ghost-places.ts'
import { gapText, partsText, raceText, stopText } from './ghost-words.ts'

interface GhostCardProps {
  readonly runId: string
  readonly rival: Rival
  readonly series: RunSeries
  readonly view: RunView
}

/** Most samples of the ghost requested; the line of its run is thin. */
const MOST_POINTS = 5000

/** This run compared with an earlier one: the gap along the way, and the ghost on map and charts. */
export function GhostCard({ runId, rival, series, view }: GhostCardProps) {
  const { workoutId: rivalId } = rival
  const { data, error } = useResource(`/workouts/${runId}/ghost/${rivalId}`)
  const places = useMemo(() => (data === null ? null : ghostPlaces(data, series)), [data, series])
  useEffect(() => {
    view.ghost.set(places)
    return () => view.ghost.set(null)
  }, [places, view])
  const samples = useResource(data === null ? null : `/workouts/${rivalId}/samples?maxPoints=${MOST_POINTS}`)
  const lines = useMemo(() => {
    const ghost = samples.data === null ? null : runSeries(samples.data)
    return data === null || ghost === null ? null : ghostLines(data, series, ghost)
  }, [data, samples.data, series])
  useEffect(() => {
    view.ghostLines.set(lines)
    return () => view.ghostLines.set(null)
  }, [lines, view])
  const frame = useRef<HTMLDivElement>(null)
  const isLoading = data === null && error === null
  useEffect(() => {
    // the map comes into view, and the card where both do not fit
    frame.current?.closest('.run-body')?.scrollIntoView()
    frame.current?.scrollIntoView({ block: 'nearest' })
    frame.current?.focus({ preventScroll: true })
  }, [rivalId, isLoading])
  return (
    <div class="race" ref={frame} tabIndex={-1}>
      <Card
        title={`vs. your run of ${runDay({ startedAt: rival.startedAt, utcOffsetMinutes: null })}`}
        aside={
          <Button size="small" kind="quiet" onClick={() => view.rival.set(null)}>
            End race
          </Button>
        }
      >
        {isLoading && <Skeleton height="190px" />}
        {error !== null &&
          (error.status === 400 ? <p class="muted">{error.message}.</p> : <LoadFailure message={error.message} />)}
        {data !== null && <Gap race={data} places={places} series={series} view={view} />}
      </Card>
    </div>
  )
}

interface GapProps extends Omit<GhostCardProps, 'runId' | 'rival'> {
  readonly race: GhostRace
  readonly places: GhostPlaces | null
}

function Gap({ race, places, ...shared }: GapProps) {
  const parts = partsText(race)
  const longest = stopText(race, useUnits())
  return (
    <>
      <p class="below-3">
        {raceText(race.gapS)}{' '}
        <Link href={`/app/runs/${race.ghost.workoutId}`}>{date(race.ghost.startedAt, 'short')}</Link>
        {parts === '' ? '.' : `: ${parts}.`}
        {longest !== null && ` ${longest}.`}
      </p>
      {places !== null && <GapLine race={race} places={places} {...shared} />}
    </>
  )
}

const HEIGHT = 130
const INSET = 10

interface GapLineProps extends GapProps {
  readonly places: GhostPlaces
}

/** The gap over the distance, behind is down. Shares its cursor with charts and map. */
function GapLine({ race, places, series, view }: GapLineProps) {
  const units = useUnits()
  const { distanceM, gapS } = race.places
  const [fromM, toM] = [distanceM[0]!, distanceM.at(-1)!]
  const most = gapS.reduce((least, gap) => Math.max(least, Math.abs(gap)), 1)
  const shareOf = (metres: number) => Math.max(0, Math.min(1, (metres - fromM) / Math.max(1, toM - fromM)))
  const middle = (HEIGHT - 26) / 2
  const y = (gap: number) => middle + (gap / most) * (middle - INSET)
  const step = Math.max(1, Math.round(series.n / 100))
  return (
    <Plot
      class="gap-line"
      label={`Gap over the distance, at most ${duration(most)}. Arrow keys go along it`}
      height={HEIGHT}
      count={series.n}
      cursor={view.cursor}
      steps={{
        ArrowLeft: -step,
        ArrowDown: -step,
        ArrowRight: step,
        ArrowUp: step,
        PageDown: -9 * step,
        PageUp: 9 * step,
      }}
      textAt={(row) => `${gapText(places.gapAt(row))} at ${text(distance(series.distanceM![row]!, units))}`}
      caption={(row) =>
        row === null &&
        `Above the line you’re ahead (scale ±${duration(most)}) · ${text(distance(toM - fromM, units))} together`
      }
      shareOf={(row) => shareOf(series.distanceM![row]!)}
      of={[race]}
      draw={({ x }) => (
        <>
          <Level y={y(0)} text="0" isBase />
          <path class="line" d={linePath(gapS.map((gap, k) => [x(shareOf(distanceM[k]!)), y(gap)] as const))} />
          <Ends from={text(distance(fromM, units))} to={text(distance(toM, units))} />
        </>
      )}
    />
  )
}
