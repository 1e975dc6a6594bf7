import { api } from '../../api.ts'
import { TableView } from '../../charts/table-view.tsx'
import { capitalised, counted, distanceName, duration, number, pace, text } from '../../format.ts'
import { reasonWords } from '../../reason-words.ts'
import { Link } from '../../router.ts'
import { useResource, useUnits } from '../../state.ts'
import type { Estimate, Predictions } from '../../types.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Pending } from '../../ui/empty.tsx'
import { Help } from '../../ui/help.tsx'
import { attempt } from '../../use-action.ts'
import { TERMS } from '../../words.ts'
import { offsetQuery } from '../stats.ts'
import { AboutEstimate, bandWords, confidenceWords, MAX_MISSING } from './estimate.tsx'

const HOUR_S = 3600
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

/** Rounded to 5 s below an hour, to 10 s above, since the band is wider than that. */
export function roundTime(seconds: number | null): string {
  if (seconds === null) return duration(null)
  const step = seconds < HOUR_S ? 5 : 10
  return duration(Math.round(seconds / step) * step)
}

function daysAgo(days: number): string {
  return days === 0 ? 'today' : `${counted(days, 'day')} ago`
}
