import { type Steps, usePlace } from './use-place.ts'

/** Both years on one day. */
export interface YearPlace {
  /** How much of the year is over, 0 to 1. */
  readonly share: number
  /** Metres until then; null: that day is still to come. */
  readonly currentM: number | null
  readonly againstM: number
}

export interface YearSums {
  /** The other year; null: none. */
  readonly against: number | null
  /** Metres of each of the 52 parts of the years. */
  readonly currentM: readonly number[]
  readonly againstM: readonly number[]
  /** How much of the year is over, 0 to 1. */
  readonly shareOfYear: number
}

/** Where the year begins and ends in the drawing, pixels from its sides. */
export const INSETS = { left: 44, right: 10 } as const
const DAYS = 365
/** By the week with the arrow keys. */
const STEPS: Steps = { ArrowLeft: -7, ArrowDown: -7, ArrowRight: 7, ArrowUp: 7, PageDown: -30, PageUp: 30 }

/** The day of the year that is pointed at, or today, with what was run until then; and what the drawing needs for it. */
export function useYearPlace({ against, currentM, againstM, shareOfYear }: YearSums) {
  // without another year nothing is known of the days to come
  const count = against === null ? Math.max(1, Math.floor(shareOfYear * DAYS)) : DAYS
  const at = ({ clientX, currentTarget }: PointerEvent) => {
    if (!(currentTarget instanceof Element)) return null
    const { left, width } = currentTarget.getBoundingClientRect()
    const share = (clientX - left - INSETS.left) / Math.max(1, width - INSETS.left - INSETS.right)
    return Math.max(0, Math.min(count - 1, Math.floor(share * DAYS)))
  }
  const { place, handlers } = usePlace({ count, at, steps: STEPS, start: Math.floor(shareOfYear * DAYS) - 1 })
  const share = place === null ? shareOfYear : (place + 1) / DAYS
  const shown: YearPlace = {
    share,
    currentM: share > shareOfYear + 1 / DAYS ? null : sumAt(currentM, Math.min(share, shareOfYear), shareOfYear),
    againstM: sumAt(againstM, share),
  }
  const day = Math.max(1, Math.min(count, Math.round(share * DAYS)))
  return { shown, isPointed: place !== null, day, days: count, handlers }
}

/** 53 sums: before the first part and after each. */
export function cumulated(parts: readonly number[]): number[] {
  const sums = [0]
  for (const part of parts) sums.push((sums.at(-1) ?? 0) + part)
  return sums
}

/**
 * What was run of a year when `share` of it was over, metres.
 * @param knownShare how much of the year there has been; all of its last, unfinished part was run until then
 */
export function sumAt(parts: readonly number[], share: number, knownShare = 1): number {
  const sums = cumulated(parts)
  const at = Math.min(share * parts.length, parts.length)
  const whole = Math.floor(at)
  const end = Math.min(whole + 1, knownShare * parts.length)
  const part = end > whole ? Math.min(1, (at - whole) / (end - whole)) : 1
  return (sums[whole] ?? 0) + part * (parts[whole] ?? 0)
}
