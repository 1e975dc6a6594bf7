import { TableView } from '../../charts/table-view.tsx'
import { counted, distanceName, duration, number, pace, text } from '../../format.ts'
import { reasonWords } from '../../reason-words.ts'
import { Link } from '../../router.ts'
import { useResource, useUnits } from '../../state.ts'
import type { Estimate, Predictions } from '../../types.ts'
import { Card } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Pending } from '../../ui/empty.tsx'
import { Help } from '../../ui/help.tsx'
import { TERMS } from '../../words.ts'
import { offsetQuery } from '../stats.ts'
import { AboutEstimate, bandWords, confidenceWords } from './estimate.tsx'

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
      <p class="muted small">
        Confidence:{' '}
        {known.map(({ distance, time }) => `${distanceName(distance)} ${time.confidence ?? 'unknown'}`).join(', ')}.{' '}
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
  const others = all.filter((reason) => reason !== 'noRace')
  const why = others.length === 0 ? '' : `Wider because: ${reasonWords(others)}. `
  return all.includes('noRace') ? `${why}A race result would narrow the range.` : why.trim()
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
