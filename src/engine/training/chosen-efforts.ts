import { STANDARD_DISTANCES } from '../run/best-efforts.ts'
import { METRES_PER_MILE } from '../units.ts'
import { vdotOf } from './vdot.ts'

export const EFFORT_DAYS = 90
export const OLDEST_EFFORT_DAYS = 365
const SHORTEST_S = 210
const LONGEST_S = 6 * 3600
const LEAST_SHARE = 0.95
const LEAST_RACE_SHARE = 0.9
const MOST_EFFORTS = 8

/** A best effort as evidence of the runner's race performance. */
export interface HardEffort {
  readonly workoutId: string
  /** Length of the standard distance. */
  readonly distanceM: number
  /** Grade-equivalent metres on the flat; null: the altitude cannot be used. */
  readonly gradedM: number | null
  readonly timeS: number
  readonly ageDays: number
  readonly isRace: boolean
}

export interface RatedEffort extends HardEffort {
  readonly vdot: number
}

type NotChosen = 'stale' | 'tooShort' | 'oneRun' | 'uncertain' | 'tooFewEfforts'

/** Indexes in STANDARD_DISTANCES of the distances that predictions use: from one mile on. */
export const HARD_DISTANCES: readonly number[] = STANDARD_DISTANCES.flatMap(({ distanceM }, index) =>
  distanceM >= METRES_PER_MILE ? [index] : [],
)

/** The VDOT of an effort; null when it is too short or too long for the formula. */
export function effortVdot({
  distanceM,
  gradedM,
  timeS,
}: Pick<HardEffort, 'distanceM' | 'gradedM' | 'timeS'>): number | null {
  if (distanceM < METRES_PER_MILE || timeS < SHORTEST_S || timeS > LONGEST_S) return null
  return vdotOf(gradedM ?? distanceM, timeS)
}

export interface Chosen {
  /** The highest VDOT first. */
  readonly efforts: readonly RatedEffort[]
  /** No effort is from the last 90 days, so those of the last year are used. */
  readonly isStale: boolean
  /** Each effort with the reason why it was left out; null: it was chosen. */
  readonly judged: readonly { readonly effort: RatedEffort; readonly reason: NotChosen | null }[]
}

/**
 * The efforts that a prediction rests on. Of each workout only the best counts, as its others are splits of it; of
 * these the ones close to the best of all, at most eight. From the last 90 days, else from the last year.
 */
export function chosenEfforts(efforts: readonly HardEffort[]): Chosen {
  const rated = efforts.flatMap((effort): RatedEffort[] => {
    const vdot = effortVdot(effort)
    return vdot === null || effort.ageDays < 0 || effort.ageDays > OLDEST_EFFORT_DAYS ? [] : [{ ...effort, vdot }]
  })
  const young = rated.filter(({ ageDays }) => ageDays <= EFFORT_DAYS)
  const isStale = young.length === 0
  const usable = isStale ? rated : young
  const ordered = usable.toSorted((a, b) => b.vdot - a.vdot || a.ageDays - b.ageDays || a.distanceM - b.distanceM)
  const best = ordered[0]?.vdot ?? 0
  const seen = new Set<string>()
  const reasons = new Map<RatedEffort, NotChosen | null>()
  let taken = 0
  for (const effort of ordered) {
    const isSplit = seen.has(effort.workoutId)
    seen.add(effort.workoutId)
    const isNear = effort.vdot >= (effort.isRace ? LEAST_RACE_SHARE : LEAST_SHARE) * best
    const reason = isSplit ? 'oneRun' : !isNear ? 'uncertain' : taken === MOST_EFFORTS ? 'tooFewEfforts' : null
    if (reason === null) taken += 1
    reasons.set(effort, reason)
  }
  return {
    efforts: ordered.filter((effort) => reasons.get(effort) === null),
    isStale: isStale && rated.length > 0,
    judged: rated.map((effort) => ({ effort, reason: reasons.has(effort) ? reasons.get(effort)! : 'stale' })),
  }
}
