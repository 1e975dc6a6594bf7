/** What a source can state wrongly of a run. */
export const CORRECTED = [
  ...(['start', 'duration', 'timer', 'clock', 'pauses', 'laps'] as const),
  ...(['distance', 'position', 'altitude', 'cadence', 'file'] as const),
] as const

/** A statement of a source that its other statements contradict, and what counts instead. */
export interface Correction {
  readonly what: (typeof CORRECTED)[number]
  /** As the source states it: metres, seconds, steps a minute, or a time in ISO; null: it states none. */
  readonly stated: number | string | null
  /** What counts; null: nothing in its place. */
  readonly used: number | string | null
  /** One sentence for the runner with both values, without a final period. */
  readonly reason: string
}
