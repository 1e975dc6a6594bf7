/** By how much a rejected proposal must change before it is shown again: bpm for a heart rate, a share for a pace, metres for shoes. */
const LEAST_MOVE_BPM = 2
const LEAST_MOVE_SHARE = 0.02
const LEAST_MOVE_M = 50_000
const LEAST_PACE_SHARE = 0.015
/** From this share of its life on, a pair of shoes is proposed to be retired. */
const WORN_SHARE = 0.9
/** How long a pair lasts by convention, metres. */
const USUAL_LIFE_M = 700_000

export const PROPOSAL_KINDS = ['maxHeartRate', 'lthr', 'thresholdPace', 'zones', 'retire'] as const
export type ProposalKind = (typeof PROPOSAL_KINDS)[number]

/** A maximum is only proposed upwards: never having reached it is not evidence of a lower one. */
export function isMaxWorthProposing(current: number, proposed: number): boolean {
  return proposed > current
}

/** @param current s/km, set by the runner */
export function isPaceWorthProposing(current: number, proposed: number): boolean {
  return Math.abs(proposed / current - 1) >= LEAST_PACE_SHARE
}

/** How long a pair of shoes lasts, metres: as its runner said, else by convention. */
export function shoeLife(retireAtM: number | null): {
  readonly lifeM: number
  readonly confidence: 'high' | 'low'
} {
  return retireAtM === null ? { lifeM: USUAL_LIFE_M, confidence: 'low' } : { lifeM: retireAtM, confidence: 'high' }
}

export function isWorn(mileageM: number, lifeM: number): boolean {
  return mileageM >= WORN_SHARE * lifeM
}

/** Whether a proposal is still too close to a value that was rejected. */
export function isStillRefused(kind: ProposalKind, refused: number, proposed: number): boolean {
  if (kind === 'retire') return Math.abs(proposed - refused) < LEAST_MOVE_M
  return kind === 'thresholdPace'
    ? Math.abs(proposed / refused - 1) < LEAST_MOVE_SHARE
    : Math.abs(proposed - refused) < LEAST_MOVE_BPM
}
