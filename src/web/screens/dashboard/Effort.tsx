import { EffortBand } from '../../charts/EffortBand.tsx'
import { number } from '../../format.ts'
import { useResource } from '../../state.ts'
import type { RelativeEffort } from '../../types.ts'
import { Card } from '../../ui/Card.tsx'
import { LoadFailure } from '../../ui/Empty.tsx'
import { Skeleton } from '../../ui/Spinner.tsx'
import { offsetQuery, today, weekdayIndex } from '../stats.ts'

/** How hard the week is beside the three before. */
export function EffortCard() {
  const { data, error, reload } = useResource<RelativeEffort>(`/stats/relative-effort?${offsetQuery()}`)
  return (
    <Card title="Relative effort" class="effort">
      {data === null ? (
        error === null ? (
          <Skeleton height="260px" />
        ) : (
          <LoadFailure message={error.message} onRetry={reload} />
        )
      ) : (
        <>
          <p class="effort-sum">
            <strong>{number(data.currentWeekTotal)}</strong>
            <span>{verdict(data)}</span>
          </p>
          <EffortBand stats={data} today={weekdayIndex(today())} />
          <p class="muted small">
            {data.rangeMax === 0 ? 'Heart rate of the last three weeks would show here as a band.' : <Band {...data} />}
          </p>
        </>
      )}
    </Card>
  )
}

function Band({ rangeMin, rangeMax, threeWeekAverage }: RelativeEffort) {
  return (
    <>
      The band spans your last three weeks, {number(rangeMin)} to {number(rangeMax)}; the dashed line is their average,{' '}
      {number(threeWeekAverage, 0)}.
    </>
  )
}

/** One sentence on where the week stands; a week that is not over is measured by what it has so far. */
function verdict({ currentWeekTotal, rangeMin, rangeMax }: RelativeEffort): string {
  if (rangeMax === 0) return currentWeekTotal === 0 ? 'Nothing recorded yet' : 'Your first effort in four weeks'
  if (currentWeekTotal > rangeMax) return 'Above your recent range'
  return currentWeekTotal < rangeMin ? 'Below your recent range so far' : 'Within your recent range'
}
