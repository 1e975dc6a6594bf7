import { randomBytes } from 'node:crypto'
import { desc, eq } from 'drizzle-orm'
import { invalid, notFound } from '../../base/errors.ts'
import { LENGTHS } from '../../base/texts.ts'
import type { Tx } from '../../db/open.ts'
import { apiKeys } from '../../db/schema-account.ts'
import { isoTime, isoTimeOrNull } from '../../engine/calendar/timestamp.ts'
import { isoDate } from '../../engine/calendar/weeks.ts'
import { characters } from '../../http/check.ts'
import type { Deps } from '../../library/deps.ts'
import { arrivalOf } from './arrivals.ts'

export const SCOPES = ['full', 'read', 'upload'] as const
export type Scope = (typeof SCOPES)[number]

/** Calls that a key with the scope upload may make, beside its own address below `/in/`. */
const UPLOADS: ReadonlySet<string> = new Set([
  'POST /workouts/import',
  'POST /workouts/import/raw',
  'POST /workouts/import/health',
])

export function isUpload(method: string, path: string): boolean {
  return UPLOADS.has(`${method} ${path}`)
}

/** Calls that a key with the scope read may not make: they list keys. */
const NOT_READ = '/auth/api-keys'

/** Whether a key of this scope may make a call that needs credentials; also for unknown paths. */
export function isWithinScope(scope: Scope, method: string, path: string): boolean {
  if (scope === 'full') return true
  if (scope === 'upload') return isUpload(method, path)
  return method === 'GET' && path !== NOT_READ && !path.startsWith(`${NOT_READ}/`)
}

export const API_KEY_PREFIX = 'tmp_'

const SHOWN_CHARACTERS = 16

/** SHA-256 in hex. A key has 256 random bits, so a slow hash would add no protection. */
export function keyHash(key: string): string {
  return new Bun.CryptoHasher('sha256').update(key).digest('hex')
}

interface NewKey {
  readonly label: string | null
  readonly scope: Scope
  /** From when on it is refused; null: never. */
  readonly expiresAtMs: number | null
}

/** Creates an API key; its text is returned only here, the database has its hash. @throws AppError 400 */
export function createApiKey({ db, now }: Deps, userId: string, { label, scope, expiresAtMs }: NewKey) {
  const trimmed = label?.trim() ?? ''
  if (characters(trimmed) > LENGTHS.label) {
    throw invalid(`label must be text of at most ${LENGTHS.label} characters`, { field: 'label' })
  }
  if (expiresAtMs !== null && expiresAtMs <= now())
    throw invalid(`expiresAt must be in the future, not ${isoTime(expiresAtMs)}`, { field: 'expiresAt' })
  const key = API_KEY_PREFIX + randomBytes(32).toString('base64url')
  const row = {
    id: Bun.randomUUIDv7(),
    label: trimmed === '' ? null : trimmed,
    keyPrefix: key.slice(0, SHOWN_CHARACTERS),
    scope,
    createdAt: now(),
  }
  db.insert(apiKeys)
    .values({ ...row, userId, keyHash: keyHash(key), expiresAt: expiresAtMs })
    .run()
  return { ...row, key, createdAt: isoTime(row.createdAt), expiresAt: isoTimeOrNull(expiresAtMs) }
}

/** All keys without their text, newest first, including revoked and expired ones. */
export function listApiKeys(tx: Tx, userId: string) {
  const rows = tx
    .select({
      id: apiKeys.id,
      label: apiKeys.label,
      keyPrefix: apiKeys.keyPrefix,
      createdAt: apiKeys.createdAt,
      revokedAt: apiKeys.revokedAt,
      scope: apiKeys.scope,
      lastUploadAt: apiKeys.lastUploadAt,
      lastUploadError: apiKeys.lastUploadError,
      expiresAt: apiKeys.expiresAt,
      lastUsedDay: apiKeys.lastUsedDay,
    })
    .from(apiKeys)
    .where(eq(apiKeys.userId, userId))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
    .all()
  return rows.map(({ createdAt, revokedAt, expiresAt, lastUsedDay, lastUploadAt, lastUploadError, ...row }) => ({
    ...row,
    lastUpload: arrivalOf(lastUploadAt, lastUploadError),
    createdAt: isoTime(createdAt),
    revokedAt: isoTimeOrNull(revokedAt),
    expiresAt: isoTimeOrNull(expiresAt),
    lastUsedAt: lastUsedDay === null ? null : isoDate(lastUsedDay),
  }))
}

/** Revokes a key, whose row stays; repeating it keeps the first time of revocation. @throws AppError 404 */
export function revokeApiKey({ db, now, events }: Deps, id: string): void {
  db.transaction((tx) => {
    const key = tx.select({ revokedAt: apiKeys.revokedAt }).from(apiKeys).where(eq(apiKeys.id, id)).get()
    if (key === undefined) throw notFound('API key')
    if (key.revokedAt === null) tx.update(apiKeys).set({ revokedAt: now() }).where(eq(apiKeys.id, id)).run()
  })
  events.emit({ event: 'credentials.changed', data: {} })
}
