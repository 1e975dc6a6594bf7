import type { Db } from './open.ts'

/**
 * Keeps what a function computed from the database last, until the state of the database or the arguments differ.
 * @param computed called with few and small arguments, which JSON distinguishes
 * @param stateOf differs whenever the result may differ
 */
export function kept<A extends readonly unknown[], T>(
  db: Db,
  computed: (...asked: A) => T,
  stateOf: (db: Db) => unknown = changesSoFar,
): (...asked: A) => T {
  let last: { readonly key: string; readonly value: T } | null = null
  return (...asked) => {
    // what a transaction has written may be rolled back, and a later one may lead to the same state
    if (db.$client.inTransaction) return computed(...asked)
    const key = JSON.stringify([stateOf(db), ...asked])
    if (last?.key !== key) last = { key, value: computed(...asked) }
    return last.value
  }
}

/** Grows with every row that this connection, the only one that writes, inserts, updates or deletes. */
export function changesSoFar({ $client: client }: Db): number {
  return client.query<{ n: number }, []>('SELECT total_changes() AS n').get()!.n
}
