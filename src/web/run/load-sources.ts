/** Names of the sources of a load. */
export const LOAD_SOURCES = {
  heartRate: 'heart rate',
  pace: 'pace',
  rpe: 'RPE',
  duration: 'duration',
  manual: 'you',
} as const

export type LoadSource = keyof typeof LOAD_SOURCES
