import { dayNumber, mondayOf, shiftedDay, weekdayIndex } from '../../days.ts'
import type { Efficiency } from '../../types.ts'

/** Days of one question, three years and today; the service answers at most 1100. */
export const WINDOW_DAYS = 1097

/**
 * The runs of all years, asked window by window from the newest on. Only a log that fits one window has a trend: the
 * service computes it for each window, and over more years a runner does not change along one line.
 * @param last the newest day
 * @param firstYear the year of the first run
 * @param ask answers the runs of a window; `to` is exclusive
 */
export async function runsOfAllYears(
  last: string,
  firstYear: number,
  ask: (from: string, to: string) => Promise<Efficiency>,
): Promise<Efficiency> {
  const firstDay = `${firstYear}-01-01`
  const windowBefore = (to: string) => ask(shiftedDay(to, -WINDOW_DAYS), to)
  let to = shiftedDay(last, 1)
  let all = await windowBefore(to)
  for (to = shiftedDay(to, -WINDOW_DAYS); to > firstDay; to = shiftedDay(to, -WINDOW_DAYS)) {
    const { runs } = await windowBefore(to)
    if (runs.length > 0) all = { ...all, runs: [...runs, ...all.runs], trend: null }
  }
  return all
}

const DAYS_A_WEEK = 7

/** The month of an address, `yyyy-MM`; that of today when it has none. */
export function monthOf(asked: string | null, today: string): string {
  return asked !== null && !Number.isNaN(dayNumber(`${asked}-01`)) ? asked : today.slice(0, 7)
}

/** The month so many months later, or earlier when negative; years stay between 1 and 9999. */
export function shiftedMonth(month: string, months: number): string {
  const index = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + months
  const [year, place] = [Math.floor(index / 12), index % 12]
  if (year < 1 || year > 9999) return month
  return `${String(year).padStart(4, '0')}-${String(place + 1).padStart(2, '0')}`
}

/** The weeks of a month, Monday to Sunday, with the days of its neighbours that they have. */
export function weeksOf(month: string): string[][] {
  const first = mondayOf(`${month}-01`)
  const next = `${shiftedMonth(month, 1)}-01`
  const days = dayNumber(next) - dayNumber(first)
  const count = Math.ceil((days + ((DAYS_A_WEEK - weekdayIndex(next)) % DAYS_A_WEEK)) / DAYS_A_WEEK)
  return Array.from({ length: count }, (_, week) =>
    Array.from({ length: DAYS_A_WEEK }, (_, day) => shiftedDay(first, DAYS_A_WEEK * week + day)),
  )
}
