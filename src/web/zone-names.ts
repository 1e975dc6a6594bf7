/** Names of the five heart-rate zones, lowest first; their limits are set by the runner. */
export const ZONE_NAMES = ['Recovery', 'Easy', 'Tempo', 'Threshold', 'Maximum'] as const
