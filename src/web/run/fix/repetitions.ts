import { SHORTEST_REPETITION_S } from '../../../engine/limits.ts'
import type { Intervals } from '../types.ts'

/** A repetition while it is edited, elapsed seconds. */
export interface Repetition {
  readonly startS: number
  readonly endS: number
}

/** Least seconds between two repetitions. */
const APART_S = 1
/** Length of a repetition that is added to a run without any. */
const FIRST_S = 60

export function repetitionsOf({ sets }: Intervals): Repetition[] {
  return sets.flatMap((set) =>
    set.repetitions.map(({ startElapsedS, endElapsedS }) => ({ startS: startElapsedS, endS: endElapsedS })),
  )
}

/** The repetitions with one end moved as far as its neighbours and the ends of the run allow. */
export function withEnd(
  all: readonly Repetition[],
  { index, end, atS }: { readonly index: number; readonly end: keyof Repetition; readonly atS: number },
  lastS: number,
): Repetition[] {
  const { startS, endS } = all[index]!
  const before = all[index - 1]
  const after = all[index + 1]
  const [least, most] =
    end === 'startS'
      ? [before === undefined ? 0 : before.endS + APART_S, endS - SHORTEST_REPETITION_S]
      : [startS + SHORTEST_REPETITION_S, after === undefined ? lastS : after.startS - APART_S]
  return all.with(index, { ...all[index]!, [end]: Math.max(least, Math.min(most, atS)) })
}

/**
 * The repetitions with another in the middle of the longest stretch without any, as long as the median of the others
 * where there is room.
 * @returns the index of the new one; null: there is no room
 */
export function withAnother(
  all: readonly Repetition[],
  lastS: number,
): { readonly repetitions: Repetition[]; readonly index: number } | null {
  const gaps = [...all, null].map((next, index) => ({
    index,
    fromS: (all[index - 1]?.endS ?? -APART_S) + APART_S,
    toS: (next?.startS ?? lastS + APART_S) - APART_S,
  }))
  const { index, fromS, toS } = gaps.reduce((a, b) => (b.toS - b.fromS > a.toS - a.fromS ? b : a))
  if (toS - fromS < SHORTEST_REPETITION_S) return null
  const lengths = all.map(({ startS, endS }) => endS - startS).toSorted((a, b) => a - b)
  const usualS = lengths[lengths.length >> 1] ?? FIRST_S
  const lengthS = Math.max(SHORTEST_REPETITION_S, Math.min(usualS, (toS - fromS) / 2))
  const startS = Math.max(fromS, Math.min(Math.round((fromS + toS - lengthS) / 2), toS - lengthS))
  return { repetitions: all.toSpliced(index, 0, { startS, endS: startS + lengthS }), index }
}

/** Seconds of a time as typed, `12:30` or `1:02:30`; null: it is not one. */
export function clockTime(typed: string): number | null {
  if (!/^(\d{1,2}:)?\d{1,3}:[0-5]\d$/.test(typed.trim())) return null
  return typed
    .trim()
    .split(':')
    .reduce((seconds, part) => 60 * seconds + Number(part), 0)
}
