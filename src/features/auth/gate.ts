import { createHash, timingSafeEqual } from 'node:crypto'
import { Elysia } from 'elysia'
import type { Config } from '../../base/config.ts'
import { AppError, notFound, unauthorized } from '../../base/errors.ts'
import { DAMAGED } from '../../db/disk-full.ts'
import { setActor } from '../../http/author.ts'
import { otherMethod } from '../../http/errors.ts'
import { pathOf, seeOther } from '../../http/paths.ts'
import type { Deps } from '../../library/deps.ts'
import { isFeed } from '../calendar/token.ts'
import { isUpload, isWithinScope } from './api-keys.ts'
import type { Arrivals } from './arrivals.ts'
import { basicKey, callerOf, type KeyOwner, keyOwner } from './credentials.ts'
import { countWrongKey, createVisits } from './throttle.ts'

/** Calls that need no credentials; none of them reveals data of the user. */
const PUBLIC: ReadonlySet<string> = new Set([
  'GET /health',
  'GET /ready',
  'GET /version',
  'POST /auth/register',
  'POST /auth/login',
  'POST /auth/logout',
  'GET /auth/registration-available',
  'GET /swagger',
  'GET /swagger/json',
  'GET /',
  'GET /app',
  'GET /favicon.ico',
  'GET /manifest.webmanifest',
  'GET /service-worker.js',
])

const PUBLIC_FOLDERS = ['/app/', '/assets/', '/icons/', '/swagger/assets/'] as const

/** Calls that need a browser session: an API key must not create what outlives it, change the password or end sessions. */
const SESSION_ONLY: ReadonlySet<string> = new Set([
  'POST /auth/change-password',
  'POST /auth/logout-others',
  'POST /auth/api-keys',
  'POST /settings/calendar-feed',
])
const SHARING = /^\/workouts\/[^/]+\/share$/

/** Calls that write nothing, though their methods could; they also continue with a damaged database. */
const READING: ReadonlySet<string> = new Set([
  'POST /auth/login',
  'POST /auth/logout',
  'POST /workouts/export',
  'POST /workouts/export/files',
])

/** An address with an upload key in its path, and perhaps a file name. */
const UPLOAD_ADDRESS = /^\/in\/([^/]+)(?:\/[^/]*)?$/

/** The address of the calendar feed: a token and `.ics`. */
const FEED_ADDRESS = /^\/calendar\/([^/]+)$/

/** Pages of shared runs and their photos, each with a token. */
const SHARED_ADDRESS = /^\/s\/[^/]+(?:\/photos\/[^/]+)?$/

/** The call that METRICS_TOKEN opens, and no other. */
const METRICS = 'GET /metrics'

/** The call of a phone's share sheet, sent by the browser; without a session it redirects to the login. */
const SHARE = 'POST /share'
const SHARE_AGAIN = '/app/login?then=share'

export function isPublic(method: string, path: string): boolean {
  if (PUBLIC.has(`${method} ${path}`)) return true
  return method === 'GET' && PUBLIC_FOLDERS.some((folder) => path.startsWith(folder))
}

type Pass =
  | 'none'
  | 'any credential'
  | 'a session'
  | 'the key in its path'
  | 'the token in its path'
  | 'a session, or it leads to the login'

/** @param path as sent, or with `{key}` as in the API document */
export function passOf(method: string, path: string): Pass {
  if (isPublic(method, path)) return 'none'
  if (SESSION_ONLY.has(`${method} ${path}`) || (method === 'POST' && SHARING.test(path))) return 'a session'
  if (`${method} ${path}` === SHARE) return 'a session, or it leads to the login'
  if (method === 'GET' && (FEED_ADDRESS.test(path) || SHARED_ADDRESS.test(path))) return 'the token in its path'
  const isUpload = (method === 'POST' || method === 'PUT') && UPLOAD_ADDRESS.test(path)
  return isUpload ? 'the key in its path' : 'any credential'
}

/**
 * Requires credentials before a byte of the body is read, also for unknown paths; a later hook would let strangers send
 * 500 MB first. Writing calls from pages of other origins are refused.
 * @param methodsOf of the routes at a path, a fixed one before one with an id
 */
export function gate(deps: Deps, arrivals: Arrivals, methodsOf: (path: string) => readonly string[]) {
  const { config } = deps
  const visits = createVisits(deps)
  return new Elysia({ name: 'gate' }).onRequest(async ({ request, server }) => {
    const { method } = request
    const path = pathOf(request)
    const pass = passOf(method, path)
    const methods = methodsOf(path)
    const isOther = methods.length > 0 && !methods.includes(method === 'HEAD' ? 'GET' : method)
    // what is open has no secret methods
    if (pass === 'any credential' && isOther && methods.some((one) => isPublic(one, path)))
      return otherMethod(method, methods)
    const address = () => clientAddress(request, { trustProxy: config.trustProxy, server })
    if (pass === 'none') {
      if (isWrite(method)) refuseForeignPage(config, request)
    } else if (pass === 'the key in its path') {
      const { keyId, keyName } = uploadKey(deps, path, address)
      arrivals.expect(request, { keyId })
      setActor(request, `key:${keyName}`, keyId)
    } else if (pass === 'the token in its path') {
      // its route looks the token up
      if (SHARED_ADDRESS.test(path)) return visits.count(address())
      if (isFeed(deps.db, FEED_ADDRESS.exec(path)?.[1] ?? '')) return
      countWrongKey(deps, address())
      throw notFound('Calendar')
    } else if (pass === 'a session, or it leads to the login') {
      refuseForeignShare(config, request)
      const caller = await callerOf(deps, request)
      if (caller?.kind !== 'session') return seeOther(SHARE_AGAIN)
      arrivals.expect(request, { sharedBy: caller.userId })
      setActor(request, 'browser', caller.userId)
    } else {
      const caller = await callerOf(deps, request)
      if (caller === null && `${method} ${path}` === METRICS && isMetricsToken(config.metricsToken, request)) return
      if (caller === null && basicKey(request) !== null) countWrongKey(deps, address())
      if (caller === null) throw unauthorized()
      if (pass === 'a session' && caller.kind === 'apiKey')
        throw unauthorized('This call needs a login, not an API key', { code: 'session_required' })
      if (caller.kind === 'apiKey' && !isWithinScope(caller.scope, method, path)) {
        throw new AppError('forbidden', `This key may only ${caller.scope}`, { code: 'key_scope' })
      }
      // an Authorization header proves that the sender knows the credential; a cookie does not, since browsers add it
      // for any page
      if (isWrite(method) && caller.isAmbient) refuseForeignPage(config, request)
      if (isWrite(method)) {
        const isKey = caller.kind === 'apiKey'
        setActor(request, isKey ? `key:${caller.keyName}` : 'browser', isKey ? caller.keyId : caller.userId)
      }
      if (caller.kind === 'apiKey' && isUpload(method, path)) arrivals.expect(request, { keyId: caller.keyId })
    }
    if (deps.damage.isFound && isWrite(method) && !READING.has(`${method} ${path}`))
      throw new AppError('unavailable', DAMAGED, { code: 'database_damaged' })
    return isOther ? otherMethod(method, methods) : undefined
  })
}

function isWrite(method: string): boolean {
  return method !== 'GET' && method !== 'OPTIONS'
}

/** Compared as hashes, which are equally long, in constant time. */
function isMetricsToken(token: string | null, request: Request): boolean {
  const sent = /^\s*bearer\s+(\S+)\s*$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  if (token === null || sent === undefined) return false
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(sent), hash(token))
}

/** The key in an upload address. @throws AppError 401 for an unknown or revoked one, or another scope; 429 */
function uploadKey(deps: Deps, path: string, address: () => string): KeyOwner {
  const owner = keyOwner(deps, UPLOAD_ADDRESS.exec(path)?.[1] ?? '')
  if (owner?.scope === 'upload') return owner
  countWrongKey(deps, address())
  throw unauthorized()
}

/** Looks up the address of a connection; null in tests that call the app without a server. */
interface AddressBook {
  requestIP(request: Request): { readonly address: string } | null
}

/** The client's address: the last hop that a trusted proxy reports, else that of the connection. */
export function clientAddress(
  request: Request,
  { trustProxy, server }: { trustProxy: boolean; server: AddressBook | null },
): string {
  const lastHop = trustProxy ? request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined
  return lastHop ? lastHop : (server?.requestIP(request)?.address ?? 'unknown')
}

type PageConfig = Pick<Config, 'corsAllowedOrigins' | 'trustProxy'>

/**
 * Refuses requests that a page of another origin sends through the runner's browser, which adds the cookie
 * automatically or reaches a server that the page's author cannot. Browsers state the origin of a request, and pages
 * cannot change that; requests without it, such as those of curl, are not from a page.
 * @throws AppError 403
 */
function refuseForeignPage(config: PageConfig, { headers }: Request): void {
  const origin = headers.get('origin')
  if (origin !== null && config.corsAllowedOrigins.includes(origin)) return
  const site = siteOf(headers)
  // the browser compared with the address that it used, which a proxy may have replaced
  if (site === 'same-origin') return
  const isForeign =
    site === 'cross-site' || site === 'same-site' || (origin !== null && !isOwn(config, headers, origin))
  if (!isForeign) return
  throw new AppError(
    'forbidden',
    'A page of another origin must not change anything; CORS_ALLOWED_ORIGINS may name it, and a proxy has to pass Host on',
    { code: 'foreign_origin' },
  )
}

/**
 * As `refuseForeignPage`, for the share sheet of a system: there the browser itself sends the request with
 * `Sec-Fetch-Site: none` and origin `null`. A page cannot produce this combination.
 * @throws AppError 403
 */
function refuseForeignShare(config: PageConfig, request: Request): void {
  const { headers } = request
  if (headers.get('origin') === 'null' && siteOf(headers) === 'none') return
  refuseForeignPage(config, request)
}

function siteOf(headers: Headers): string | undefined {
  return headers.get('sec-fetch-site')?.trim().toLowerCase()
}

/** Whether an origin is the address that this request was sent to, by Host and by the headers of a trusted proxy. */
function isOwn({ trustProxy }: PageConfig, headers: Headers, origin: string): boolean {
  const sent = originOf(origin)
  if (sent === null) return false
  const scheme = trustProxy ? lastOf(headers.get('x-forwarded-proto')) : null
  if (scheme !== null && sent.protocol !== `${scheme.toLowerCase()}:`) return false
  // without a trusted proxy it is unknown whether http or https was used, so either is accepted
  const hosts = [headers.get('host'), trustProxy ? lastOf(headers.get('x-forwarded-host')) : null]
  return hosts.some((host) => host !== null && originOf(`${sent.protocol}//${host}`)?.host === sent.host)
}

/** null for an invalid origin, such as `null` or one with a user name. */
function originOf(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null
  const isPage = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
  return isPage ? url : null
}

/** The last element, which the nearest proxy added. */
function lastOf(list: string | null): string | null {
  return list?.split(',').at(-1)?.trim() || null
}
