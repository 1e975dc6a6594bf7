import type { RecordedStretch } from './kind.ts'

/** Converts between the recording and the run with its gaps closed; milliseconds since the recording began. */
export interface RecordedClock {
  /** Time on the clock of the run, before it is shifted as a whole. */
  readonly trackMs: (recordedMs: number) => number
  readonly recordedMs: (trackMs: number) => number
  /** @param seamMs what remains of the gap */
  readonly close: (gap: RecordedStretch, seamMs: number) => void
}

interface ClosedGap extends RecordedStretch {
  /** Milliseconds that closing the gap removed: its length less the seam that remains. */
  readonly removedMs: number
}

export function createClock(): RecordedClock {
  let closed: readonly ClosedGap[] = []
  return {
    trackMs: (ms) =>
      closed.reduce((left, { fromMs, removedMs }) => {
        return left - Math.min(removedMs, Math.max(0, ms - fromMs))
      }, ms),
    recordedMs: (ms) =>
      closed.reduce((recorded, { fromMs, removedMs }) => (recorded > fromMs ? recorded + removedMs : recorded), ms),
    close: ({ fromMs, toMs }, seamMs) => {
      const touching = closed.filter((gap) => gap.fromMs <= toMs && gap.toMs >= fromMs)
      const from = Math.min(fromMs, ...touching.map((gap) => gap.fromMs))
      const to = Math.max(toMs, ...touching.map((gap) => gap.toMs))
      const others = closed.filter((gap) => !touching.includes(gap))
      const gap = { fromMs: from, toMs: to, removedMs: Math.max(0, to - from - seamMs) }
      closed = [...others, gap].sort((a, b) => a.fromMs - b.fromMs)
    },
  }
}
