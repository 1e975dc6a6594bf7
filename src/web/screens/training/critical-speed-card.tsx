import { TableView } from '../../charts/table-view.tsx'
import { counted, distance, duration, number, pace, range, text, type Units } from '../../format.ts'
import { reasonWords } from '../../reason-words.ts'
import { Link } from '../../router.ts'
import { useResource, useUnits } from '../../state.ts'
import type { CriticalSpeed } from '../../types.ts'
import { Card } from '../../ui/card.tsx'
import { Pending } from '../../ui/empty.tsx'
import { Help } from '../../ui/help.tsx'
import { TERMS } from '../../words.ts'
import { offsetQuery } from '../stats.ts'
import { AboutEstimate, bandWords, confidenceWords } from './estimate.tsx'

/** Critical speed, or why it cannot be computed. */
export function CriticalSpeedCard() {
  const { data, error } = useResource(`/training/critical-speed?${offsetQuery()}`)
  return (
    <Card
      title="Critical speed"
      aside={
        <Help about="critical speed">
          Critical speed is the fastest speed you can sustain. D′ is the distance you can run above it. It needs all-out
          efforts of 2–30 minutes from at least two runs, the longest three times the shortest. No other number uses it.
        </Help>
      }
    >
      {data === null ? <Pending error={error} height="120px" /> : <Body data={data} />}
    </Card>
  )
}

function Body({ data: { criticalSpeed, dPrimeM, points } }: { readonly data: CriticalSpeed }) {
  const units = useUnits()
  const { value, reasons, missing } = criticalSpeed
  const best = fastest(points)
  return (
    <>
      {value === null ? (
        <p>
          Not enough data: {reasonWords(reasons)}.{missing !== null && ` ${missing}.`}
        </p>
      ) : (
        <>
          <dl class="training-facts">
            <div>
              <dt>Critical pace</dt>
              <dd>{paceBand(criticalSpeed, units)}</dd>
            </div>
            <div>
              <dt>D′</dt>
              <dd>{bandWords(dPrimeM, (metres) => `${number(metres)}\u00a0m`)}</dd>
            </div>
          </dl>
          <AboutEstimate of={criticalSpeed} />
          <p class="muted small">D′: {confidenceWords(dPrimeM).toLowerCase()}</p>
        </>
      )}
      {points.length > 0 && (
        <TableView
          summary={`Fastest efforts of the last 90 days: ${counted(best.length, 'distance')}`}
          caption="Efforts for critical speed"
          heads={[TERMS.distance, TERMS.time, TERMS.pace, 'Used']}
          rows={() =>
            best.map(({ workoutId, distanceM, timeMs, used }) => [
              <Link key={workoutId} href={`/app/runs/${workoutId}`}>
                {text(distance(distanceM, units))}
              </Link>,
              duration(timeMs / 1000),
              text(pace(timeMs / distanceM, units)),
              used ? 'yes' : 'no: a longer effort is faster, or not 2–30 min',
            ])
          }
        />
      )}
    </>
  )
}

/** The bounds are swapped, since the higher speed is the lower pace. */
function paceBand({ value, low, high }: CriticalSpeed['criticalSpeed'], units: Units): string {
  const shown = (mps: number) => text(pace(1000 / mps, units))
  if (value === null) return ''
  return low === null || high === null ? shown(value) : `${shown(value)} (${range(shown(high), shown(low))})`
}

/** The fastest effort of each distance, shortest first. */
function fastest(points: CriticalSpeed['points']): CriticalSpeed['points'] {
  const of = new Map<number, CriticalSpeed['points'][number]>()
  for (const point of points) {
    if (point.timeMs < (of.get(point.distanceM)?.timeMs ?? Number.POSITIVE_INFINITY)) of.set(point.distanceM, point)
  }
  return [...of.values()].toSorted((a, b) => a.distanceM - b.distanceM)
}
