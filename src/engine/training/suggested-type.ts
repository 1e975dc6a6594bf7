import type { RunType } from '../limits.ts'
import { roundHalfUp } from '../units.ts'
import type { BandSeconds } from './intensity.ts'
import { median } from './numbers.ts'

/** A race over less is not suggested. */
export const SHORTEST_RACE_M = 5000
const MOST_BEHIND_SHARE = 0.03
const FEWEST_REPETITIONS = 3
const LONG_SHARE = 1.5
const EASY_SHARE = 0.9

/** Days before a run in which its distance is compared with others, and of the efforts that a race is compared with. */
export const COMPARED_DAYS = { longest: 14, median: 56, race: 365 } as const

/** What the type of a run is suggested from. */
export interface SuggestionFacts {
  readonly distanceM: number
  /** Its time over the standard distance that it has, and the best of the other runs of a year; null: it has none. */
  readonly race: { readonly label: string; readonly timeMs: number; readonly bestMs: number | null } | null
  readonly repetitions: number
  /** Distances of the other runs up to it. */
  readonly last14DaysM: readonly number[]
  readonly last56DaysM: readonly number[]
  /** null: the intensity is not known. */
  readonly bands: BandSeconds | null
}

export interface SuggestedRunType {
  readonly type: RunType
  readonly reason: string
}

/** The type that a run without one probably has: by the first rule that fits; null: by none. */
export function suggestedRunType(facts: SuggestionFacts): SuggestedRunType | null {
  const easy = easyRun(facts)
  // nobody races easily
  return (easy === null ? race(facts) : null) ?? workout(facts) ?? longRun(facts) ?? easy
}

/** Within 3% of the best of a year over a standard distance. */
function race({ race: run }: SuggestionFacts): SuggestedRunType | null {
  if (run === null || run.bestMs === null) return null
  const behindPct = roundHalfUp(100 * (run.timeMs / run.bestMs - 1), 1)
  if (run.timeMs - run.bestMs > MOST_BEHIND_SHARE * run.bestMs) return null
  const place = behindPct <= 0 ? 'your best' : `${behindPct}% behind your best`
  return { type: 'Race', reason: `${run.label}, ${place} in a year` }
}

/** At least three repetitions. */
function workout({ repetitions }: SuggestionFacts): SuggestedRunType | null {
  return repetitions >= FEWEST_REPETITIONS ? { type: 'Workout', reason: `${repetitions} repetitions` } : null
}

/** The longest of 14 days, and at least 1.5 times the median of 56, itself included. */
function longRun({ distanceM, last14DaysM, last56DaysM }: SuggestionFacts): SuggestedRunType | null {
  const times = distanceM / median([...last56DaysM, distanceM])
  if (!(times >= LONG_SHARE) || last14DaysM.some((other) => other >= distanceM)) return null
  const reason = `Longest in 14 days, ${roundHalfUp(times, 1)} times your median of 56 days`
  return { type: 'Long Run', reason }
}

/** At least 90% of the time below the moderate band (docs/training.md). */
function easyRun({ bands }: SuggestionFacts): SuggestedRunType | null {
  if (bands === null) return null
  const [low, moderate, high] = bands
  const share = low / (low + moderate + high)
  return share >= EASY_SHARE ? { type: 'Easy Run', reason: `${roundHalfUp(100 * share)}% easy` } : null
}
