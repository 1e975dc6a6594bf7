import { setImmediate } from 'node:timers/promises'

/** Milliseconds of work before other requests are let in. */
const WORK_MS = 8
/** Shared by all work of the main thread: what one has worked the others do not work again before a rest. */
let endMs = 0

/** Whether long work on the main thread should let waiting requests run. */
export function isRestDue(): boolean {
  return performance.now() >= endMs
}

/**
 * Between two steps of long work on the main thread: lets waiting requests run when a few milliseconds were worked.
 * Needed even in streams, since these are pulled in microtasks, which never let a request in.
 */
export async function gently(): Promise<void> {
  if (!isRestDue()) return
  await setImmediate()
  endMs = performance.now() + WORK_MS
}

export async function* paced<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T, void> {
  for await (const item of items) {
    yield item
    await gently()
  }
}
