import { returnGarbage } from '../garbage.ts'

/**
 * From so many rows on garbage is collected after each step, which takes 20 to 80 ms; the collector by itself lets as
 * much gather as memory is in use.
 */
const LARGE_ROWS = 200_000

export function isLargeTrack(rows: number): boolean {
  return rows >= LARGE_ROWS
}

/** A function to call between two steps that each leave several columns of so many rows behind. */
export function restFor(rows: number): () => void {
  return isLargeTrack(rows) ? returnGarbage : () => {}
}
