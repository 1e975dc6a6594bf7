import { attempt } from '../../actions.ts'
import { api } from '../../api.ts'
import { DayAxis, Dot, Levels, Plot, scaleOf, TableView } from '../../charts/plot.tsx'
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
import { Loaded } from '../../ui/loaded.tsx'
import { Help } from '../../ui/menu.tsx'
import { reasonWords, TERMS } from '../../words.ts'
import { offsetQuery } from '../stats.ts'
import { AboutEstimate, bandWords, confidenceWords, MAX_MISSING } from './cards.tsx'
import { roundTime } from './words.ts'

/** Race performance, and the runs that it follows from. */
export function FitnessView() {
  const predictions = useResource(`/training/predictions?${offsetQuery()}`)
  const vo2max = useResource(`/training/vo2max?${offsetQuery()}`)
  const zones = useResource(`/training/zones?${offsetQuery()}`)
  return (
    <>
      <Card
        title="Race predictions"
        aside={
          <Help about="a race prediction">
            What your runs, races and hard efforts mean over a distance: on a flat course, rested, on a good day. 1 race
            in 5 falls outside the range. A race makes it narrower, most of all over that distance.
          </Help>
        }
      >
        <Loaded of={predictions} height="260px">
          {(data) => <Races data={data} />}
        </Loaded>
      </Card>
      <Card
        title="VO2max"
        aside={
          <Help about="VO2max">
            One number for how fast you are, in ml/kg/min, from all your runs: pace at your heart rate, races and hard
            efforts. It’s what your times are worth on the scale of Daniels, not what a laboratory measures. Races make
            it more certain. The range is an 80% range.
          </Help>
        }
      >
        <Loaded of={vo2max} height="330px">
          {(data) => <Vo2maxBody data={data} />}
        </Loaded>
      </Card>
      <Card title="Pace zones">
        <Loaded of={zones} height="260px">
          {(data) => <Zones data={data} />}
        </Loaded>
      </Card>
    </>
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
              rows={() => left.map((point) => [date(point.date, 'short'), number(point.value, 1), whyExcluded(point)])}
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

function Zones({ data: { zones, targets, bordersSetByRunner: areOwn, vdot } }: { readonly data: PaceZones }) {
  const units = useUnits()
  const paceText = (paceS: number | null) => text(pace(paceS, units))
  const targetOf = {
    easy: null,
    marathon: targets.marathonPaceS,
    threshold: targets.thresholdPaceS,
    interval: targets.intervalPaceS,
    repetition: targets.repetitionPaceS,
  }
  const limits = zones.flatMap(({ fromPaceS, toPaceS }) => [fromPaceS, toPaceS]).filter((paceS) => paceS !== null)
  // a zone's place is on a scale of all speeds, on which open ends extend a little
  const [slowest, fastest] = [1 / Math.max(...limits), 1 / Math.min(...limits)]
  const margin = 0.15 * (fastest - slowest)
  const place = (paceS: number | null, end: number) =>
    (100 * ((paceS === null ? end : 1 / paceS) - slowest + margin)) / (fastest - slowest + 2 * margin)
  return (
    <>
      {limits.length > 0 && (
        <>
          <DataTable
            class="data-table zones-ladder"
            caption="Pace zones with training paces"
            heads={['Zone', 'Slower to faster', 'Range', 'Typical']}
            rows={zones.map(({ name, fromPaceS, toPaceS }) => [
              capitalised(name),
              <Band from={place(fromPaceS, slowest - margin)} to={place(toPaceS, fastest + margin)} />,
              between(fromPaceS, toPaceS, paceText),
              targetOf[name] === null ? '' : paceText(targetOf[name]),
            ])}
          />
          <p class="muted small">{areOwn ? 'You set these limits.' : 'Based on the VDOT above.'}</p>
        </>
      )}
      {!areOwn && <AboutEstimate of={vdot} />}
    </>
  )
}

/** A span of a scale from 0 to 100. */
function Band({ from, to }: { readonly from: number; readonly to: number }) {
  const width = Math.max(1, to - from)
  return (
    <svg class="race-band" height={5} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect fill="var(--strip3)" stroke="var(--strip3)" x={from} width={width} height={6} rx={1} />
    </svg>
  )
}

function between(slow: number | null, fast: number | null, shown: (paceS: number | null) => string): string {
  if (slow === null) return fast === null ? '' : `slower than ${shown(fast)}`
  return fast === null ? `faster than ${shown(slow)}` : `${shown(slow)}–${shown(fast)}`
}

const HEIGHT = 220
const TOP = 12
const BOTTOM = 26
type Week = Vo2max['weeks'][number] & { readonly value: number; readonly low: number; readonly high: number }

/** The VDOT at the end of each week with its band, and the runs that it is computed from. */
function Vo2maxChart({ weeks, points }: Pick<Vo2max, 'weeks' | 'points'>) {
  // the caller has a week with a value
  const [first, last] = [weeks[0]!.weekStart, weeks.at(-1)!.weekStart]
  const start = dayNumber(first)
  const end = dayNumber(last) + 7
  const known = weeks.filter((week): week is Week => week.value !== null && week.low !== null && week.high !== null)
  const inSight = points.filter((point) => dayNumber(point.date) >= start)
  const values = [...known.flatMap(({ low, high }) => [low, high]), ...inSight.map(({ value }) => value)]
  const { y, marks } = scaleOf(values, {
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
      textAt={(place) => weekWords(weeks[place]!)}
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
            <DayAxis from={first} to={shiftedDay(last, 6)} x={(day) => x(shareOf(day))} />
          </>
        )
      }}
    />
  )
}

/** A run: a diamond for a race, hollow where it is excluded. */
function Run({ point, x, y }: { readonly point: Vo2max['points'][number]; readonly x: number; readonly y: number }) {
  const { source, used, date: day, value } = point
  const title = `${date(day, 'short')}: ${number(value, 1)}${used ? '' : `, excluded: ${whyExcluded(point)}`}`
  if (source !== 'race') return <Dot x={x} y={y} isHollow={!used} title={title} />
  return (
    <path
      class="tc-dot"
      style={{ fill: used ? '' : 'var(--surface)' }}
      d={`M${x} ${y - 4.5}l4.5 4.5l-4.5 4.5l-4.5 -4.5Z`}
    >
      <title>{title}</title>
    </path>
  )
}

function whyExcluded({ reason }: Vo2max['points'][number]): string {
  return reason === null ? 'outlier' : reasonWords([reason])
}

function weekWords({ weekStart, value, low, high, n }: Vo2max['weeks'][number]): string {
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
function Races({ data: { predictions, efforts, exponent, endurance } }: { readonly data: Predictions }) {
  const units = useUnits()
  const known = predictions.filter(({ time }) => time.value !== null)
  const first = predictions[0]?.time
  if (known.length === 0) return first === undefined ? null : <AboutEstimate of={first} />
  // all bands have one scale
  const widest = Math.max(...known.flatMap(({ time }) => reaches(time)), 0.01)
  const lowest = RANKED.find((one) => known.some(({ time }) => time.confidence === one))
  const bold = known.find(({ fasterThanResults }) => fasterThanResults)
  const used = efforts.filter((effort) => effort.used)
  const others = efforts.filter((effort) => !effort.used).toSorted((a, b) => b.vdot - a.vdot)
  return (
    <>
      <DataTable
        class="data-table races"
        caption="Predicted race times"
        heads={[TERMS.distance, TERMS.time, '80% range', TERMS.pace]}
        rows={known.map(({ distance, time, paceS }) => {
          const [below, above] = reaches(time).map((share) => (50 * share) / widest)
          return [
            distanceName(distance),
            <strong>{roundTime(time.value)}</strong>,
            <>
              {roundTime(time.low)}–{roundTime(time.high)}
              <Band from={50 - below!} to={50 + above!} />
            </>,
            text(pace(paceS, units)),
          ]
        })}
      />
      <SlowRaces efforts={efforts} />
      {bold !== undefined && (
        <p>
          The {distanceName(bold.distance)} prediction is faster than every result of the last year: it rests on{' '}
          {listed(bold.time.basis.flatMap((basis) => BASIS[basis] ?? []))}.
        </p>
      )}
      <p class="muted small">
        {lowest === undefined ? 'Unknown' : capitalised(lowest)} confidence.{' '}
        {whyNot(known.flatMap(({ time }) => time.reasons))}
      </p>
      <details class="table-view above-3 small">
        <summary>Races and hard efforts that count: {number(used.length)}</summary>
        <ul>
          {[...used, ...others.slice(0, MOST_OTHERS)].map((effort) => (
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

const RANKED = ['low', 'medium', 'high'] as const

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
      , {ageDays === 0 ? 'today' : `${counted(ageDays, 'day')} ago`}, VDOT {number(vdot, 1)}
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

/** The ends of a band around its value, as shares of it; a missing one has no width. */
function reaches({ value, low, high }: Estimate): readonly [below: number, above: number] {
  return value === null || low === null || high === null ? [0, 0] : [(value - low) / value, (high - value) / value]
}
