import { date, dateRange, type Units } from '../format.ts'
import type { MonthlyStats, YearlyWeekly } from '../types.ts'
import { PartBars } from './part-bars.tsx'

interface YearBarsProps {
  readonly weeks: YearlyWeekly['weeks']
  readonly units: Units
}

/** Distances of 52 weeks as bars. */
export function YearBars({ weeks, units }: YearBarsProps) {
  const parts = weeks.map(({ weekNumber, weekStart, weekEnd, distanceM }) => ({
    key: String(weekNumber),
    name: dateRange(weekStart, weekEnd, 'short'),
    distanceM,
  }))
  const marks = [0, 13, 26, 39, 51].map((index) =>
    weeks[index] === undefined ? '' : date(weeks[index].weekStart, 'month'),
  )
  return <PartBars parts={parts} noun="week" units={units} marks={marks} />
}

interface MonthBarsProps {
  /** Consecutive months, oldest first. */
  readonly months: MonthlyStats['months']
  readonly units: Units
}

/** Distances of months as bars. */
export function MonthBars({ months, units }: MonthBarsProps) {
  const parts = months.map(({ month, distanceM }) => ({
    key: month,
    name: date(`${month}-01`, 'monthYear'),
    distanceM,
  }))
  const ends = [months[0], months[Math.floor(months.length / 2)], months.at(-1)]
  const marks = ends.map((one) => (one === undefined ? '' : date(`${one.month}-01`, 'shortMonthYear')))
  return <PartBars parts={parts} noun="month" units={units} marks={marks} />
}
