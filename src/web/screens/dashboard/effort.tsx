import { EffortBand, type WeekStats } from '../../charts/effort-band.tsx'
import { mondayOf, shiftedDay, weekdayIndex } from '../../days.ts'
import { EFFORT_HELP, LOAD_HELP } from '../../effort-help.ts'
import { counted, number, range } from '../../format.ts'
import type { DailyStats, PageSettings } from '../../types.ts'
import { Card } from '../../ui/card.tsx'
import { LoadFailure } from '../../ui/empty.tsx'
import { Help } from '../../ui/help.tsx'
import { TERMS } from '../../words.ts'
import { today, useDays } from '../stats.ts'
import { type DaySums, sumsOfDays } from './log-sums.ts'

type Day = DailyStats['days'][number]

const WEEKS_BEFORE = [1, 2, 3]

/** The load or relative effort of this week compared with the three before; the other one is in the help. */
export function EffortCard({ kind }: { readonly kind: PageSettings['effort'] }) {
  const { days, error } = useDays()
  const isLoad = kind === 'load'
  const name = isLoad ? TERMS.load : TERMS.relativeEffort
  const monday = mondayOf(today())
  const week = sumsOfDays(days ?? [], monday, today())
  const other = isLoad ? week.effort : week.load
  const help = `${isLoad ? LOAD_HELP : EFFORT_HELP} ${isLoad ? TERMS.relativeEffort : TERMS.load} this week: ${number(other)}. ${isLoad ? EFFORT_HELP : LOAD_HELP}`
  return (
    <Card title={name} class="effort" aside={<Help about={name.toLowerCase()}>{help}</Help>}>
      {days === null && error !== null ? (
        <LoadFailure message={error.message} />
      ) : (
        <div class={days === null ? 'blank' : 'effort-body'} aria-hidden={days === null}>
          <EffortBody
            stats={weekStats(days ?? [], monday, (day) => (isLoad ? day.load : day.relativeEffort) ?? 0)}
            isLoad={isLoad}
            week={week}
          />
        </div>
      )}
    </Card>
  )
}

/** Cumulative values of the week of a Monday, and the totals of the three weeks before. */
function weekStats(days: readonly Day[], monday: string, of: (day: Day) => number): WeekStats {
  const total = (from: string, to: string) =>
    days.filter(({ date }) => date >= from && date <= to).reduce((sum, day) => sum + of(day), 0)
  const currentWeek = Array.from({ length: 7 }, (_, index) => total(monday, shiftedDay(monday, index)))
  const before = WEEKS_BEFORE.map((weeks) => total(shiftedDay(monday, -7 * weeks), shiftedDay(monday, 6 - 7 * weeks)))
  return {
    weekStart: monday,
    currentWeek,
    threeWeekAverage: before.reduce((sum, one) => sum + one, 0) / before.length,
    rangeMin: Math.min(...before),
    rangeMax: Math.max(...before),
    currentWeekTotal: currentWeek.at(-1) ?? 0,
  }
}

interface EffortBodyProps {
  readonly stats: WeekStats
  readonly isLoad: boolean
  readonly week: DaySums
}

function EffortBody({ stats, isLoad, week }: EffortBodyProps) {
  const missing = isLoad ? 0 : week.runsWithoutEffort
  // an unknown effort is not shown as zero
  const isUnknown = missing > 0 && week.effort === null
  const stated = [
    ...(isUnknown ? [] : [verdict(stats)]),
    ...(missing > 0 ? [`${counted(missing, 'run')} without heart rate`] : []),
  ]
  return (
    <>
      <EffortBand
        stats={stats}
        name={isLoad ? TERMS.load : TERMS.relativeEffort}
        today={weekdayIndex(today())}
        isUnknown={isUnknown}
        caption={(effort, day) => (
          <p class="effort-sum">
            <strong class="big">{number(effort ?? (isUnknown ? null : stats.currentWeekTotal))}</strong>
            <span>{effort === null ? stated.join(' · ') : `until ${day}`}</span>
          </p>
        )}
      />
      <p class="muted small">
        {stats.rangeMax === 0 ? (
          `A band appears here after three weeks with ${isLoad ? 'load' : 'heart rate'}.`
        ) : (
          <Band {...stats} />
        )}
      </p>
    </>
  )
}

function Band({ rangeMin, rangeMax, threeWeekAverage }: WeekStats) {
  return (
    <>
      Band: your last three weeks, {range(number(rangeMin), number(rangeMax))}. Dashed line: their average,{' '}
      {number(threeWeekAverage, 0)}.
    </>
  )
}

/** One sentence on the week; an incomplete week is judged by what it has so far. */
function verdict({ currentWeekTotal, rangeMin, rangeMax }: WeekStats): string {
  if (rangeMax === 0) return currentWeekTotal === 0 ? 'Nothing recorded yet' : 'Your first effort in four weeks'
  if (currentWeekTotal > rangeMax) return 'Above your recent range'
  return currentWeekTotal < rangeMin ? 'Below your recent range so far' : 'Within your recent range'
}
