import { useEffect, useMemo, useRef } from 'preact/hooks'
import { toastDone, useAction } from '../../actions.ts'
import { api } from '../../api.ts'
import { Ends, Level, Plot } from '../../charts/plot.tsx'
import { linePath } from '../../charts/scale.ts'
import {
  counted,
  date,
  distance,
  distanceName,
  duration,
  number,
  pace,
  paceDifference,
  shownPace,
  signedTime,
  text,
  type Units,
} from '../../format.ts'
import { Link, navigate } from '../../router.ts'
import { useResource, useUnits } from '../../state.ts'
import { useStore } from '../../store.ts'
import { Button, Skeleton } from '../../ui/button.tsx'
import { Card, DataTable, Medal } from '../../ui/card.tsx'
import { LoadFailure, Notice } from '../../ui/loaded.tsx'
import { Menu } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.tsx'
import { TERMS } from '../../words.ts'
import { axisTicks, clockStep, type Parts, runSeries, ticksBetween } from '../charts/series.ts'
import {
  type Effort,
  type GhostPlaces,
  type GhostRace,
  keySteps,
  type RankedEffort,
  type Rival,
  type SimilarRun,
  sectionHandlers,
} from '../run-view.ts'
import { bestText, countQuestion, standing, whyNot } from '../tables/rows.ts'
import { ZoomButton } from '../tables/stretches.tsx'
import { gapText, ghostLines, ghostPlaces, partsText, raceText, stopText } from './sections.ts'

const MOST = 25
const SHOWN = 3
const DIRECTIONS: Readonly<Record<SimilarRun['direction'], string>> = {
  same: '',
  reverse: 'reversed',
  mixed: 'partly reversed',
}

export const similarPath = (id: string) => `/workouts/${id}/similar-routes?maxResults=${MOST}&maxYears=20` as const

/** Earlier runs on the same route, any of which can be raced; while one is, the gap to it. */
export function RouteCard({ run, clock, series, view }: Parts<'run' | 'clock' | 'series' | 'view'>) {
  const units = useUnits()
  const rival = useStore(view.rival)
  const { data } = useResource(similarPath(run.id))
  if (rival !== null) return <GhostCard runId={run.id} rival={rival} series={series} view={view} />
  if (data === null || data.length === 0) return null
  const paceOf = (one: Timed) => shownPace({ ...one, runType: run.runType }, clock).paceS ?? one.avgPaceS
  const own = paceOf(run)
  const latest = data.toSorted((a, b) => b.startedAt.localeCompare(a.startedAt))
  return (
    <Card title="Same route" aside={counted(data.length, 'run')} class="run-route">
      <Trend run={run} earlier={data} paceOf={paceOf} />
      <DataTable
        class="run-table similar"
        hidesHeads
        heads={['Run', TERMS.pace, TERMS.hr, 'Difference', 'Race']}
        rows={latest.slice(0, SHOWN).map((other) => [
          <>
            <Link href={`/app/runs/${other.workoutId}`}>{date(other.startedAt, 'short', other.utcOffsetMinutes)}</Link>
            {DIRECTIONS[other.direction] !== '' && <span class="muted small"> {DIRECTIONS[other.direction]}</span>}
          </>,
          text(pace(paceOf(other), units)),
          other.avgHeartRateBpm !== null && <span class="muted">{`${number(other.avgHeartRateBpm)}\u00a0bpm`}</span>,
          <Difference paceS={paceOf(other) - own} units={units} />,
          other.direction === 'same' && (
            <Button
              size="small"
              kind="quiet"
              aria-label={`Race it: run of ${date(other.startedAt, 'short', other.utcOffsetMinutes)}`}
              onClick={() => view.rival.set(other)}
            >
              Race it
            </Button>
          ),
        ])}
      />
    </Card>
  )
}

type Timed = Pick<SimilarRun, 'startedAt' | 'utcOffsetMinutes' | 'distanceM' | 'durationS' | 'movingTimeS' | 'avgPaceS'>

/** The difference of this run's pace from another. */
function Difference({ paceS, units }: { readonly paceS: number; readonly units: Units }) {
  const shown = paceDifference(paceS, units)
  if (Math.abs(paceS) < 0.5) return <span class="muted">same pace</span>
  return paceS > 0 ? <span class="good">{shown} faster</span> : <span class="muted">{shown} slower</span>
}

const TREND_PX = 118
const INSET = 8

interface TrendProps extends Parts<'run'> {
  readonly earlier: readonly SimilarRun[]
  readonly paceOf: (run: Timed) => number
}

/** One dot per run, faster is higher; this run's is filled. */
function Trend({ run, earlier, paceOf }: TrendProps) {
  const units = useUnits()
  const all = [...earlier, { ...run, workoutId: run.id }]
    .filter(({ avgPaceS }) => avgPaceS > 0)
    .toSorted((a, b) => a.startedAt.localeCompare(b.startedAt))
  if (all.length < 2) return null
  const times = all.map(({ startedAt }) => Date.parse(startedAt))
  const [fromMs, toMs] = [times[0]!, times.at(-1)!]
  const shareOf = (place: number) => (times[place]! - fromMs) / Math.max(1, toMs - fromMs)
  const paces = all.map(paceOf)
  const [fast, slow] = [Math.min(...paces), Math.max(...paces)]
  const y = (value: number) => INSET + ((value - fast) / Math.max(1, slow - fast)) * (TREND_PX - 30 - INSET)
  const words = `${counted(all.length, 'run')}, fastest ${text(pace(fast, units))}, slowest ${text(pace(slow, units))}`
  const day = ({ startedAt, utcOffsetMinutes }: Timed, style: 'short' | 'shortMonthYear' = 'short') =>
    date(startedAt, style, utcOffsetMinutes)
  return (
    <Plot
      class="route-trend"
      label={`Pace over time: ${words}. Arrow keys go through the runs, Enter opens one`}
      height={TREND_PX}
      left={48}
      count={all.length}
      textAt={(place) => `${day(all[place]!)}: ${text(pace(paces[place]!, units))}`}
      shareOf={shareOf}
      onOpen={(place) => navigate(`/app/runs/${all[place]!.workoutId}`)}
      isOpenedByMouse
      of={[earlier, run, units, paceOf(run)]}
      draw={({ x }) => (
        <>
          {[fast, slow].map((value) => (
            <Level key={value} y={y(value)} text={pace(value, units).value} />
          ))}
          <path
            fill="none"
            stroke="var(--faint)"
            stroke-width="1.5"
            d={linePath(paces.map((value, k) => [x(shareOf(k)), y(value)] as const))}
          />
          {all.map(({ workoutId }, k) => (
            <circle
              key={workoutId}
              {...(workoutId === run.id ? { class: 'dot', r: 5 } : { fill: 'var(--muted)', r: 3 })}
              cx={x(shareOf(k))}
              cy={y(paces[k]!)}
            />
          ))}
          <Ends from={day(all[0]!, 'shortMonthYear')} to={day(all.at(-1)!, 'shortMonthYear')} />
        </>
      )}
    />
  )
}

/** Most samples of the ghost requested; the line of its run is thin. */
const MOST_POINTS = 5000

/** This run compared with an earlier one: the gap along the way, and the ghost on map and charts. */
function GhostCard({ runId, rival, series, view }: Parts<'runId' | 'series' | 'view'> & { readonly rival: Rival }) {
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
  const units = useUnits()
  const [parts, longest] = data === null ? ['', null] : [partsText(data), stopText(data, units)]
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // the map comes into view, and the card where both do not fit
    document.querySelector('.run-map')?.scrollIntoView()
    frame.current?.scrollIntoView({ block: 'nearest' })
    frame.current?.focus({ preventScroll: true })
  }, [rivalId, data === null])
  return (
    <div class="race" ref={frame} tabIndex={-1}>
      <Card
        title={`vs. your run of ${date(rival.startedAt, 'short', rival.utcOffsetMinutes)}`}
        aside={
          <Button size="small" kind="quiet" onClick={() => view.rival.set(null)}>
            End race
          </Button>
        }
      >
        {data === null && error === null && <Skeleton height="220px" />}
        {error !== null &&
          (error.status === 400 ? <p class="muted">{error.message}.</p> : <LoadFailure message={error.message} />)}
        {data !== null && (
          <p class="below-3">
            {raceText(data.gapS)}{' '}
            <Link href={`/app/runs/${rivalId}`}>{date(rival.startedAt, 'short', rival.utcOffsetMinutes)}</Link>
            {parts === '' ? '.' : `: ${parts}.`}
            {longest !== null && ` ${longest}.`}
          </p>
        )}
        {data !== null && places !== null && <GapLine race={data} places={places} series={series} view={view} />}
      </Card>
    </div>
  )
}

const GAP_PX = 170
/** Pixels at least for a mark of either axis. */
const [MARK_X_PX, MARK_Y_PX] = [58, 26]

interface GapLineProps extends Parts<'series' | 'view'> {
  readonly race: GhostRace
  readonly places: GhostPlaces
}

/** The gap over the distance, ahead is up. Shares its cursor with charts and map. */
function GapLine({ race, places, series, view }: GapLineProps) {
  const units = useUnits()
  const { distanceM, gapS } = race.places
  const [fromM, toM] = [distanceM[0]!, distanceM.at(-1)!]
  const [least, most] = [Math.min(-1, ...gapS), Math.max(1, ...gapS)]
  const inner = GAP_PX - 34 - 2 * INSET
  const marks = ticksBetween(least, most, clockStep(most - least, inner / MARK_Y_PX))
  const shareOf = (metres: number) => Math.max(0, Math.min(1, (metres - fromM) / Math.max(1, toM - fromM)))
  const y = (gap: number) => INSET + ((gap - least) / (most - least)) * inner
  const step = Math.max(1, Math.round(series.n / 100))
  /** Round distances, the last one with its unit. */
  const alongTicks = (width: number) => {
    const { values, labels, unit } = axisTicks('distance', [fromM, toM], { most: width / MARK_X_PX, units })
    return values.map((metres, k) => [metres, k === values.length - 1 ? `${labels[k]} ${unit}` : labels[k]] as const)
  }
  return (
    <Plot
      class="gap-line"
      label={`Gap over the distance, at most ${duration(Math.max(-least, most))}. Arrow keys go along it`}
      height={GAP_PX}
      left={52}
      count={series.n}
      cursor={view.cursor}
      steps={keySteps(step, 9 * step)}
      textAt={(row) => `${gapText(places.gapAt(row))} at ${text(distance(series.distanceM![row]!, units))}`}
      caption={(row) => row === null && 'Above 0 you’re ahead'}
      shareOf={(row) => shareOf(series.distanceM![row]!)}
      of={[race, units]}
      draw={({ x, width }) => (
        <>
          {marks.map((gap) => (
            <Level key={gap} y={y(gap)} text={gap === 0 ? '0' : signedTime(-gap)} isBase={gap === 0} />
          ))}
          <path class="line" d={linePath(gapS.map((gap, k) => [x(shareOf(distanceM[k]!)), y(gap)] as const))} />
          {alongTicks(width).map(([metres, label]) => (
            <text key={metres} class="tick" x={x(shareOf(metres))} y={GAP_PX - 8} text-anchor="middle">
              {label}
            </text>
          ))}
        </>
      )}
    />
  )
}

/** Ranks with a medal. */
const MEDALS = 3

/** The best efforts of the run with their places and ranks. */
export function EffortsTable({
  runId,
  efforts,
  view,
}: Parts<'runId' | 'view'> & { readonly efforts: readonly Effort[] }) {
  const units = useUnits()
  const { data } = useResource(`/workouts/${runId}/best-efforts`)
  return (
    <Card title="Best efforts in this run" class="run-efforts">
      <table class="run-table run-best pointing">
        <thead>
          <tr>
            {[TERMS.distance, TERMS.time, TERMS.pace, 'Rank', <span class="hidden-text">Your correction</span>].map(
              (head, k) => (
                <th key={k} scope="col">
                  {head}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {efforts.map((effort) => {
            const section = { fromS: effort.startS, toS: effort.endS }
            const ranked = data?.distances.find(({ distanceM }) => distanceM === effort.distanceM) ?? null
            return (
              <tr key={effort.distance} {...sectionHandlers(view, section)}>
                <th scope="row">
                  <ZoomButton name={distanceName(effort.distance)} section={section} view={view} />
                </th>
                <td>
                  <strong>{duration(effort.timeMs / 1000)}</strong>
                </td>
                <td>{text(pace(effort.timeMs / effort.distanceM, units))}</td>
                <td>{ranked !== null && data !== null && <Standing effort={ranked} year={data.year} />}</td>
                <td>{ranked !== null && <Word runId={runId} effort={ranked} />}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Card>
  )
}

function Standing({ effort, year }: { readonly effort: RankedEffort; readonly year: number }) {
  const refusal = whyNot(effort)
  if (refusal !== null) return <span class="muted">{refusal}</span>
  const [first, ...others] = standing(effort, year)
  if (first === undefined) return null
  const { rankEver: place, distanceM, best } = effort
  const more = [...others, ...(best === null ? [] : [`your best ${bestText(effort)}`])].join(', ')
  const words = effort.isUnconfirmed ? `${first}, unconfirmed` : first
  const leading = (
    <Link href={`/app/bests?distance=${distanceM}`} title={more}>
      {words}
      {first.startsWith('+') && <span class="hidden-text"> off your best</span>}
    </Link>
  )
  return place !== null && place <= MEDALS ? <Medal place={place}>{leading}</Medal> : leading
}

/** The runner's decision on an effort, offered where it has an effect. */
function Word({ runId, effort }: { readonly runId: string; readonly effort: RankedEffort }) {
  const { isBusy, act } = useAction(TERMS.notSaved)
  const say = (isRecord: boolean | null, said: string) =>
    act(async () => {
      await api.send('PATCH', `/workouts/${runId}/best-efforts/${effort.distanceM}`, { isRecord })
      toast(said)
    })
  const { isRecord, isPlausible, isUnconfirmed } = effort
  const name = distanceName(effort.distance)
  const items = [
    ...(isRecord !== false
      ? [{ text: 'Not a record', onChoose: () => void say(false, `${name} doesn’t count as a record`) }]
      : []),
    ...(isRecord === false || ((!isPlausible || isUnconfirmed) && isRecord === null)
      ? [{ text: 'Count it', onChoose: () => void say(true, `${name} counts`) }]
      : []),
    ...(isRecord !== null
      ? [{ text: 'Remove correction', onChoose: () => void say(null, `${name}: correction removed`) }]
      : []),
  ]
  if (isBusy) return null
  return <Menu label={`Your correction for ${name}`} items={items} buttonClass="button quiet icon-only small" />
}

/** Asks once whether the efforts of a run that are much faster than all others count. */
export function UnconfirmedEfforts({ runId }: { readonly runId: string }) {
  const { data } = useResource(`/workouts/${runId}/best-efforts`)
  const { isBusy, act } = useAction(TERMS.notSaved)
  const asked = data?.distances.filter(({ isUnconfirmed }) => isUnconfirmed) ?? []
  if (asked.length === 0) return null
  const decide = (efforts: boolean) =>
    act(async () => {
      const receiptId = await api.change('PATCH', `/workouts/${runId}`, { efforts })
      toastDone(efforts ? 'Counted as records' : 'Not counted as records', [receiptId])
    })
  return (
    <Notice>
      {countQuestion(asked)}{' '}
      <Button size="small" disabled={isBusy} onClick={() => void decide(true)}>
        {asked.length === 1 ? 'Count it' : 'Count them'}
      </Button>{' '}
      <Button kind="quiet" size="small" disabled={isBusy} onClick={() => void decide(false)}>
        Don’t count
      </Button>
    </Notice>
  )
}
