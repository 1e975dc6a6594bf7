import { shiftedDay } from '../../../days.ts'
import type { Efficiency } from '../../../types.ts'

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
