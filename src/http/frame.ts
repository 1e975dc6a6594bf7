import type { Config } from '../config.ts'
import { RECEIPT_HEADER, receiptLeft } from './author.ts'
import { addCorsHeaders, preflight } from './cors.ts'
import { canonicalize, pathOf } from './paths.ts'

/** What the frame needs of the running server; null in tests that call the app without one. */
export interface ServerTimeouts {
  timeout(request: Request, seconds: number): void
}

interface FrameOptions {
  readonly config: Pick<Config, 'corsAllowedOrigins'>
  readonly server: ServerTimeouts | null
  /** True for what strangers may call. */
  readonly isPublic: (method: string, path: string) => boolean
  /** Is shown every answer before it leaves. */
  readonly answered?: (request: Request, answer: Response) => Promise<void>
}

export type Handle = (request: Request) => Response | Promise<Response>

/** For a request of a stranger, whole; longer than its body is waited for, which has an answer. */
const STRANGER_S = 45
/** How long a connection may stay silent once a short answer was handed over. */
const KEEP_ALIVE_S = 60

/**
 * What stands around every request, before the gate and after the last hook: the canonical address, cross-origin
 * headers on whatever is answered, the headers of JSON, and HEAD as a GET whose body is left out.
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
    // RFC 9110, 14.2: a range means nothing to HEAD
    request.headers.delete('range')
  }
  const isOpen = isPublic(request.method, pathOf(request))
  // others may take many minutes to arrive and to be answered; only silence between requests is limited
  server?.timeout(request, isOpen ? STRANGER_S : 0)
  const answer = preflight(config, request) ?? (await handle(request))
  await answered?.(request, answer)
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
  if (isJson) {
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

/** The same answer without its body, but with the length it would have had. */
async function withoutBody(answer: Response): Promise<Response> {
  const { status } = answer
  const headers = new Headers(answer.headers)
  if (headers.get('content-type')?.startsWith('text/event-stream') === true) await answer.body?.cancel()
  else if (answer.body !== null) headers.set('Content-Length', String((await answer.blob()).size))
  return new Response(null, { status, headers })
}
