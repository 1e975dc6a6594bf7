import { LARGE_ROWS, returnGarbage } from '../base/garbage.ts'
import { finished, type Steps } from '../engine/steps.ts'

/** Whether garbage is collected after each step: the collector by itself lets as much gather as memory is in use. */
export function isLargeTrack(rows: number): boolean {
  return rows >= LARGE_ROWS
}

/** A function to call between two steps that each leave several columns of so many rows behind. */
export function restFor(rows: number): () => void {
  return isLargeTrack(rows) ? returnGarbage : () => {}
}

/** The result of a computation over so many rows; of many, garbage is collected before it and between its steps. */
export function inSteps<T>(steps: Steps<T>, rows: number): T {
  if (!isLargeTrack(rows)) return finished(steps)
  for (;;) {
    returnGarbage()
    const { done, value } = steps.next()
    if (done === true) return value
  }
}
