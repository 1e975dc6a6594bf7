import { timingSafeEqual } from 'node:crypto'
import { and, eq, gt, isNull, or, sql } from 'drizzle-orm'
import { preparedOnce } from '../../db/prepared.ts'
import { apiKeys, users } from '../../db/schema-account.ts'
import { localDay } from '../../engine/calendar/weeks.ts'
import type { Deps } from '../../library/deps.ts'
import { API_KEY_PREFIX, keyHash, type Scope } from './api-keys.ts'
import { readToken, SESSION_COOKIE } from './sessions.ts'

/** Who is calling: a browser session, or a program with an API key. */
type Caller = {
  /** Whether the browser sends it automatically, for pages of any origin: a cookie, or remembered Basic credentials. */
  readonly isAmbient: boolean
} & Owner

type Owner =
  | { readonly kind: 'session'; readonly userId: string; readonly version: number; readonly rememberMe: boolean }
  | KeyOwner

export interface KeyOwner {
  readonly kind: 'apiKey'
  readonly userId: string
  readonly keyId: string
  readonly keyName: string
  readonly scope: Scope
}

/** Most cookies of one name that are tried; several arrive after the cookie's domain was changed. */
const MAX_COOKIES = 4

/**
 * The owner of the first valid credential, from a header, else from the cookie. Checked against the database at every
 * call, so that a revoked key, a deleted user or a changed password takes effect at once.
 */
export async function callerOf(deps: Deps, request: Request): Promise<Caller | null> {
  const header = request.headers.get('authorization') ?? ''
  const bearer = /^\s*bearer\s+(\S+)\s*$/i.exec(header)?.[1]
  if (bearer !== undefined) {
    const owner = bearer.startsWith(API_KEY_PREFIX) ? keyOwner(deps, bearer) : await sessionOwner(deps, bearer)
    if (owner !== null) return { ...owner, isAmbient: false }
  }
  const basic = basicKey(request)
  const owner = basic === null ? null : keyOwner(deps, basic)
  if (owner !== null) return { ...owner, isAmbient: true }
  for (const token of sessionCookies(request)) {
    const owner = await sessionOwner(deps, token)
    if (owner !== null) return { ...owner, isAmbient: true }
  }
  return null
}

/**
 * The API key given as the password of `Authorization: Basic` (RFC 7617), with any user name. A password without the
 * form of a key belongs to a proxy, which passed the header on.
 */
export function basicKey(request: Request): string | null {
  const sent = /^\s*basic\s+([A-Za-z0-9+/_-]+=*)\s*$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  if (sent === undefined) return null
  const pair = Buffer.from(sent, 'base64').toString('utf8')
  const password = pair.slice(pair.indexOf(':') + 1)
  return pair.includes(':') && password.startsWith(API_KEY_PREFIX) ? password : null
}

/** @returns null for an unknown, revoked or expired key */
export function keyOwner(deps: Deps, key: string): KeyOwner | null {
  const { db, now, after } = deps
  const hash = keyHash(key)
  const row = db
    .select({
      id: apiKeys.id,
      userId: apiKeys.userId,
      keyHash: apiKeys.keyHash,
      label: apiKeys.label,
      prefix: apiKeys.keyPrefix,
      scope: apiKeys.scope,
      lastUsedDay: apiKeys.lastUsedDay,
    })
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.keyHash, hash),
        isNull(apiKeys.revokedAt),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now())),
      ),
    )
    .get()
  if (row === undefined || !timingSafeEqual(Buffer.from(row.keyHash), Buffer.from(hash))) return null
  const today = localDay(now(), 0)
  // after the answer, which waits for no disk
  if (row.lastUsedDay !== today) after(0, () => noteUse(deps, row.id, today))
  return { kind: 'apiKey', userId: row.userId, keyId: row.id, keyName: row.label ?? row.prefix, scope: row.scope }
}

/** Writes once for all requests that came before it. */
function noteUse({ db, damage, log }: Deps, id: string, day: number): void {
  if (damage.isFound) return
  try {
    db.update(apiKeys)
      .set({ lastUsedDay: day })
      .where(and(eq(apiKeys.id, id), sql`${apiKeys.lastUsedDay} IS NOT ${day}`))
      .run()
  } catch (error) {
    // the disk may be full, which a request that writes reports
    log.warn(`The last use of a key could not be stored: ${error instanceof Error ? error.message : error}`)
  }
}

/** Prepared, since every request of the page runs it. */
const userOf = preparedOnce((tx) =>
  tx
    .select({ version: users.sessionVersion })
    .from(users)
    .where(eq(users.id, sql.placeholder('id')))
    .prepare(),
)

async function sessionOwner(deps: Deps, token: string): Promise<Owner | null> {
  const session = await readToken(deps, token)
  if (session === null) return null
  const user = userOf(deps.db).get({ id: session.userId })
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
