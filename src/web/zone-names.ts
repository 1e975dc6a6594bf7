/** The five heart-rate zones from the lowest up; their limits are the runner's. */
export const ZONE_NAMES = ['Recovery', 'Easy', 'Tempo', 'Threshold', 'Maximum'] as const
