import { edenGC, fullGC } from 'bun:jsc'

/** Collects all garbage now, which blocks the thread for 3 to 80 ms, by what is in use. For right after a single large step. */
export function collectGarbage(): void {
  Bun.gc(true)
}

/** What small work may leave behind, bytes of resident memory. */
const GROWTH_BYTES = 8 * 1_048_576

/**
 * For long work that leaves much behind, called after each step: collects all garbage after so much of it, once the process
 * has grown. The collector by itself lets a multiple of that gather, for which a small machine has no room.
 * @param most steps, rows or bytes, as the caller counts, between two collections; one takes 3 to 10 ms
 * @param mostGrownBytes collects before that when the process has grown by so much since the last time
 */
export function createCollector(most: number, mostGrownBytes = Number.POSITIVE_INFINITY): (amount?: number) => void {
  const smallBytes = process.memoryUsage.rss() + GROWTH_BYTES
  let gathered = 0
  let grownBytes = smallBytes + mostGrownBytes
  return (amount = 1) => {
    gathered += amount
    const rss = process.memoryUsage.rss()
    if (rss < smallBytes || (gathered < most && rss < grownBytes)) return
    gathered = 0
    collectGarbage()
    grownBytes = process.memoryUsage.rss() + mostGrownBytes
  }
}

/** When is collected; of `amount`s as the caller counts. */
interface Generations {
  /** What came since the last collection. It takes 1 ms, where all takes 7 to 10. */
  readonly young: number
  /** All. */
  readonly all: number
  /** All as well, once the process has grown by so much since. */
  readonly mostGrownBytes: number
}

/** One step that leaves so much beyond what is let grow was a large one: what it took is given back at once. */
const LEAP_BYTES = 32 * 1_048_576

/**
 * As `createCollector`, for work whose steps leave nothing to each other: what they leave is collected young. What is compiled
 * stays, and what was freed stays with the process for the next steps.
 */
export function createYoungCollector({ young, all, mostGrownBytes }: Generations): (amount?: number) => void {
  let grownBytes = process.memoryUsage.rss() + mostGrownBytes
  let gathered = 0
  let gatheredYoung = 0
  return (amount = 1) => {
    gatheredYoung += amount
    const hasLeapt = process.memoryUsage.rss() >= grownBytes + LEAP_BYTES
    if (gatheredYoung < young && !hasLeapt) return
    gathered += gatheredYoung
    gatheredYoung = 0
    edenGC()
    if (gathered < all && process.memoryUsage.rss() < grownBytes) return
    gathered = 0
    if (hasLeapt) collectGarbage()
    else fullGC()
    grownBytes = process.memoryUsage.rss() + mostGrownBytes
  }
}

/** How often is looked whether anything is done. */
export const LOOK_MS = 10_000
/** What next to nothing takes in that time, microseconds of processor time. */
const IDLE_US = 300_000

/**
 * Gives back what work has left, once it is over: collector, allocator and compiled code keep it otherwise for the next work,
 * which may be a day away. The first answer after that takes some 30 ms longer.
 * @param giveBack called as well, once each time the process has come to rest
 * @param workedUs processor time of the process so far, microseconds
 * @returns to be called every `LOOK_MS`
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
