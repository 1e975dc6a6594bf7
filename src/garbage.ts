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
    Bun.gc(true)
    grownBytes = process.memoryUsage.rss() + mostGrownBytes
  }
}
