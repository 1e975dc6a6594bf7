/** Work between two looks at other requests, ms: with 8 they wait 41 ms at worst, without 2.2 s. */
const WORK_MS = 8

/**
 * Long work on the thread that answers requests, between two steps: `if (pace.needsRest()) await pace.rest()`. Streams are
 * pulled in microtasks, which never let a request in.
 */
export interface Pace {
  needsRest(): boolean
  /** Lets waiting requests in, then work begins anew. */
  rest(): Promise<void>
}

export function createPace(): Pace {
  let endMs = performance.now() + WORK_MS
  return {
    needsRest: () => performance.now() >= endMs,
    rest: async () => {
      await new Promise((resolve) => setImmediate(resolve))
      endMs = performance.now() + WORK_MS
    },
  }
}
