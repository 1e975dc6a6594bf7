import { jwt } from '@elysiajs/jwt'
import type { CookieOptions } from 'elysia'
import type { Config } from '../../base/config.ts'
import { DAY_S } from '../../engine/units.ts'
import type { Deps } from '../../library/deps.ts'

/** Content of a session token; whether it is still valid is decided by the database. */
export interface Session {
  readonly userId: string
  /** The user's session version at the time of signing. */
  readonly version: number
  readonly rememberMe: boolean
}

export const SESSION_COOKIE = 'authToken'

/** A signed session token (HS256) and the time of its expiry. */
export async function signToken(deps: Deps, session: Session): Promise<{ token: string; expiresAtMs: number }> {
  const exp = Math.floor(deps.now() / 1000) + lifetimeS(deps.config, session.rememberMe)
  const token = await signerOf(deps).sign({
    sub: session.userId,
    jti: crypto.randomUUID(),
    ver: session.version,
    remember: session.rememberMe,
    exp,
    iat: false,
  })
  return { token, expiresAtMs: exp * 1000 }
}

/** @returns null for a forged, malformed or expired token, without leeway */
export async function readToken(deps: Deps, token: string): Promise<Session | null> {
  const claims = await signerOf(deps).verify(token, {
    algorithms: ['HS256'],
    requiredClaims: ['sub', 'exp'],
    currentDate: new Date(deps.now()),
  })
  if (claims === false) return null
  const { sub, ver, remember, exp } = claims
  if (typeof sub !== 'string' || typeof ver !== 'number' || typeof exp !== 'number') return null
  return { userId: sub, version: ver, rememberMe: remember === true }
}

/** The cookie that gives the token to a browser; Elysia writes it. */
export function sessionCookie(
  config: Config,
  request: Request,
  { token, rememberMe }: { token: string; rememberMe: boolean },
): SessionCookies {
  return cookies(config, request, { value: token, maxAge: lifetimeS(config, rememberMe) })
}

/** The cookie that removes it; with the same attributes, since a browser would keep it otherwise. */
export function expiredCookie(config: Config, request: Request): SessionCookies {
  return cookies(config, request, { value: '', maxAge: 0 })
}

/** The value that a route assigns to `set.cookie`. */
type SessionCookies = Record<typeof SESSION_COOKIE, CookieOptions & { readonly value: string }>

function cookies(
  config: Config,
  request: Request,
  { value, maxAge }: { value: string; maxAge: number },
): SessionCookies {
  const { cookieDomain } = config
  const reach = { path: '/', ...(cookieDomain === null ? {} : { domain: cookieDomain }) }
  const secure = isHttps(config, request)
  return { [SESSION_COOKIE]: { value, maxAge, ...reach, httpOnly: true, secure, sameSite: 'lax' } }
}

/** Whether the client uses https: a Secure cookie would not come back over http, and one without Secure could leak. */
function isHttps({ trustProxy }: Config, request: Request): boolean {
  if (request.url.startsWith('https:')) return true
  const forwarded = request.headers.get('x-forwarded-proto')?.split(',').at(-1)
  return trustProxy && forwarded?.trim().toLowerCase() === 'https'
}

function lifetimeS(config: Config, rememberMe: boolean): number {
  return DAY_S * (rememberMe ? config.jwtRememberMeExpirationDays : config.jwtExpirationDays)
}

/** One for each service, since importing the key takes as long as a small request. */
const signers = new WeakMap<Deps, ReturnType<typeof signer>>()

function signerOf(deps: Deps) {
  const made = signers.get(deps) ?? signer(deps)
  signers.set(deps, made)
  return made
}

function signer({ jwtSecret }: Deps) {
  return jwt({ name: 'jwt', secret: jwtSecret, alg: 'HS256' }).decorator.jwt
}
