import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { syncAccounts } from '../../db/schema-account.ts'
import type { Deps } from '../../library/deps.ts'

// The connection to intervals.icu. The key is encrypted with the service's secret; neither is in an archive.

const NAME = 'intervals_icu'
const [IV_BYTES, TAG_BYTES] = [12, 16]

export type SyncAccount = typeof syncAccounts.$inferSelect

export function storedAccount(tx: Tx): SyncAccount | null {
  return tx.select().from(syncAccounts).where(eq(syncAccounts.name, NAME)).get() ?? null
}

type Values = Omit<SyncAccount, 'name' | 'secret'>

/** Connects, in place of an earlier connection. */
export function storeAccount(tx: Tx, { jwtSecret }: Pick<Deps, 'jwtSecret'>, apiKey: string, values: Values): void {
  removeAccount(tx)
  tx.insert(syncAccounts)
    .values({ ...values, name: NAME, secret: encrypted(apiKey, jwtSecret) })
    .run()
}

/** Changes a connection, and none that took its place meanwhile. */
export function updateAccount(tx: Tx, { secret }: Pick<SyncAccount, 'secret'>, values: Partial<Values>): void {
  const isSame = and(eq(syncAccounts.name, NAME), eq(syncAccounts.secret, secret))
  tx.update(syncAccounts).set(values).where(isSame).run()
}

export function removeAccount(tx: Tx): void {
  tx.delete(syncAccounts).where(eq(syncAccounts.name, NAME)).run()
}

/** @returns null when the secret of the service is another one by now */
export function keyOf({ secret }: SyncAccount, { jwtSecret }: Pick<Deps, 'jwtSecret'>): string | null {
  try {
    const iv = secret.subarray(0, IV_BYTES)
    const decipher = createDecipheriv('aes-256-gcm', cipherKey(jwtSecret), iv)
    decipher.setAuthTag(secret.subarray(-TAG_BYTES))
    return decipher.update(secret.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return null
  }
}

function encrypted(text: string, jwtSecret: string): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', cipherKey(jwtSecret), iv)
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

function cipherKey(jwtSecret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', jwtSecret, '', 'harrier sync', 32))
}
