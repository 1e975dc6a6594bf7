/** Work between two chances for other requests, milliseconds. */
const SLICE_MS = 8

/** Long work on the thread that answers requests, in slices: `if (slices.isOver()) await slices.next()`. */
export interface Slices {
  isOver(): boolean
  /** Lets others work, then begins the next slice. */
  next(): Promise<void>
}

export function timeSlices(): Slices {
  let endMs = performance.now() + SLICE_MS
  return {
    isOver: () => performance.now() >= endMs,
    next: async () => {
      await new Promise((resolve) => setImmediate(resolve))
      endMs = performance.now() + SLICE_MS
    },
  }
}
