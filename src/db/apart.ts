import { clientOf, type Tx } from './open.ts'

/**
 * A part of a transaction that is taken back by itself when it fails.
 * @throws what ended the whole transaction, as a full disk does
 */
export function apart<T>(tx: Tx, work: (tx: Tx) => T): { readonly value: T } | { readonly error: unknown } {
  const client = clientOf(tx)
  client.run('SAVEPOINT apart')
  try {
    const value = work(tx)
    client.run('RELEASE apart')
    return { value }
  } catch (error) {
    if (!client.inTransaction) throw error
    client.run('ROLLBACK TO apart')
    client.run('RELEASE apart')
    return { error }
  }
}
