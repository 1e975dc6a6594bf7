import { counted, duration, number, pace, text } from '../../format.ts'
import { reasonWords } from '../../reason-words.ts'
import { Link } from '../../router.ts'
import { useResource, useUnits } from '../../state.ts'
import type { Estimate, Predictions } from '../../types.ts'
import { Card } from '../../ui/card.tsx'
import { LoadFailure } from '../../ui/empty.tsx'
import { Help } from '../../ui/help.tsx'
import { Skeleton } from '../../ui/spinner.tsx'
import { offsetQuery } from '../stats.ts'
import { AboutEstimate, bandWords, confidenceWords } from './estimate.tsx'
import { TableView } from './table-view.tsx'

const HOUR_S = 3600
/** Most excluded efforts that are listed. */
const MOST_OTHERS = 6

/** Predicted race times with their bands, and the efforts that they are based on. */
export function RacesCard() {
  const { data, error, reload } = useResource<Predictions>(`/training/predictions?${offsetQuery()}`)
  return (
    <Card
      title="Race times"
      aside={
        <Help about="a predicted time">
          What your hard efforts of the last 90 days would mean at other distances on a flat course, fresh and on a good
          day. Two in ten races fall outside of the band, and it widens away from the distances that you ran.
        </Help>
      }
    >
      {data === null ? (
        error === null ? (
          <Skeleton height="260px" />
        ) : (
          <LoadFailure message={error.message} onRetry={reload} />
        )
      ) : (
        <Races data={data} />
      )}
    </Card>
  )
}

function Races({ data: { predictions, efforts, exponent, endurance } }: { readonly data: Predictions }) {
  const units = useUnits()
  const known = predictions.filter(({ time }) => time.value !== null)
  const first = predictions[0]?.time
  if (known.length === 0) {
    return (
      <>
        <p>Race times need a race or another hard effort between a mile and a marathon; none is known yet.</p>
        {first !== undefined && <AboutEstimate of={first} />}
      </>
    )
  }
  const widest = Math.max(...known.map(({ time }) => reach(time)), 0.01)
  const used = efforts.filter((effort) => effort.used)
  const others = efforts.filter((effort) => !effort.used).toSorted((a, b) => b.vdot - a.vdot)
  return (
    <>
      <table class="training-table races">
        <caption class="hidden-text">Predicted race times</caption>
        <thead>
          <tr>
            <th scope="col">Distance</th>
            <th scope="col">Time</th>
            <th scope="col">8 in 10 between</th>
            <th scope="col">Pace</th>
          </tr>
        </thead>
        <tbody>
          {known.map(({ distance, time, paceS }) => (
            <tr key={distance}>
              <th scope="row">{distance}</th>
              <td>
                <strong>{roundTime(time.value)}</strong>
              </td>
              <td>
                {roundTime(time.low)} – {roundTime(time.high)}
                <Band of={time} widest={widest} />
              </td>
              <td>{text(pace(paceS, units))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="muted small">
        Confidence: {known.map(({ distance, time }) => `${distance} ${time.confidence ?? 'not known'}`).join(', ')}.{' '}
        {whyNot(known.flatMap(({ time }) => time.reasons))}
      </p>
      <details class="table-view">
        <summary>Made of {counted(used.length, 'effort')}</summary>
        <ul>
          {used.map((effort) => (
            <EffortLine key={effort.workoutId} effort={effort} />
          ))}
          {others.slice(0, MOST_OTHERS).map((effort) => (
            <EffortLine key={`${effort.workoutId} ${effort.distance}`} effort={effort} />
          ))}
        </ul>
        {others.length > MOST_OTHERS && (
          <p class="muted small">{counted(others.length - MOST_OTHERS, 'slower effort')} more are left out.</p>
        )}
      </details>
      <TableView
        summary="What other models say"
        caption="The same distances by other models, none of which is averaged in"
        heads={['Distance', 'VDOT', 'Riegel', 'Cameron', 'Log']}
        rows={() =>
          predictions.map(({ distance, others }) => [
            distance,
            ...[others.vdot, others.riegel, others.cameron, others.log].map(roundTime),
          ])
        }
      />
      {exponent.value !== null && (
        <p class="small">
          Your times grow with the distance to the power of {bandWords(exponent, (value) => number(value, 3))}; 1.06 is
          usual. {confidenceWords(exponent)}
        </p>
      )}
      {endurance.value !== null && (
        <p class="small">
          By the log model you hold 90 % of your six-minute speed {bandWords(endurance, (value) => number(value, 1))}{' '}
          times as long as six minutes. {confidenceWords(endurance)}
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
        {distance} in {duration(timeMs / 1000)}
      </Link>
      , {daysAgo(ageDays)}, VDOT {number(vdot, 1)}
      {!used && ` (left out${reason === null ? '' : `: ${reasonWords([reason])}`})`}
    </li>
  )
}

/** Each reason once, as a sentence. */
function whyNot(reasons: readonly string[]): string {
  return reasons.length === 0 ? '' : `Not surer because: ${reasonWords([...new Set(reasons)])}.`
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
