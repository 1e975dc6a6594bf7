import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { unauthorized } from '../errors.ts'
import { setActor } from '../http/author.ts'
import { refuseForeignPage } from '../http/foreign-page.ts'
import { pathOf } from '../http/paths.ts'
import { callerOf } from './credentials.ts'

/** Everything a stranger may call; none of it reveals data of the user. */
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

/** Files of the page and of the API page. */
const PUBLIC_FOLDERS = ['/app/', '/assets/', '/icons/', '/swagger/assets/'] as const

/** What only a browser session may do: an API key must not make keys or change the password. */
const SESSION_ONLY: ReadonlySet<string> = new Set(['POST /auth/change-password', 'POST /auth/api-keys'])

export function isPublic(method: string, path: string): boolean {
  if (PUBLIC.has(`${method} ${path}`)) return true
  return method === 'GET' && PUBLIC_FOLDERS.some((folder) => path.startsWith(folder))
}

export function isSessionOnly(method: string, path: string): boolean {
  return SESSION_ONLY.has(`${method} ${path}`)
}

/**
 * Closed by default, unknown paths included, and before a byte of the body is read: a guard in a later hook would let
 * strangers send 500 MB first. What changes something is refused to pages of other origins.
 */
export function gate(deps: Deps) {
  return new Elysia({ name: 'gate' }).onRequest(async ({ request }) => {
    const path = pathOf(request)
    const isWrite = request.method !== 'GET' && request.method !== 'OPTIONS'
    if (isPublic(request.method, path)) {
      if (isWrite) refuseForeignPage(deps.config, request)
      return
    }
    const caller = await callerOf(deps, request)
    if (caller === null) throw unauthorized()
    if (isSessionOnly(request.method, path) && caller.kind !== 'session') throw unauthorized()
    // a header is set by whoever knows the credential; a cookie comes along whoever wrote the page
    if (isWrite && caller.isCookie) refuseForeignPage(deps.config, request)
    if (isWrite) setActor(request, caller.kind === 'apiKey' ? `key:${caller.keyName}` : 'browser')
  })
}
