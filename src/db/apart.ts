import type { Tx } from './open.ts'

/**
 * Runs a part of a transaction in a savepoint and rolls back that part alone when it fails.
 * @throws errors that end the whole transaction, such as a full disk
 */
export function apart<T>(tx: Tx, work: (tx: Tx) => T): { readonly value: T } | { readonly error: unknown } {
  const client = tx.$client
  client.query('SAVEPOINT apart').run()
  try {
    const value = work(tx)
    client.query('RELEASE apart').run()
    return { value }
  } catch (error) {
    if (!client.inTransaction) throw error
    client.query('ROLLBACK TO apart').run()
    client.query('RELEASE apart').run()
    return { error }
  }
}

/** What a part of the work gives that writes first; nothing of it stays. */
export function pretended<T>(tx: Tx, work: (tx: Tx) => T): T {
  const client = tx.$client
  client.query('SAVEPOINT pretended').run()
  try {
    return work(tx)
  } finally {
    client.query('ROLLBACK TO pretended').run()
    client.query('RELEASE pretended').run()
  }
}
