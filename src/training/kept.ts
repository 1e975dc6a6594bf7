import { changesSoFar } from '../db/changed-rows.ts'
import type { Db } from '../db/open.ts'

/**
 * Caches the last answer until the database is written to or the request differs.
 * @param keyOf a text that identifies the request
 */
export function kept<A, T>(db: Db, keyOf: (asked: A) => string, made: (asked: A) => T): (asked: A) => T {
  let last: { readonly key: string; readonly answer: T } | null = null
  return (asked) => {
    const key = `${changesSoFar(db)} ${keyOf(asked)}`
    if (last?.key !== key) last = { key, answer: made(asked) }
    return last.answer
  }
}
