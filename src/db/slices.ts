import { createPace } from '../base/pace.ts'
import type { Db, Tx } from './open.ts'

/**
 * Works on each of many in transactions of a few milliseconds, so that others are served in between.
 * @param most items of one transaction; for rows far apart, whose commit takes longer than writing them
 */
export async function inSlices<T>(
  db: Db,
  items: readonly T[],
  work: (tx: Tx, item: T) => void,
  most = Number.POSITIVE_INFINITY,
): Promise<void> {
  const pace = createPace()
  for (let at = 0; at < items.length; ) {
    const end = Math.min(items.length, at + most)
    db.transaction((tx) => {
      do {
        work(tx, items[at]!)
        at += 1
      } while (at < end && !pace.needsRest())
    })
    await pace.rest()
  }
}
