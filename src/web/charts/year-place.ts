import type { Steps } from './use-place.ts'

/** Totals of both years at one day of the year. */
interface YearPlace {
  /** Share of the year that has passed on that day, 0 to 1. */
  readonly share: number
  /** Metres until then; null: the day is in the future. */
  readonly currentM: number | null
  readonly againstM: number
}

export interface YearSums {
  /** The year to compare with; null: none. */
  readonly against: number | null
  /** Metres of each part of the year: of its days, or of fewer, equal parts. */
  readonly currentM: readonly number[]
  readonly againstM: readonly number[]
  /** Share of the year that has passed today, 0 to 1. */
  readonly shareOfYear: number
}

/** Arrow keys move by a week. */
export const YEAR_STEPS: Steps = { ArrowLeft: -7, ArrowDown: -7, ArrowRight: 7, ArrowUp: 7, PageDown: -30, PageUp: 30 }
export const DAYS = 365

/** The totals until a day of the year, counted from 0; null: today. */
export function yearPlace({ currentM, againstM, shareOfYear }: YearSums, day: number | null): YearPlace {
  const share = day === null ? shareOfYear : (day + 1) / DAYS
  return {
    share,
    currentM: share > shareOfYear + 1 / DAYS ? null : sumAt(currentM, Math.min(share, shareOfYear), shareOfYear),
    againstM: sumAt(againstM, share),
  }
}

/** Totals before the first part and after each. */
export function cumulated(amounts: readonly number[]): number[] {
  const sums = [0]
  for (const amount of amounts) sums.push((sums.at(-1) ?? 0) + amount)
  return sums
}

/**
 * Total of a year after a share of it, metres.
 * @param knownShare share of the year that has data; its last, incomplete part counts as completed at that time
 */
export function sumAt(amounts: readonly number[], share: number, knownShare = 1): number {
  const sums = cumulated(amounts)
  const at = Math.min(share * amounts.length, amounts.length)
  const whole = Math.floor(at)
  const end = Math.min(whole + 1, knownShare * amounts.length)
  const done = end > whole ? Math.min(1, (at - whole) / (end - whole)) : 1
  return (sums[whole] ?? 0) + done * (amounts[whole] ?? 0)
}
