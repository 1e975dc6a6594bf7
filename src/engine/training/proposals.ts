/** Moves a proposal that was turned down has to make before it is told again: bpm of a heart rate, share of a pace. */
const LEAST_MOVE_BPM = 2
const LEAST_MOVE_SHARE = 0.02
const LEAST_LTHR_BPM = 2
const LEAST_PACE_SHARE = 0.015

export const PROPOSAL_KINDS = ['maxHeartRate', 'lthr', 'thresholdPace', 'zones'] as const
export type ProposalKind = (typeof PROPOSAL_KINDS)[number]

/** A maximum is proposed upwards only: never having pressed is no evidence of a low one. */
export function isMaxWorthProposing(current: number, proposed: number): boolean {
  return proposed > current
}

export function isLthrWorthProposing(current: number, proposed: number): boolean {
  return Math.abs(proposed - current) >= LEAST_LTHR_BPM
}

/** @param current s/km that the runner set */
export function isPaceWorthProposing(current: number, proposed: number): boolean {
  return Math.abs(proposed / current - 1) >= LEAST_PACE_SHARE
}

/** True when a proposal that was turned down at a value is still to be silent. */
export function isStillRefused(kind: ProposalKind, refused: number, proposed: number): boolean {
  return kind === 'thresholdPace'
    ? Math.abs(proposed / refused - 1) < LEAST_MOVE_SHARE
    : Math.abs(proposed - refused) < LEAST_MOVE_BPM
}
