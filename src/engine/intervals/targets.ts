/** The planned length of every repetition of a set. */
export interface Target {
  readonly kind: 'distance' | 'time'
  /** Metres or seconds. */
  readonly value: number
}

export const KINDS: readonly Target['kind'][] = ['distance', 'time']

/** The length of one repetition. */
export interface Length {
  readonly durationS: number
  readonly distanceM: number
}

/** How far a length may lie from its target: laps are exact, ends found from the pace are known to a few seconds. */
export interface Exactness {
  readonly seconds: number
  readonly metres: number
  readonly share: number
}
export const OF_LAPS: Exactness = { seconds: 3, metres: 10, share: 0.05 }
export const OF_PACE: Exactness = { seconds: 5, metres: 15, share: 0.035 }

/** Round distances, metres: those that training plans use. */
const ROUND_M = [200, 300, 400, 500, 600, 800, 1000, 1200, 1500, 1600, 2000, 3000, 4000, 5000]
/** Round times, seconds: steps of 15 up to two minutes, of 30 up to five, of a minute from there. */
const ROUND_S = [20, 30, 40, 45, 60, 75, 90, 105, 120, 150, 180, 210, 240, 270, 300]
/** Longer round times: whole minutes up to one hour. */
const LONG_S = Array.from({ length: 55 }, (_, k) => 360 + 60 * k)

/**
 * The one target that all these lengths share, by time or by distance, whichever fits better; one that is not round is
 * taken only when it fits clearly better.
 * @returns null when the lengths differ too much
 */
export function commonTarget(
  lengths: readonly Length[],
  exactness: Exactness,
  kinds: readonly Target['kind'][],
): Target | null {
  const found = kinds.flatMap((kind) => {
    const values = lengths.map((length) => lengthIn(length, kind))
    const median = medianOf(values)
    if (median === 0) return []
    const value = roundOf(median, kind, exactness) ?? asKept(median, kind)
    const slack = slackOf(median, kind, exactness)
    if (values.some((one) => Math.abs(one - median) > slack)) return []
    const isRound = roundOf(median, kind, exactness) !== null
    const deviation = Math.sqrt(values.reduce((sum, one) => sum + (one / value - 1) ** 2, 0) / values.length)
    return { target: { kind, value }, cost: deviation + (isRound ? 0 : UNUSUAL), isRound }
  })
  const [best] = found.sort((a, b) => a.cost - b.cost)
  return best?.target ?? null
}

/** A target that is not round is taken when the nearest round one is worse by at least this share. */
const UNUSUAL = 0.03

/** Whether a value is one that training plans use. */
export function isRound({ kind, value }: Target): boolean {
  return (kind === 'distance' ? ROUND_M : [...ROUND_S, ...LONG_S]).includes(value)
}

/**
 * A target for each of several lengths that differ: a pyramid or a ladder.
 * @returns null when they do not all match round targets of one kind
 */
export function ladderTargets(lengths: readonly Length[], { seconds, metres, share }: Exactness): Target[] | null {
  const exactness = { seconds, metres, share: Math.min(share, LADDER_SHARE) }
  for (const kind of KINDS) {
    const values = lengths.map((length) => roundOf(lengthIn(length, kind), kind, exactness))
    if (!values.every((value) => value !== null) || !turnsOnce(values)) continue
    if (kind === 'time' && values.some((value) => value % LADDER_STEP_S !== 0)) continue
    return values.map((value) => ({ kind, value }))
  }
  return null
}

/** Smaller than for equal lengths, since differing lengths match round values by chance more often. */
const LADDER_SHARE = 0.025
/** The times of a ladder are multiples of this. */
const LADDER_STEP_S = 30

/** Whether the values only rise, only fall, or change direction once. */
function turnsOnce(values: readonly number[]): boolean {
  const steps = values.slice(1).map((value, k) => Math.sign(value - values[k]!))
  const directions = steps.filter((step) => step !== 0)
  return directions.filter((step, k) => k > 0 && step !== directions[k - 1]).length <= 1
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

function lengthIn({ durationS, distanceM }: Length, kind: Target['kind']): number {
  return kind === 'distance' ? distanceM : durationS
}

function slackOf(value: number, kind: Target['kind'], { seconds, metres, share }: Exactness): number {
  return Math.max(kind === 'distance' ? metres : seconds, share * value)
}

/** The nearest round value; null when it is too far away. */
function roundOf(value: number, kind: Target['kind'], exactness: Exactness): number | null {
  const all = kind === 'distance' ? ROUND_M : [...ROUND_S, ...LONG_S]
  const nearest = all.reduce((best, round) => (Math.abs(round - value) < Math.abs(best - value) ? round : best))
  // a time between two round ones must not be taken for either
  const slack =
    kind === 'time' ? Math.min(slackOf(value, kind, exactness), ROUND_SLACK_S) : slackOf(value, kind, exactness)
  return Math.abs(nearest - value) <= slack ? nearest : null
}

const ROUND_SLACK_S = 5

function asKept(value: number, kind: Target['kind']): number {
  return kind === 'distance' ? Math.round(value / 10) * 10 : Math.round(value)
}
