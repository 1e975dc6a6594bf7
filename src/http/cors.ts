import type { Config } from '../base/config.ts'
import { DAY_S } from '../engine/units.ts'
import { RECEIPT_HEADER } from './author.ts'

type CorsConfig = Pick<Config, 'corsAllowedOrigins'>

const PREFLIGHT_CACHE_S = DAY_S
/** Headers that a page of another origin may read, beyond those that fetch always shows. */
const EXPOSED = `Content-Disposition, Content-Range, Accept-Ranges, ETag, Retry-After, WWW-Authenticate, ${RECEIPT_HEADER}`

/** The origin of a request from another site that may read answers; null otherwise. */
function allowedOrigin({ corsAllowedOrigins }: CorsConfig, request: Request): string | null {
  const origin = request.headers.get('origin')
  return origin !== null && corsAllowedOrigins.includes(origin) ? origin : null
}

/** The answer to a browser's preflight request; null when it is not one from an allowed origin. */
export function preflight(config: CorsConfig, request: Request): Response | null {
  if (request.method !== 'OPTIONS') return null
  const method = request.headers.get('access-control-request-method')
  if (method === null || allowedOrigin(config, request) === null) return null
  const headers = new Headers({
    'Access-Control-Allow-Methods': method,
    'Access-Control-Max-Age': String(PREFLIGHT_CACHE_S),
  })
  const asked = request.headers.get('access-control-request-headers')
  if (asked !== null) headers.set('Access-Control-Allow-Headers', asked)
  return new Response(null, { status: 204, headers })
}

/** Adds to any answer, including errors, the headers that let an allowed origin read it. Other origins get none. */
export function addCorsHeaders(config: CorsConfig, request: Request, headers: Headers): void {
  if (config.corsAllowedOrigins.length === 0) return
  headers.append('Vary', 'Origin')
  const origin = allowedOrigin(config, request)
  if (origin === null) return
  headers.set('Access-Control-Allow-Origin', origin)
  headers.set('Access-Control-Allow-Credentials', 'true')
  headers.set('Access-Control-Expose-Headers', EXPOSED)
}
