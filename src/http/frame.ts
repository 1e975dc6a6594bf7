import type { Config } from '../base/config.ts'
import { DAY_S } from '../engine/units.ts'
import { RECEIPT_HEADER, REPLAYED_HEADER, receiptLeft } from './author.ts'
import { acceptedEncoding, isCompressible, LEAST_BYTES, packed } from './compression.ts'
import { canonicalize, pathOf } from './paths.ts'

/** Methods of the running server that the frame uses; null in tests that call the app without a server. */
export interface ServerTimeouts {
  timeout(request: Request, seconds: number): void
}

interface FrameOptions {
  readonly config: Pick<Config, 'corsAllowedOrigins'>
  readonly server: ServerTimeouts | null
  /** Whether a call needs no credentials. */
  readonly isPublic: (method: string, path: string) => boolean
  /** Called with every answer before it is sent. */
  readonly answered?: (request: Request, answer: Response) => Promise<void>
}

export type Handle = (request: Request) => Response | Promise<Response>

/** Time for a whole request without credentials; longer than the wait for its body, which ends with an answer. */
const STRANGER_S = 45
/** How long a connection may be silent after a short answer. */
const KEEP_ALIVE_S = 60

/**
 * Wraps every request, before the gate and after the last hook: canonical address, cross-origin headers on every
 * answer, headers and compression of JSON, and HEAD as a GET without body.
 */
export async function framed(
  request: Request,
  handle: Handle,
  { config, server, isPublic, answered }: FrameOptions,
): Promise<Response> {
  canonicalize(request)
  const isHead = request.method === 'HEAD'
  if (isHead) {
    Object.defineProperty(request, 'method', { value: 'GET' })
    // a range has no meaning for HEAD (RFC 9110, 14.2)
    request.headers.delete('range')
    request.headers.delete('accept-encoding')
  }
  const path = pathOf(request)
  const isOpen = isPublic(request.method, path)
  // requests with credentials may take many minutes; only silence between requests is limited
  server?.timeout(request, isOpen ? STRANGER_S : 0)
  let answer = preflight(config, request) ?? (await handle(request))
  await answered?.(request, answer)
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
  if (isJson) {
    if (isCompressible(answer, path)) answer = await compressed(answer, request)
    answer.headers.set('Content-Type', 'application/json; charset=utf-8')
    answer.headers.set('Cache-Control', 'no-store')
    answer.headers.set('X-Content-Type-Options', 'nosniff')
  }
  if (isJson || answer.body === null || isOpen) server?.timeout(request, KEEP_ALIVE_S)
  const receiptId = receiptLeft(request)
  if (receiptId !== null) answer.headers.set(RECEIPT_HEADER, receiptId)
  addCorsHeaders(config, request, answer.headers)
  if (isHead) return withoutBody(answer)
  return answer
}

/** The answer without its body, but with the Content-Length that it would have. */
async function withoutBody(answer: Response): Promise<Response> {
  const { status } = answer
  const headers = new Headers(answer.headers)
  if (headers.get('content-type')?.startsWith('text/event-stream') === true) await answer.body?.cancel()
  else if (answer.body !== null && headers.has('content-length')) await answer.body.cancel()
  else if (answer.body !== null) headers.set('Content-Length', String((await answer.blob()).size))
  return new Response(null, { status, headers })
}

/** A JSON answer, compressed where its client accepts that and it is long enough. */
async function compressed(answer: Response, request: Request): Promise<Response> {
  const { status, headers } = answer
  const encoding = acceptedEncoding(request)
  const bytes = await answer.bytes()
  if (bytes.length < LEAST_BYTES) return new Response(bytes, { status, headers })
  headers.append('Vary', 'Accept-Encoding')
  if (encoding === null) return new Response(bytes, { status, headers })
  headers.set('Content-Encoding', encoding)
  return new Response(await packed(bytes, encoding), { status, headers })
}

type CorsConfig = Pick<Config, 'corsAllowedOrigins'>

const PREFLIGHT_CACHE_S = DAY_S
/** Headers that a page of another origin may read, beyond those that fetch always shows. */
const EXPOSED = `Content-Disposition, Content-Range, Accept-Ranges, ETag, Retry-After, WWW-Authenticate, ${RECEIPT_HEADER}, ${REPLAYED_HEADER}`

/** The origin of a request from another site that may read answers; null otherwise. */
function allowedOrigin({ corsAllowedOrigins }: CorsConfig, request: Request): string | null {
  const origin = request.headers.get('origin')
  return origin !== null && corsAllowedOrigins.includes(origin) ? origin : null
}

/** The answer to a browser's preflight request; null when it is not one from an allowed origin. */
function preflight(config: CorsConfig, request: Request): Response | null {
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
function addCorsHeaders(config: CorsConfig, request: Request, headers: Headers): void {
  if (config.corsAllowedOrigins.length === 0) return
  headers.append('Vary', 'Origin')
  const origin = allowedOrigin(config, request)
  if (origin === null) return
  headers.set('Access-Control-Allow-Origin', origin)
  headers.set('Access-Control-Allow-Credentials', 'true')
  headers.set('Access-Control-Expose-Headers', EXPOSED)
}
