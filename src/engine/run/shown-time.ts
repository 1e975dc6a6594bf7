interface Times {
  /** Elapsed seconds. */
  readonly durationS: number
  readonly movingTimeS: number | null
  readonly timerTimeS?: number | null
}

/** Times less apart than this are shown as one, seconds. */
const SAME_S = 5

/** The time without stops that is shown of a run, seconds; null: it is unknown, or as good as the elapsed time. */
export function shownMovingTimeS({ durationS, movingTimeS, timerTimeS }: Times): number | null {
  const movingS = Math.min(durationS, movingTimeS ?? timerTimeS ?? durationS)
  return movingS <= 0 || durationS - movingS < SAME_S ? null : movingS
}
