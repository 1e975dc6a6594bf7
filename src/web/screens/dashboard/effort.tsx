import { EffortBand } from '../../charts/effort-band.tsx'
import { number } from '../../format.ts'
import { useResource } from '../../state.ts'
import type { RelativeEffort } from '../../types.ts'
import { Card } from '../../ui/card.tsx'
import { LoadFailure } from '../../ui/empty.tsx'
import { mondayOf, offsetQuery, today, weekdayIndex } from '../stats.ts'

/** How hard the week is beside the three before. */
export function EffortCard() {
  const { data, error, reload } = useResource<RelativeEffort>(`/stats/relative-effort?${offsetQuery()}`)
  return (
    <Card title="Relative effort" class="effort">
      {data === null ? (
        error === null ? (
          <div class="blank" aria-hidden="true">
            <EffortBody stats={placeholder()} />
          </div>
        ) : (
          <LoadFailure message={error.message} onRetry={reload} />
        )
      ) : (
        <EffortBody stats={data} />
      )}
    </Card>
  )
}

function EffortBody({ stats }: { readonly stats: RelativeEffort }) {
  return (
    <>
      <p class="effort-sum">
        <strong>{number(stats.currentWeekTotal)}</strong>
        <span>{verdict(stats)}</span>
      </p>
      <EffortBand stats={stats} today={weekdayIndex(today())} />
      <p class="muted small">
        {stats.rangeMax === 0 ? 'Heart rate of the last three weeks would show here as a band.' : <Band {...stats} />}
      </p>
    </>
  )
}

/** Stands, unseen, where the answer will be, with a sentence as long: nothing moves when it comes. */
function placeholder(): RelativeEffort {
  const monday = mondayOf(today())
  const sums = { threeWeekAverage: 100, rangeMin: 100, rangeMax: 200, currentWeekTotal: 100 }
  return { weekStart: monday, weekEnd: monday, currentWeek: [], previousWeeks: [], ...sums }
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
