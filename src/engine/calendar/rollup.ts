import { roundHalfUp } from '../units.ts'
import { type DateWindow, localDay } from './weeks.ts'

/** Number of weeks before the current one whose mean it is compared with. */
export const TRAILING_WEEKS = 3
/** Decimals that a sum of metres or seconds is rounded to; smaller digits are noise of binary addition. */
const NOISE_DECIMALS = 6

/** The values of one run that sums are made of. null: unknown. */
export interface RunTotals {
  readonly startedAtMs: number
  readonly distanceM: number
  readonly durationS: number
  readonly elevGainM: number | null
  readonly relativeEffort: number | null
  readonly avgHeartRateBpm: number | null
  readonly isEasy: boolean
}

/** Totals of one week of the recap. An unknown climb or effort counts as 0. */
export interface WeekTotals {
  readonly runs: number
  readonly distanceM: number
  readonly durationS: number
  readonly elevationGainM: number
  readonly relativeEffortSum: number
  /** One decimal; null when no easy run of the week has heart rate and duration. */
  readonly easyRunAvgHeartRateBpm: number | null
}

interface Comparison {
  readonly current: number
  readonly previous: number
  readonly trailingAvg: number
  readonly deltaVsPrevious: number
}

type OptionalComparison = { readonly [key in keyof Comparison]: number | null }

/** The runs whose start is in a window. */
export function runsWithin<T extends Pick<RunTotals, 'startedAtMs'>>(
  runs: readonly T[],
  { startMs, endMs }: Pick<DateWindow, 'startMs' | 'endMs'>,
): T[] {
  return runs.filter(({ startedAtMs }) => startedAtMs >= startMs && startedAtMs < endMs)
}

/** One sum for each local day of a window, 0 on a day without runs. */
export function dailySums<T extends Pick<RunTotals, 'startedAtMs'>>(
  runs: readonly T[],
  window: DateWindow,
  { offsetMinutes, value }: { readonly offsetMinutes: number; readonly value: (run: T) => number },
): number[] {
  const sums = new Array<number>(window.lastDay - window.firstDay + 1).fill(0)
  for (const run of runsWithin(runs, window)) {
    sums[localDay(run.startedAtMs, offsetMinutes) - window.firstDay]! += value(run)
  }
  return sums.map(withoutNoise)
}

export function cumulative(values: readonly number[]): number[] {
  let sum = 0
  return values.map((value) => {
    sum += value
    return sum
  })
}

export function weekTotals(runs: readonly RunTotals[]): WeekTotals {
  return {
    runs: runs.length,
    distanceM: sumOf(runs, ({ distanceM }) => distanceM),
    durationS: sumOf(runs, ({ durationS }) => durationS),
    elevationGainM: sumOf(runs, ({ elevGainM }) => elevGainM ?? 0),
    relativeEffortSum: sumOf(runs, ({ relativeEffort }) => relativeEffort ?? 0),
    easyRunAvgHeartRateBpm: easyHeartRate(runs),
  }
}

/** Against the week before and the mean of three, two decimals. @param earlier the three before, latest first */
export function comparison(current: number, earlier: readonly number[]): Comparison {
  const previous = earlier[0] ?? 0
  return {
    current,
    previous,
    trailingAvg: roundHalfUp(earlier.reduce((sum, value) => sum + value, 0) / TRAILING_WEEKS, 2),
    deltaVsPrevious: withoutNoise(current - previous),
  }
}

/** As `comparison`, for a value that some weeks lack: the mean is over the weeks that have one, one decimal. */
export function optionalComparison(current: number | null, earlier: readonly (number | null)[]): OptionalComparison {
  const previous = earlier[0] ?? null
  const known = earlier.filter((value) => value !== null)
  return {
    current,
    previous,
    trailingAvg:
      known.length === 0 ? null : roundHalfUp(known.reduce((sum, value) => sum + value, 0) / known.length, 1),
    deltaVsPrevious: current === null || previous === null ? null : withoutNoise(current - previous),
  }
}

/** A sum rounded to `NOISE_DECIMALS`, which removes the noise of binary addition. */
export function sumOf<T>(items: readonly T[], value: (item: T) => number): number {
  return withoutNoise(items.reduce((sum, item) => sum + value(item), 0))
}

function withoutNoise(sum: number): number {
  return roundHalfUp(sum, NOISE_DECIMALS)
}

/** Mean heart rate of the easy runs, weighted by duration. */
function easyHeartRate(runs: readonly RunTotals[]): number | null {
  let beats = 0
  let seconds = 0
  for (const { isEasy, avgHeartRateBpm, durationS } of runs) {
    if (!isEasy || avgHeartRateBpm === null || durationS <= 0) continue
    beats += avgHeartRateBpm * durationS
    seconds += durationS
  }
  return seconds === 0 ? null : roundHalfUp(beats / seconds, 1)
}
