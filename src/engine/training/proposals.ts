/** By how much a rejected proposal must change before it is shown again: bpm for a heart rate, a share for a pace. */
const LEAST_MOVE_BPM = 2
const LEAST_MOVE_SHARE = 0.02
const LEAST_LTHR_BPM = 2
const LEAST_PACE_SHARE = 0.015

export const PROPOSAL_KINDS = ['maxHeartRate', 'lthr', 'thresholdPace', 'zones'] as const
export type ProposalKind = (typeof PROPOSAL_KINDS)[number]

/** A maximum is only proposed upwards: never having reached it is not evidence of a lower one. */
export function isMaxWorthProposing(current: number, proposed: number): boolean {
  return proposed > current
}

export function isLthrWorthProposing(current: number, proposed: number): boolean {
  return Math.abs(proposed - current) >= LEAST_LTHR_BPM
}

/** @param current s/km, set by the runner */
export function isPaceWorthProposing(current: number, proposed: number): boolean {
  return Math.abs(proposed / current - 1) >= LEAST_PACE_SHARE
}

/** Whether a proposal is still too close to a value that was rejected. */
export function isStillRefused(kind: ProposalKind, refused: number, proposed: number): boolean {
  return kind === 'thresholdPace'
    ? Math.abs(proposed / refused - 1) < LEAST_MOVE_SHARE
    : Math.abs(proposed - refused) < LEAST_MOVE_BPM
}
