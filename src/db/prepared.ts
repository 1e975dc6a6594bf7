import type { Database } from 'bun:sqlite'
import { eq, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Tx } from './open.ts'

/**
 * Prepares a query once per connection, for queries that run for every run of an import: drizzle takes ten times as
 * long to build a small query as SQLite takes to answer it.
 * @param make called with the first transaction that needs the query; the prepared result works in all others of the
 * connection
 */
export function preparedOnce<T>(make: (tx: Tx) => T): (tx: Tx) => T {
  const made = new WeakMap<Database, T>()
  return (tx) => {
    const client = tx.$client
    const known = made.get(client)
    if (known !== undefined) return known
    const found = make(tx)
    made.set(client, found)
    return found
  }
}

/** The rows of a table with a value in one of its columns, prepared in the same way: `.get({ is: id })`. */
export function rowsBy<T extends SQLiteTable>(table: T, column: SQLiteColumn) {
  return preparedOnce((tx) =>
    tx
      .select()
      .from(table)
      .where(eq(column, sql.placeholder('is')))
      .prepare(),
  )
}
