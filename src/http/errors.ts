import { Answered, AppError, type ErrorCode, type ErrorKind } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { DISK_FULL, damageIn, isDiskFull } from '../db/disk-full.ts'
import { loggedPath } from './paths.ts'

const STATUS: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  notFound: 404,
  timedOut: 408,
  conflict: 409,
  gone: 410,
  changed: 412,
  tooLarge: 413,
  unsupportedType: 415,
  throttled: 429,
  unavailable: 503,
}

/**
 * The one place where a failure becomes an answer. Only messages of AppError reach the client, never a library's text,
 * paths or SQL. Unexpected errors, including answers that do not match their own schema, become a 500 and one log line;
 * a full disk becomes a 507 (RFC 4918, 11.5) and a damaged database a 503, since the caller can act on it. Work that
 * ended because its client left is no failure, and nobody reads the answer.
 */
export function answerError({
  error,
  code,
  request,
  log,
  damage = { isFound: false },
}: {
  error: unknown
  code: unknown
  request: Request
  log: Log
  damage?: { isFound: boolean }
}): Response {
  if (request.signal.aborted && error === request.signal.reason)
    return errorResponse(503, { error: 'The client left', code: 'too_busy' })
  // replaced by the other answer, which Elysia would send with the status of a failure
  if (wrapped(error, Answered) !== null) return new Response(null)
  const known = wrapped(error, AppError)
  if (known !== null) return refusalOf(known)
  if (code === 'NOT_FOUND') return errorResponse(404, { error: 'Not found', code: 'not_found' })
  if (code === 'PARSE')
    return errorResponse(400, { error: 'The request body could not be read', code: 'invalid_request' })
  if (code === 'VALIDATION' && !isResponseMismatch(error)) {
    const error = 'The request has a field or parameter of the wrong form'
    return errorResponse(400, { error, code: 'invalid_request' })
  }
  if (isDiskFull(error)) {
    // without the stack: the operator has to free space, and many failing requests would otherwise fill the log
    log.error(`${request.method} ${loggedPath(request)} failed: the disk is full`)
    return errorResponse(507, { error: `${DISK_FULL}; make space and try again`, code: 'disk_full' })
  }
  const damaged = damageIn(error, damage)
  if (damaged !== null) {
    log.error(`${request.method} ${loggedPath(request)} failed: the database is damaged`)
    return errorResponse(503, { error: damaged, code: 'database_damaged' })
  }
  log.error(`${request.method} ${loggedPath(request)} failed`, error)
  return errorResponse(500, { error: 'Internal server error', code: 'internal' })
}

interface ErrorAnswer {
  readonly error: string
  readonly code: ErrorCode
  readonly field?: string | undefined
}

/** The answer of a path that has routes, but not for this method: 405, or to OPTIONS 204, with `Allow`. */
export function otherMethod(method: string, methods: readonly string[]): Response {
  const allowed = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS']
  const headers = { Allow: allowed.toSorted().join(', ') }
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers })
  return errorResponse(405, { error: 'This path has no such method', code: 'method_not_allowed' }, headers)
}

export function errorResponse(
  status: number,
  answer: ErrorAnswer,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json(answer, { status, headers })
}

function refusalOf({ kind, message: error, code, field, headers }: AppError): Response {
  return errorResponse(STATUS[kind], { error, code, field }, headers)
}

/** Elysia wraps errors of body readers; what they threw is then the cause. */
function wrapped<T>(error: unknown, kind: new (...args: never[]) => T): T | null {
  if (error instanceof kind) return error
  return error instanceof Error && error.cause instanceof kind ? error.cause : null
}

function isResponseMismatch(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'type' in error && error.type === 'response'
}
