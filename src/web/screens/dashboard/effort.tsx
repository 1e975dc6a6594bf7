import { EffortBand } from '../../charts/effort-band.tsx'
import { mondayOf, weekdayIndex } from '../../days.ts'
import { EFFORT_HELP } from '../../effort-help.ts'
import { counted, number } from '../../format.ts'
import { useResource } from '../../state.ts'
import type { RelativeEffort } from '../../types.ts'
import { Card } from '../../ui/card.tsx'
import { LoadFailure } from '../../ui/empty.tsx'
import { Help } from '../../ui/help.tsx'
import { offsetQuery, today, useDays } from '../stats.ts'
import { type DaySums, sumsOfDays } from './log-sums.ts'

/** The effort of this week compared with the three before. */
export function EffortCard() {
  const { data, ...stats } = useResource<RelativeEffort>(`/stats/relative-effort?${offsetQuery()}`)
  const { days, ...asked } = useDays()
  const error = stats.error ?? asked.error
  const reload = () => {
    stats.reload()
    asked.reload()
  }
  const week = sumsOfDays(days ?? [], mondayOf(today()), today())
  return (
    <Card title="Relative effort" class="effort" aside={<Help about="relative effort">{EFFORT_HELP}</Help>}>
      {data === null || days === null ? (
        error === null ? (
          <div class="blank" aria-hidden="true">
            <EffortBody stats={placeholder()} week={week} />
          </div>
        ) : (
          <LoadFailure message={error.message} onRetry={reload} />
        )
      ) : (
        <EffortBody stats={data} week={week} />
      )}
    </Card>
  )
}

interface EffortBodyProps {
  readonly stats: RelativeEffort
  readonly week: DaySums
}

function EffortBody({ stats, week }: EffortBodyProps) {
  const { runsWithoutEffort: missing } = week
  // an unknown effort is not shown as zero
  const isUnknown = missing > 0 && week.effort === null
  const told = [
    ...(isUnknown ? [] : [verdict(stats)]),
    ...(missing > 0 ? [`${counted(missing, 'run')} without heart rate`] : []),
  ]
  return (
    <>
      <p class="effort-sum">
        <strong>{number(isUnknown ? null : stats.currentWeekTotal)}</strong>
        <span>{told.join(' · ')}</span>
      </p>
      <EffortBand stats={stats} today={weekdayIndex(today())} isUnknown={isUnknown} />
      <p class="muted small">
        {stats.rangeMax === 0 ? 'Heart rate of the last three weeks would show here as a band.' : <Band {...stats} />}
      </p>
    </>
  )
}

/** Invisible content of the usual size, so that nothing moves when the answer arrives. */
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

/** One sentence on the week; an incomplete week is judged by what it has so far. */
function verdict({ currentWeekTotal, rangeMin, rangeMax }: RelativeEffort): string {
  if (rangeMax === 0) return currentWeekTotal === 0 ? 'Nothing recorded yet' : 'Your first effort in four weeks'
  if (currentWeekTotal > rangeMax) return 'Above your recent range'
  return currentWeekTotal < rangeMin ? 'Below your recent range so far' : 'Within your recent range'
}
