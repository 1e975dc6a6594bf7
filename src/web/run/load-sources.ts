/** What a load can be made of, in words. */
export const LOAD_SOURCES = {
  heartRate: 'heart rate',
  pace: 'pace',
  rpe: 'your effort',
  duration: 'duration',
  manual: 'you',
} as const

export type LoadSource = keyof typeof LOAD_SOURCES
