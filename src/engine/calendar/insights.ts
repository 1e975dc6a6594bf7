import { HOUR_MS, roundHalfUp } from '../units.ts'
import { sumOf } from './rollup.ts'
import { DAYS_A_WEEK, mondayOf, weekdayOf } from './weeks.ts'

const HOURS_A_DAY = 24
/** Hours at which the parts of the day begin; night wraps around midnight. */
const MORNING_HOUR = 5
const AFTERNOON_HOUR = 12
const EVENING_HOUR = 17
const NIGHT_HOUR = 21

export const TIMES_OF_DAY = ['morning', 'afternoon', 'evening', 'night'] as const
type TimeOfDay = (typeof TIMES_OF_DAY)[number]

/** A run as insights see it: local day and hour of its start, and its distance. */
export interface LocalRun {
  readonly day: number
  /** 0 to 23 */
  readonly hour: number
  readonly distanceM: number
}

/** The most frequent value, and how many of the runs have it. */
interface Favorite<T> {
  readonly kind: T
  readonly runs: number
  /** Percent of all, one decimal. */
  readonly percentage: number
}

interface BiggestWeek {
  /** The Monday on which the week begins. */
  readonly firstDay: number
  readonly distanceM: number
  readonly runs: number
}

interface Streaks {
  readonly longestDays: number
  readonly longestFirstDay: number
  readonly longestLastDay: number
  /** 0 when the last run was before yesterday. */
  readonly currentDays: number
  /** Consecutive Monday weeks with a run. */
  readonly longestWeeks: number
}

/** The run with the largest value, the earliest of equals. @param value null: the run takes no part */
export function greatest<T>(runs: readonly T[], value: (run: T) => number | null): T | null {
  let best: T | null = null
  let most = Number.NEGATIVE_INFINITY
  for (const run of runs) {
    const candidate = value(run)
    if (candidate === null || !(candidate > most)) continue
    best = run
    most = candidate
  }
  return best
}

/** Share of a whole in percent, one decimal. */
export function percentage(count: number, total: number): number {
  return total === 0 ? 0 : roundHalfUp((100 * count) / total, 1)
}

/** The weekday on which most runs began, 0 is Monday; of equals the first of the week. null without runs. */
export function favoriteWeekday(runs: readonly LocalRun[]): Favorite<number> | null {
  return favorite(runs, [0, 1, 2, 3, 4, 5, 6], ({ day }) => weekdayOf(day))
}

/** The part of the day in which most runs began; of equals the first of the day. null without runs. */
export function favoriteTimeOfDay(runs: readonly LocalRun[]): Favorite<TimeOfDay> | null {
  return favorite(runs, TIMES_OF_DAY, ({ hour }) => timeOfDay(hour))
}

/** The Monday week with the most metres; the earliest of equals. null without runs. */
export function biggestWeek(runs: readonly LocalRun[]): BiggestWeek | null {
  // Sums are rounded, so that floating-point noise does not decide between equal weeks.
  const weeks = Array.from(
    Map.groupBy(runs, ({ day }) => mondayOf(day)),
    ([firstDay, ofWeek]) => ({ firstDay, distanceM: sumOf(ofWeek, (run) => run.distanceM), runs: ofWeek.length }),
  )
  return greatest(
    weeks.sort((one, other) => one.firstDay - other.firstDay),
    ({ distanceM }) => distanceM,
  )
}

/**
 * Streaks of local days and weeks; of equally long ones the earliest. null without runs.
 * @param today local day; a streak is alive while its last day is today or yesterday
 */
export function streaks(runs: readonly LocalRun[], today: number): Streaks | null {
  const ranDays = Float64Array.from(new Set(runs.map(({ day }) => day))).sort()
  const days = sequences(ranDays, 1)
  const longest = greatest(days, ({ length }) => length)
  const last = days.at(-1)
  if (longest === null || last === undefined) return null
  const weeks = sequences(ranDays.map(mondayOf), DAYS_A_WEEK)
  return {
    longestDays: longest.length,
    longestFirstDay: longest.first,
    longestLastDay: longest.last,
    currentDays: last.last >= today - 1 ? last.length : 0,
    longestWeeks: Math.max(...weeks.map(({ length }) => length)),
  }
}

/** Calendar weeks from that of the first run to the current one, both counted; at least one. */
export function calendarWeeks(firstDay: number, today: number): number {
  return Math.max(1, (mondayOf(today) - mondayOf(firstDay)) / DAYS_A_WEEK + 1)
}

/** @param startedAtMs Unix milliseconds */
export function localRun(startedAtMs: number, offsetMinutes: number, distanceM: number): LocalRun {
  const hours = Math.floor((startedAtMs + offsetMinutes * 60_000) / HOUR_MS)
  const day = Math.floor(hours / HOURS_A_DAY)
  return { day, hour: hours - HOURS_A_DAY * day, distanceM }
}

function favorite<T>(
  runs: readonly LocalRun[],
  kinds: readonly T[],
  kindOf: (run: LocalRun) => number,
): Favorite<T> | null {
  if (runs.length === 0) return null
  const counts = new Array<number>(kinds.length).fill(0)
  for (const run of runs) counts[kindOf(run)]! += 1
  const most = Math.max(...counts)
  const at = counts.indexOf(most)
  return { kind: kinds[at]!, runs: most, percentage: percentage(most, runs.length) }
}

/** Place in `TIMES_OF_DAY`. */
function timeOfDay(hour: number): number {
  if (hour < MORNING_HOUR || hour >= NIGHT_HOUR) return 3
  return hour < AFTERNOON_HOUR ? 0 : hour < EVENING_HOUR ? 1 : 2
}

interface Sequence {
  readonly first: number
  last: number
  length: number
}

/** Unbroken sequences of multiples of `step`; a value that occurs twice counts once. */
export function sequences(ascending: Float64Array, step: number): Sequence[] {
  const found: Sequence[] = []
  let open: Sequence | null = null
  for (const number of ascending) {
    if (open === null || number - open.last > step) {
      open = { first: number, last: number, length: 1 }
      found.push(open)
    } else if (number > open.last) {
      open.last = number
      open.length += 1
    }
  }
  return found
}
