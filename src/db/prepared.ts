import type { Database } from 'bun:sqlite'
import { clientOf, type Tx } from './open.ts'

/**
 * What is asked with every run of an import: built and prepared once a connection. Drizzle takes ten times as long to build a
 * small question as SQLite to answer it.
 * @param make is given the first transaction that asks; what it prepares works in all others of the connection
 */
export function preparedOnce<T>(make: (tx: Tx) => T): (tx: Tx) => T {
  const made = new WeakMap<Database, T>()
  return (tx) => {
    const client = clientOf(tx)
    const known = made.get(client)
    if (known !== undefined) return known
    const found = make(tx)
    made.set(client, found)
    return found
  }
}
