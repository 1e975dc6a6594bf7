import { counted, distance, duration, number, pace, text, type Units } from '../../format.ts'
import { reasonWords } from '../../reason-words.ts'
import { Link } from '../../router.ts'
import { useResource, useUnits } from '../../state.ts'
import type { CriticalSpeed } from '../../types.ts'
import { Card } from '../../ui/card.tsx'
import { LoadFailure } from '../../ui/empty.tsx'
import { Help } from '../../ui/help.tsx'
import { Skeleton } from '../../ui/spinner.tsx'
import { offsetQuery } from '../stats.ts'
import { AboutEstimate, bandWords, confidenceWords } from './estimate.tsx'
import { TableView } from './table-view.tsx'

/** Critical speed, or why it cannot be computed. */
export function CriticalSpeedCard() {
  const { data, error, reload } = useResource<CriticalSpeed>(`/training/critical-speed?${offsetQuery()}`)
  return (
    <Card
      title="Critical speed"
      aside={
        <Help about="critical speed">
          The speed between what can be held for long and what cannot, and D′, the metres that can be run above it. It
          takes all-out efforts of 2 to 30 minutes from at least two runs, the longest three times as long as the
          shortest; most runners lack them, and then it is not told. Nothing else here rests on it.
        </Help>
      }
    >
      {data === null ? (
        error === null ? (
          <Skeleton height="120px" />
        ) : (
          <LoadFailure message={error.message} onRetry={reload} />
        )
      ) : (
        <Body data={data} />
      )}
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
          It cannot be told: {reasonWords(reasons)}.{missing !== null && ` ${missing}.`}
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
          summary={`The fastest efforts of the last 90 days: ${counted(best.length, 'distance')}`}
          caption="Efforts for critical speed"
          heads={['Distance', 'Time', 'Pace', 'Counts']}
          rows={() =>
            best.map(({ workoutId, distanceM, timeMs, used }) => [
              <Link key={workoutId} href={`/app/runs/${workoutId}`}>
                {text(distance(distanceM, units))}
              </Link>,
              duration(timeMs / 1000),
              text(pace(timeMs / distanceM, units)),
              used ? 'yes' : 'no: another is faster for longer, or its time is not 2 to 30 minutes',
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
  return low === null || high === null ? shown(value) : `${shown(value)} (${shown(high)} to ${shown(low)})`
}

/** The fastest effort of each distance, shortest first. */
function fastest(points: CriticalSpeed['points']): CriticalSpeed['points'] {
  const of = new Map<number, CriticalSpeed['points'][number]>()
  for (const point of points) {
    if (point.timeMs < (of.get(point.distanceM)?.timeMs ?? Number.POSITIVE_INFINITY)) of.set(point.distanceM, point)
  }
  return [...of.values()].toSorted((a, b) => a.distanceM - b.distanceM)
}
