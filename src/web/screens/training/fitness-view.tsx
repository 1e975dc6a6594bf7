import { attempt } from '../../actions.ts'
import { api } from '../../api.ts'
import { DayAxis, Levels, Plot, scaleOf, TableView } from '../../charts/plot.tsx'
import { bandPath, linePath } from '../../charts/scale.ts'
import {
  capitalised,
  counted,
  date,
  dayNumber,
  distanceName,
  duration,
  number,
  pace,
  range,
  shiftedDay,
  text,
} from '../../format.ts'
import { Link } from '../../router.ts'
import { useResource, useUnits } from '../../state.ts'
import type { Estimate, PaceZones, Predictions, Vo2max } from '../../types.ts'
import { Button } from '../../ui/button.tsx'
import { Card, DataTable, Facts } from '../../ui/card.tsx'
import { Pending } from '../../ui/loaded.tsx'
import { Help } from '../../ui/menu.tsx'
import { reasonWords, TERMS } from '../../words.ts'
import { offsetQuery } from '../stats.ts'
import { AboutEstimate, bandWords, confidenceWords, MAX_MISSING } from './cards.tsx'
import { roundTime } from './words.ts'

/** Race performance, and the runs that it follows from. */
export function FitnessView() {
  return (
    <>
      <RacesCard />
      <Vo2maxCard />
      <ZonesCard />
    </>
  )
}

function Vo2maxCard() {
  const { data, error } = useResource(`/training/vo2max?${offsetQuery()}`)
  return (
    <Card
      title="VO2max"
      aside={
        <Help about="VO2max">
          One number for how fast you are, in ml/kg/min, from all your runs: pace at your heart rate, races and hard
          efforts. It’s what your times are worth on the scale of Daniels, not what a laboratory measures. Races make it
          more certain. The range is an 80% range.
        </Help>
      }
    >
      {data === null ? <Pending error={error} height="330px" /> : <Vo2maxBody data={data} />}
    </Card>
  )
}

function Vo2maxBody({ data }: { readonly data: Vo2max }) {
  const { vdot, fitness, weeks, points } = data
  const left = points.filter(({ used }) => !used)
  return (
    <>
      <Facts of={[['VDOT', bandWords(vdot, number)]]} />
      <AboutEstimate of={vdot} />
      {fitness !== null && <p class="muted small">{basisText(fitness.rows)}</p>}
      {weeks.some(({ value }) => value !== null) && (
        <>
          <Vo2maxChart weeks={weeks} points={points} />
          <p class="muted small">
            Line: weekly value with its range. Filled dots: runs that count. Diamonds: races. Hollow dots: excluded
            runs.
          </p>
          <TableView
            caption="VDOT by week"
            heads={['Week of', 'Value', 'Low', 'High', 'Runs']}
            rows={() =>
              weeks
                .toReversed()
                .map((week) => [
                  date(week.weekStart, 'short'),
                  number(week.value, 1),
                  number(week.low, 1),
                  number(week.high, 1),
                  number(week.n),
                ])
            }
          />
          {left.length > 0 && (
            <TableView
              summary="Excluded runs and why"
              caption="Excluded runs"
              heads={['Day', 'Value', 'Reason']}
              rows={() =>
                left.map((point) => [
                  date(point.date, 'short'),
                  number(point.value, 1),
                  point.reason === null ? 'outlier' : reasonWords([point.reason]),
                ])
              }
            />
          )}
        </>
      )}
    </>
  )
}

/** What the estimate rests on, such as "From 2 races and 81 runs." */
function basisText({ H, P, R, E }: NonNullable<Vo2max['fitness']>['rows']): string {
  const parts = [
    ...(R > 0 ? [counted(R, 'race')] : []),
    ...(H + P > 0 ? [counted(H + P, 'run')] : []),
    ...(R === 0 && E > 0 ? [counted(E, 'hard effort')] : []),
  ]
  const only = R === 0 && H + P === 0 ? ' At least this fast.' : ''
  return parts.length === 0 ? '' : `From ${parts.join(' and ')}.${only}`
}

const ZONE_NAMES = {
  easy: 'Easy',
  marathon: 'Marathon',
  threshold: 'Threshold',
  interval: 'Interval',
  repetition: 'Repetition',
} as const

function ZonesCard() {
  const units = useUnits()
  const { data, error } = useResource(`/training/zones?${offsetQuery()}`)
  const paceText = (paceS: number | null) => text(pace(paceS, units))
  if (data === null) {
    return (
      <Card title="Pace zones">
        <Pending error={error} height="260px" />
      </Card>
    )
  }
  const { targets } = data
  const targetOf = {
    easy: null,
    marathon: targets.marathonPaceS,
    threshold: targets.thresholdPaceS,
    interval: targets.intervalPaceS,
    repetition: targets.repetitionPaceS,
  }
  const isKnown = data.zones.some(({ fromPaceS, toPaceS }) => fromPaceS !== null || toPaceS !== null)
  return (
    <Card title="Pace zones">
      {isKnown && (
        <>
          <DataTable
            class="data-table zones-ladder"
            caption="Pace zones with training paces"
            heads={['Zone', 'Slower to faster', 'Range', 'Typical']}
            rows={data.zones.map(({ name, fromPaceS, toPaceS }) => [
              ZONE_NAMES[name],
              <Rung from={fromPaceS} to={toPaceS} zones={data.zones} />,
              between(fromPaceS, toPaceS, paceText),
              targetOf[name] === null ? '' : paceText(targetOf[name]),
            ])}
          />
          <p class="muted small">{data.bordersSetByRunner ? 'You set these limits.' : 'Based on the VDOT above.'}</p>
        </>
      )}
      {!data.bordersSetByRunner && <AboutEstimate of={data.vdot} />}
    </Card>
  )
}

/** A zone's place on a scale of all paces; open ends extend a little. */
function Rung({ from, to, zones }: { from: number | null; to: number | null; zones: PaceZones['zones'] }) {
  const speeds = zones
    .flatMap(({ fromPaceS, toPaceS }) => [fromPaceS, toPaceS])
    .flatMap((paceS) => (paceS === null ? [] : 1 / paceS))
  const [slowest, fastest] = [Math.min(...speeds), Math.max(...speeds)]
  const margin = 0.15 * (fastest - slowest)
  const place = (paceS: number | null, end: number) => {
    const speed = paceS === null ? end : 1 / paceS
    return (100 * (speed - slowest + margin)) / (fastest - slowest + 2 * margin)
  }
  const [left, right] = [place(from, slowest - margin), place(to, fastest + margin)]
  return (
    <svg class="race-band" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect x={left} width={Math.max(1, right - left)} height={6} rx={1} />
    </svg>
  )
}

function between(from: number | null, to: number | null, shown: (paceS: number | null) => string): string {
  const [slow, fast] = [from, to]
  if (slow === null) return fast === null ? '' : `slower than ${shown(fast)}`
  return fast === null ? `faster than ${shown(slow)}` : `${shown(slow)}–${shown(fast)}`
}

const HEIGHT = 220
const TOP = 12
const BOTTOM = 26
type Week = Vo2max['weeks'][number] & { readonly value: number; readonly low: number; readonly high: number }

/** The VDOT at the end of each week with its band, and the runs that it is computed from. */
function Vo2maxChart({ weeks, points }: Pick<Vo2max, 'weeks' | 'points'>) {
  const start = dayNumber(weeks[0]?.weekStart ?? '')
  const end = Math.max(start + 7, dayNumber(weeks.at(-1)?.weekStart ?? '') + 7)
  const known = weeks.filter((week): week is Week => week.value !== null && week.low !== null && week.high !== null)
  const inSight = points.filter((point) => dayNumber(point.date) >= start)
  const values = [...known.flatMap(({ low, high }) => [low, high]), ...inSight.map(({ value }) => value)]
  const { y, marks } = scaleOf(values.length > 0 ? values : [40, 50], {
    top: TOP,
    height: HEIGHT - TOP - BOTTOM,
    steps: [1, 2, 5, 10, 20],
  })
  const shareOf = (day: string, days = 0) => (dayNumber(day) + days - start) / (end - start)
  return (
    <Plot
      label="VDOT by week. Arrow keys move between weeks"
      height={HEIGHT}
      count={weeks.length}
      textAt={(place) => weekWords(weeks[place])}
      shareOf={(place) => shareOf(weeks[place]!.weekStart, 7)}
      of={[weeks, points]}
      draw={({ x }) => {
        const line = (some: readonly Week[], of: 'value' | 'low' | 'high') =>
          some.map((week) => [x(shareOf(week.weekStart, 7)), y(week[of])] as const)
        return (
          <>
            <Levels at={marks} y={y} text={(mark) => number(mark)} />
            {unbroken(known).map((weeks) => (
              <g key={weeks[0]?.weekStart}>
                <path class="band" d={bandPath(line(weeks, 'high'), line(weeks, 'low'))} />
                <path class="line" d={linePath(line(weeks, 'value'))} />
              </g>
            ))}
            {inSight.map((point) => (
              <Run key={point.workoutId} point={point} x={x(shareOf(point.date, 0.5))} y={y(point.value)} />
            ))}
            {weeks.length > 0 && (
              <DayAxis
                from={weeks[0]!.weekStart}
                to={shiftedDay(weeks.at(-1)!.weekStart, 6)}
                x={(day) => x(shareOf(day))}
              />
            )}
          </>
        )
      }}
    />
  )
}

function Run({ point, x, y }: { readonly point: Vo2max['points'][number]; readonly x: number; readonly y: number }) {
  const why = point.used ? '' : `, excluded: ${point.reason === null ? 'outlier' : reasonWords([point.reason])}`
  const shape = point.source === 'race' ? 4.5 : 3
  return (
    <path
      class={point.used ? 'tc-dot' : 'tc-dot hollow'}
      d={
        point.source === 'race'
          ? `M${x} ${y - shape}l${shape} ${shape}l${-shape} ${shape}l${-shape} ${-shape}Z`
          : `M${x - shape} ${y}a${shape} ${shape} 0 1 0 ${2 * shape} 0a${shape} ${shape} 0 1 0 ${-2 * shape} 0Z`
      }
    >
      <title>{`${date(point.date, 'short')}: ${number(point.value, 1)}${why}`}</title>
    </path>
  )
}

function weekWords(week: Vo2max['weeks'][number] | undefined): string {
  if (week === undefined) return ''
  const { weekStart, value, low, high, n } = week
  const day = `Week of ${date(weekStart, 'short')}`
  if (value === null) return `${day}: too few runs`
  return `${day}: ${number(value)} (${range(number(low), number(high))}), ${counted(n, 'run')}`
}

/** Weeks without a value interrupt the line. */
function unbroken(known: readonly Week[]): Week[][] {
  const found: Week[][] = []
  for (const week of known) {
    const last = found.at(-1)
    if (last !== undefined && dayNumber(week.weekStart) - dayNumber(last.at(-1)?.weekStart ?? '') === 7) last.push(week)
    else found.push([week])
  }
  return found
}

/** Most excluded efforts that are listed. */
const MOST_OTHERS = 6

/** Predicted race times with their bands, and the efforts that they are based on. */
export function RacesCard() {
  const { data, error } = useResource(`/training/predictions?${offsetQuery()}`)
  return (
    <Card
      title="Race predictions"
      aside={
        <Help about="a race prediction">
          What your runs, races and hard efforts mean over a distance: on a flat course, rested, on a good day. 1 race
          in 5 falls outside the range. A race makes it narrower, most of all over that distance.
        </Help>
      }
    >
      {data === null ? <Pending error={error} height="260px" /> : <Races data={data} />}
    </Card>
  )
}

function Races({ data: { predictions, efforts, exponent, endurance } }: { readonly data: Predictions }) {
  const units = useUnits()
  const known = predictions.filter(({ time }) => time.value !== null)
  const first = predictions[0]?.time
  if (known.length === 0) return first === undefined ? null : <AboutEstimate of={first} />
  const widest = Math.max(...known.map(({ time }) => reach(time)), 0.01)
  const bold = known.find(({ fasterThanResults }) => fasterThanResults)
  const used = efforts.filter((effort) => effort.used)
  const others = efforts.filter((effort) => !effort.used).toSorted((a, b) => b.vdot - a.vdot)
  return (
    <>
      <DataTable
        class="data-table races"
        caption="Predicted race times"
        heads={[TERMS.distance, TERMS.time, '80% range', TERMS.pace]}
        rows={known.map(({ distance, time, paceS }) => [
          distanceName(distance),
          <strong>{roundTime(time.value)}</strong>,
          <>
            {roundTime(time.low)}–{roundTime(time.high)}
            <Band of={time} widest={widest} />
          </>,
          text(pace(paceS, units)),
        ])}
      />
      <SlowRaces efforts={efforts} />
      {bold !== undefined && (
        <p>
          The {distanceName(bold.distance)} prediction is faster than every result of the last year: it rests on{' '}
          {listed(bold.time.basis.flatMap((basis) => BASIS[basis] ?? []))}.
        </p>
      )}
      <p class="muted small">
        {capitalised(lowest(known.map(({ time }) => time.confidence)))} confidence.{' '}
        {whyNot(known.flatMap(({ time }) => time.reasons))}
      </p>
      <details class="table-view above-3 small">
        <summary>Races and hard efforts that count: {number(used.length)}</summary>
        <ul>
          {used.map((effort) => (
            <EffortLine key={effort.workoutId} effort={effort} />
          ))}
          {others.slice(0, MOST_OTHERS).map((effort) => (
            <EffortLine key={`${effort.workoutId} ${effort.distance}`} effort={effort} />
          ))}
        </ul>
        {others.length > MOST_OTHERS && (
          <p class="muted small">{counted(others.length - MOST_OTHERS, 'slower effort')} not shown.</p>
        )}
      </details>
      <TableView
        summary="Other models"
        caption="The same distances by other models (not included in the prediction)"
        heads={[TERMS.distance, 'VDOT', 'Riegel', 'Cameron', 'Log']}
        rows={() =>
          predictions.map(({ distance, others }) => [
            distanceName(distance),
            ...[others.vdot, others.riegel, others.cameron, others.log].map(roundTime),
          ])
        }
      />
      {exponent.value !== null && (
        <p class="small">
          Your fatigue factor: {bandWords(exponent, (value) => number(value, 2))} (typical: 1.06, Riegel).{' '}
          {confidenceWords(exponent)}
        </p>
      )}
      {endurance.value !== null && (
        <p class="small">
          By the log model you can hold 90% of your six-minute speed for{' '}
          {bandWords(endurance, (value) => number(6 * value))} min. {confidenceWords(endurance)}
        </p>
      )}
    </>
  )
}

type Effort = Predictions['efforts'][number]

/** What a prediction rests on. */
const BASIS: Readonly<Record<string, string>> = {
  race: 'your races',
  heartRate: 'your pace at your heart rate',
  pace: 'the pace of your easy runs',
  effort: 'your hard efforts',
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

const RANKED = ['low', 'medium', 'high'] as const

function lowest(all: readonly Estimate['confidence'][]): string {
  return RANKED.find((one) => all.includes(one)) ?? 'unknown'
}

/** Races that count although they were clearly slower than training suggests; the runner may leave one out. */
export function SlowRaces({ efforts }: { readonly efforts: readonly Effort[] }) {
  const leave = (id: string) =>
    attempt(() => api.send('PATCH', `/workouts/${id}`, { excludeFromEstimates: true }), TERMS.notSaved)
  return efforts.map(({ workoutId, distance, timeMs, suggestedTimeMs }) => {
    if (suggestedTimeMs === null) return null
    const race = `${distanceName(distance)} in ${duration(timeMs / 1000)}`
    return (
      <p key={workoutId} class="flow">
        <span>
          Your <Link href={`/app/runs/${workoutId}`}>{race}</Link> is slower than training suggests (about{' '}
          {roundTime(suggestedTimeMs / 1000)}). It counts.
        </span>
        <Button size="small" aria-label={`Leave it out: ${race}`} onClick={() => void leave(workoutId)}>
          Leave it out
        </Button>
      </p>
    )
  })
}

function EffortLine({ effort }: { readonly effort: Effort }) {
  const { workoutId, distance, timeMs, ageDays, vdot, used, reason } = effort
  return (
    <li>
      <Link href={`/app/runs/${workoutId}`}>
        {distanceName(distance)} in {duration(timeMs / 1000)}
      </Link>
      , {daysAgo(ageDays)}, VDOT {number(vdot, 1)}
      {!used && ` (excluded${reason === null ? '' : `: ${reasonWords([reason])}`})`}
    </li>
  )
}

/** What makes the ranges wide, each reason once; a missing race is something that can be changed. */
function whyNot(reasons: readonly string[]): string {
  const all = [...new Set(reasons)]
  const others = all.filter((reason) => reason !== 'noRace' && reason !== 'defaultMaxHeartRate')
  const max = all.includes('defaultMaxHeartRate') ? `${MAX_MISSING} ` : ''
  const why = others.length === 0 ? '' : `Wider because: ${reasonWords(others)}. `
  return `${why}${max}${all.includes('noRace') ? 'A race result would narrow the range.' : ''}`.trim()
}

/** Half width of the band, as a share of the time. */
function reach({ value, low, high }: Estimate): number {
  if (value === null || low === null || high === null) return 0
  return Math.max(high - value, value - low) / value
}

/** The band around the time; all bands have one scale. */
function Band({ of: { value, low, high }, widest }: { readonly of: Estimate; readonly widest: number }) {
  if (value === null || low === null || high === null) return null
  const place = (seconds: number) => 50 + ((seconds - value) / value / widest) * 50
  return (
    <svg class="race-band" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect x={place(low)} width={place(high) - place(low)} height={6} rx={1} />
      <path d="M50 0v6" />
    </svg>
  )
}

function daysAgo(days: number): string {
  return days === 0 ? 'today' : `${counted(days, 'day')} ago`
}
