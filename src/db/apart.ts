import { clientOf, type Tx } from './open.ts'

/**
 * A part of a transaction that is taken back by itself when it fails.
 * @throws what ended the whole transaction, as a full disk does
 */
export function apart<T>(tx: Tx, work: (tx: Tx) => T): { readonly value: T } | { readonly error: unknown } {
  const client = clientOf(tx)
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
