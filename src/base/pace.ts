/** Milliseconds of work before other requests are let in: with 8 they wait at most 41 ms, without pauses 2.2 s. */
const WORK_MS = 8

/**
 * Lets long work on the main thread pause between two steps: `if (pace.needsRest()) await pace.rest()`. Needed even in
 * streams, since these are pulled in microtasks, which never let a request in.
 */
export interface Pace {
  needsRest(): boolean
  /** Lets waiting requests run, then starts a new work interval. */
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

/** The items one by one; between two of them waiting requests run whenever a few milliseconds were worked. */
export async function* paced<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T, void> {
  const pace = createPace()
  for await (const item of items) {
    yield item
    if (pace.needsRest()) await pace.rest()
  }
}
