import { timingSafeEqual } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import { apiKeys, users } from '../db/schema-account.ts'
import type { Deps } from '../deps.ts'
import { API_KEY_PREFIX, keyHash } from './api-keys.ts'
import { readToken, SESSION_COOKIE } from './sessions.ts'

/** Who is calling: a person's session, or a machine with an API key. */
export type Caller = { /** The browser sent it by itself. */ readonly isCookie: boolean } & Owner

type Owner =
  | { readonly kind: 'session'; readonly userId: string; readonly version: number; readonly rememberMe: boolean }
  | { readonly kind: 'apiKey'; readonly userId: string; readonly keyId: string; readonly keyName: string }

/** A few cookies of one name arrive when the cookie domain was changed. */
const MAX_COOKIES = 4

/**
 * The owner of the first valid credential: the header's, else the cookie's. Checked against the database at every call,
 * so that a revoked key, a deleted user or a changed password counts at once.
 * @returns null for a stranger
 */
export async function callerOf(deps: Deps, request: Request): Promise<Caller | null> {
  const bearer = /^\s*bearer\s+(\S+)\s*$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  if (bearer !== undefined) {
    const owner = bearer.startsWith(API_KEY_PREFIX) ? keyOwner(deps, bearer) : await sessionOwner(deps, bearer)
    if (owner !== null) return { ...owner, isCookie: false }
  }
  for (const token of sessionCookies(request)) {
    const owner = await sessionOwner(deps, token)
    if (owner !== null) return { ...owner, isCookie: true }
  }
  return null
}

function keyOwner({ db }: Deps, key: string): Owner | null {
  const hash = keyHash(key)
  const row = db
    .select({
      id: apiKeys.id,
      userId: apiKeys.userId,
      keyHash: apiKeys.keyHash,
      label: apiKeys.label,
      prefix: apiKeys.keyPrefix,
    })
    .from(apiKeys)
    .where(and(eq(apiKeys.keyHash, hash), isNull(apiKeys.revokedAt)))
    .get()
  if (row === undefined || !timingSafeEqual(Buffer.from(row.keyHash), Buffer.from(hash))) return null
  return { kind: 'apiKey', userId: row.userId, keyId: row.id, keyName: row.label ?? row.prefix }
}

async function sessionOwner(deps: Deps, token: string): Promise<Owner | null> {
  const session = await readToken(deps, token)
  if (session === null) return null
  const user = deps.db.select({ version: users.sessionVersion }).from(users).where(eq(users.id, session.userId)).get()
  return user?.version === session.version ? { kind: 'session', ...session } : null
}

function sessionCookies(request: Request): string[] {
  const pairs = (request.headers.get('cookie') ?? '').split(';')
  return pairs
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${SESSION_COOKIE}=`))
    .map((pair) => pair.slice(SESSION_COOKIE.length + 1).replace(/^"(.*)"$/, '$1'))
    .filter((value) => value !== '')
    .slice(0, MAX_COOKIES)
}
