import { createHash, timingSafeEqual } from 'node:crypto'
import { Elysia } from 'elysia'
import { AppError, unauthorized } from '../../base/errors.ts'
import { DAMAGED } from '../../db/damage.ts'
import { setActor } from '../../http/author.ts'
import { refuseForeignPage, refuseForeignShare } from '../../http/foreign-page.ts'
import { pathOf, seeOther } from '../../http/paths.ts'
import type { Deps } from '../../library/deps.ts'
import type { Arrivals } from './arrivals.ts'
import { clientAddress } from './client-address.ts'
import { basicKey, callerOf, type KeyOwner, keyOwner } from './credentials.ts'
import { isUpload, isWithinScope } from './scopes.ts'
import { countWrongKey } from './throttle.ts'

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

/** Calls that need a browser session: an API key must not create keys, change the password or end sessions. */
const SESSION_ONLY: ReadonlySet<string> = new Set([
  'POST /auth/change-password',
  'POST /auth/logout-others',
  'POST /auth/api-keys',
])

/** Calls that write nothing, though their methods could; they also continue with a damaged database. */
const READING: ReadonlySet<string> = new Set([
  'POST /auth/login',
  'POST /auth/logout',
  'POST /workouts/export',
  'POST /workouts/export/files',
])

/** An address with an upload key in its path, and perhaps a file name. */
const UPLOAD_ADDRESS = /^\/in\/([^/]+)(?:\/[^/]*)?$/

/** The call that METRICS_TOKEN opens, and no other. */
const METRICS = 'GET /metrics'

/** The call of a phone's share sheet, sent by the browser; without a session it redirects to the login. */
const SHARE = 'POST /share'
const SHARE_AGAIN = '/app/login?then=share'

export function isPublic(method: string, path: string): boolean {
  if (PUBLIC.has(`${method} ${path}`)) return true
  return method === 'GET' && PUBLIC_FOLDERS.some((folder) => path.startsWith(folder))
}

type Pass = 'none' | 'any credential' | 'a session' | 'the key in its path' | 'a session, or it leads to the login'

/** @param path as sent, or with `{key}` as in the API document */
export function passOf(method: string, path: string): Pass {
  if (isPublic(method, path)) return 'none'
  if (SESSION_ONLY.has(`${method} ${path}`)) return 'a session'
  if (`${method} ${path}` === SHARE) return 'a session, or it leads to the login'
  const isUpload = (method === 'POST' || method === 'PUT') && UPLOAD_ADDRESS.test(path)
  return isUpload ? 'the key in its path' : 'any credential'
}

/**
 * Requires credentials before a byte of the body is read, also for unknown paths; a later hook would let strangers send
 * 500 MB first. Writing calls from pages of other origins are refused.
 */
export function gate(deps: Deps, arrivals: Arrivals) {
  const { config } = deps
  return new Elysia({ name: 'gate' }).onRequest(async ({ request, server }) => {
    const { method } = request
    const path = pathOf(request)
    const pass = passOf(method, path)
    const address = () => clientAddress(request, { trustProxy: config.trustProxy, server })
    if (pass === 'none') {
      if (isWrite(method)) refuseForeignPage(config, request)
    } else if (pass === 'the key in its path') {
      const { keyId, keyName } = uploadKey(deps, path, address)
      arrivals.expect(request, { keyId })
      setActor(request, `key:${keyName}`)
    } else if (pass === 'a session, or it leads to the login') {
      refuseForeignShare(config, request)
      const caller = await callerOf(deps, request)
      if (caller?.kind !== 'session') return seeOther(SHARE_AGAIN)
      arrivals.expect(request, { sharedBy: caller.userId })
      setActor(request, 'browser')
    } else {
      const caller = await callerOf(deps, request)
      if (caller === null && `${method} ${path}` === METRICS && isMetricsToken(config.metricsToken, request)) return
      if (caller === null && basicKey(request) !== null) countWrongKey(deps, address())
      if (caller === null) throw unauthorized()
      if (pass === 'a session' && caller.kind === 'apiKey')
        throw unauthorized('This call needs a login, not an API key')
      if (caller.kind === 'apiKey' && !isWithinScope(caller.scope, method, path)) {
        throw new AppError('forbidden', `This key may only ${caller.scope}`)
      }
      // an Authorization header proves that the sender knows the credential; a cookie does not, since browsers add it
      // for any page
      if (isWrite(method) && caller.isAmbient) refuseForeignPage(config, request)
      if (isWrite(method)) setActor(request, caller.kind === 'apiKey' ? `key:${caller.keyName}` : 'browser')
      if (caller.kind === 'apiKey' && isUpload(method, path)) arrivals.expect(request, { keyId: caller.keyId })
    }
    if (deps.damage.isFound && isWrite(method) && !READING.has(`${method} ${path}`))
      throw new AppError('unavailable', DAMAGED)
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
