import type { Config } from '../config.ts'
import { addCorsHeaders, preflight } from './cors.ts'
import { canonicalize } from './paths.ts'

/** What the frame needs of the running server; null in tests that call the app without one. */
export interface ServerTimeouts {
  timeout(request: Request, seconds: number): void
}

export type Handle = (request: Request) => Response | Promise<Response>

/** How long a connection may stay silent once a short answer was handed over. */
const KEEP_ALIVE_S = 60

/**
 * What stands around every request, before the gate and after the last hook: the canonical address, cross-origin
 * headers on whatever is answered, the headers of JSON, and HEAD as a GET whose body is left out.
 */
export async function framed(
  request: Request,
  handle: Handle,
  { config, server }: { config: Pick<Config, 'corsAllowedOrigins'>; server: ServerTimeouts | null },
): Promise<Response> {
  canonicalize(request)
  const isHead = request.method === 'HEAD'
  if (isHead) {
    Object.defineProperty(request, 'method', { value: 'GET' })
    // RFC 9110, 14.2: a range means nothing to HEAD
    request.headers.delete('range')
  }
  // a request may take many minutes to arrive and to be answered; only silence between requests is limited
  server?.timeout(request, 0)
  const answer = preflight(config, request) ?? (await handle(request))
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
  if (isJson) {
    answer.headers.set('Content-Type', 'application/json; charset=utf-8')
    answer.headers.set('Cache-Control', 'no-store')
    answer.headers.set('X-Content-Type-Options', 'nosniff')
  }
  if (isJson || answer.body === null) server?.timeout(request, KEEP_ALIVE_S)
  addCorsHeaders(config, request, answer.headers)
  if (isHead) return withoutBody(answer)
  return answer
}

/** The same answer without its body, but with the length it would have had. */
async function withoutBody(answer: Response): Promise<Response> {
  const { status } = answer
  const headers = new Headers(answer.headers)
  if (headers.get('content-type')?.startsWith('text/event-stream') === true) await answer.body?.cancel()
  else if (answer.body !== null) headers.set('Content-Length', String((await answer.blob()).size))
  return new Response(null, { status, headers })
}
