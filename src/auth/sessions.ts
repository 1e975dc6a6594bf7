import { jwt } from '@elysiajs/jwt'
import type { CookieOptions } from 'elysia'
import type { Config } from '../config.ts'
import type { Deps } from '../deps.ts'

/** What a session token says; whether it is still current only the database knows. */
export interface Session {
  readonly userId: string
  /** The user's session version when the token was signed. */
  readonly version: number
  readonly rememberMe: boolean
}

export const SESSION_COOKIE = 'authToken'

const DAY_S = 86_400

/** A signed session token (HS256) and when it ends. */
export async function signToken(deps: Deps, session: Session): Promise<{ token: string; expiresAtMs: number }> {
  const exp = Math.floor(deps.now() / 1000) + lifetimeS(deps.config, session.rememberMe)
  const token = await signer(deps).sign({
    sub: session.userId,
    jti: crypto.randomUUID(),
    ver: session.version,
    remember: session.rememberMe,
    exp,
    iat: false,
  })
  return { token, expiresAtMs: exp * 1000 }
}

/** @returns null for a token that is forged, malformed or expired, without leeway */
export async function readToken(deps: Deps, token: string): Promise<Session | null> {
  const claims = await signer(deps).verify(token, {
    algorithms: ['HS256'],
    requiredClaims: ['sub', 'exp'],
    currentDate: new Date(deps.now()),
  })
  if (claims === false) return null
  const { sub, ver, remember } = claims
  if (typeof sub !== 'string' || typeof ver !== 'number') return null
  return { userId: sub, version: ver, rememberMe: remember === true }
}

/** The cookie that hands the token to a browser; Elysia writes it. */
export function sessionCookie(
  config: Config,
  request: Request,
  { token, rememberMe }: { token: string; rememberMe: boolean },
): SessionCookies {
  return cookies(config, request, { value: token, maxAge: lifetimeS(config, rememberMe) })
}

/** The cookie that takes it away again: with the same attributes, or a browser keeps it. */
export function expiredCookie(config: Config, request: Request): SessionCookies {
  return cookies(config, request, { value: '', maxAge: 0 })
}

/** What a route assigns to `set.cookie`. */
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

/** A Secure cookie on plain http would never come back; one without it on https could leak. */
function isHttps({ trustProxy }: Config, request: Request): boolean {
  if (request.url.startsWith('https:')) return true
  const forwarded = request.headers.get('x-forwarded-proto')?.split(',').at(-1)
  return trustProxy && forwarded?.trim().toLowerCase() === 'https'
}

function lifetimeS(config: Config, rememberMe: boolean): number {
  return DAY_S * (rememberMe ? config.jwtRememberMeExpirationDays : config.jwtExpirationDays)
}

function signer({ jwtSecret }: Deps) {
  return jwt({ name: 'jwt', secret: jwtSecret, alg: 'HS256' }).decorator.jwt
}
