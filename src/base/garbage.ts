import { edenGC, fullGC } from 'bun:jsc'

/**
 * Collects all garbage, which blocks the thread for 3 to 80 ms, depending on memory in use. Called right after single
 * large steps.
 */
export function collectGarbage(): void {
  Bun.gc(true)
}

/**
 * As `collectGarbage`, and gives the freed memory back to the system at once: the allocator's own thread does so later,
 * on a busy machine too late for the next large step.
 */
export function returnGarbage(): void {
  Bun.gc(true)
  Bun.shrink()
}

/** From so many rows on garbage is collected after each step on a track, which takes 20 to 80 ms. */
export const LARGE_ROWS = 200_000

/** Growth of resident memory up to which no garbage is collected, bytes. */
const GROWTH_BYTES = 8 * 1_048_576

/**
 * Returns a function to call after each step of long work that produces much garbage. Once the process has grown, it
 * collects all garbage after every `most` units of work. The collector on its own would let a multiple gather, which
 * small machines have no memory for.
 * @param most steps, rows or bytes, in the caller's unit, between two collections; one takes 3 to 10 ms
 * @param mostGrownBytes collects earlier when the process has grown by this since the last time
 */
export function createCollector(most: number, mostGrownBytes = Number.POSITIVE_INFINITY): (amount?: number) => void {
  const smallBytes = process.memoryUsage.rss() + GROWTH_BYTES
  let gathered = 0
  let grownBytes = smallBytes + mostGrownBytes
  return (amount = 1) => {
    gathered += amount
    // the size of the process is a file of the system, which takes longer to read than many a step
    if (gathered < most && grownBytes === Number.POSITIVE_INFINITY) return
    const rss = process.memoryUsage.rss()
    if (rss < smallBytes || (gathered < most && rss < grownBytes)) return
    gathered = 0
    collectGarbage()
    grownBytes = process.memoryUsage.rss() + mostGrownBytes
  }
}

/** When `createYoungCollector` collects, in the caller's unit of work. */
interface Generations {
  /** Units between two collections of young objects, which take 1 ms, while a full one takes 7 to 25. */
  readonly young: number
  /** Units between two full collections. */
  readonly all: number
  /** A full collection also follows once the process has grown by this since the last one. */
  readonly mostGrownBytes: number
}

/**
 * A single step that grows memory by this beyond the limit was a large one; its memory is returned to the system at
 * once.
 */
const LEAP_BYTES = 32 * 1_048_576

/**
 * As `createCollector`, for work whose steps share no data, so that collecting young objects suffices. Compiled code is
 * kept, and freed memory stays with the process for the next steps. A full collection that gives nothing back doubles the
 * growth allowed until the next one, since the process then grows by something else, such as the caches of SQLite.
 */
export function createYoungCollector({ young, all, mostGrownBytes }: Generations): (amount?: number) => void {
  let allowedBytes = mostGrownBytes
  let collectedBytes = process.memoryUsage.rss()
  let lastBytes = collectedBytes
  let gathered = 0
  let gatheredYoung = 0
  return (amount = 1) => {
    gatheredYoung += amount
    const stepBytes = process.memoryUsage.rss() - lastBytes
    const hasLeapt = stepBytes >= mostGrownBytes + LEAP_BYTES
    if (gatheredYoung < young && !hasLeapt) return
    gathered += gatheredYoung
    gatheredYoung = 0
    edenGC()
    lastBytes = process.memoryUsage.rss()
    if (!hasLeapt && gathered < all && lastBytes < collectedBytes + allowedBytes) return
    gathered = 0
    if (hasLeapt) collectGarbage()
    else fullGC()
    collectedBytes = process.memoryUsage.rss()
    const hasHelped = lastBytes - collectedBytes > mostGrownBytes / 4
    allowedBytes = hasHelped ? mostGrownBytes : Math.min(2 * allowedBytes, LEAP_BYTES)
    lastBytes = collectedBytes
  }
}

/** Interval at which the process checks whether it is idle. */
export const LOOK_MS = 10_000
/** The process is idle when it used less than this in an interval, microseconds of processor time. */
const IDLE_US = 300_000

/**
 * Returns memory to the system after work has ended; otherwise collector, allocator and compiled code keep it until the
 * next work, perhaps a day later. The first answer after that takes some 30 ms longer.
 * @param giveBack called as well, once each time the process becomes idle
 * @param workedUs processor time of the process so far, microseconds
 * @returns a function to be called every `LOOK_MS`
 */
export function createIdleCollector(giveBack: () => void, workedUs: () => number = processorUs): () => void {
  let before = 0
  let isAtRest = false
  return () => {
    const now = workedUs()
    const isIdle = now - before < IDLE_US
    before = now
    if (isIdle && !isAtRest) {
      giveBack()
      collectGarbage()
      Bun.shrink()
    }
    isAtRest = isIdle
  }
}

function processorUs(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}
