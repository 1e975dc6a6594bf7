import { AppError, type ErrorKind } from '../base/errors.ts'
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
  if (request.signal.aborted && error === request.signal.reason) return errorResponse(503, 'The client left')
  const known = appErrorIn(error)
  if (known !== null) return errorResponse(STATUS[known.kind], known.message, known.headers)
  if (code === 'NOT_FOUND') return errorResponse(404, 'Not found')
  if (code === 'PARSE') return errorResponse(400, 'The request body could not be read')
  if (code === 'VALIDATION' && !isResponseMismatch(error)) {
    return errorResponse(400, 'The request has a field or parameter of the wrong form')
  }
  if (isDiskFull(error)) {
    // without the stack: the operator has to free space, and many failing requests would otherwise fill the log
    log.error(`${request.method} ${loggedPath(request)} failed: the disk is full`)
    return errorResponse(507, `${DISK_FULL}; make space and try again`)
  }
  const damaged = damageIn(error, damage)
  if (damaged !== null) {
    log.error(`${request.method} ${loggedPath(request)} failed: the database is damaged`)
    return errorResponse(503, damaged)
  }
  log.error(`${request.method} ${loggedPath(request)} failed`, error)
  return errorResponse(500, 'Internal server error')
}

export function errorResponse(status: number, error: string, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json({ error }, { status, headers })
}

/** Elysia wraps errors of body readers; the AppError is then their cause. */
function appErrorIn(error: unknown): AppError | null {
  if (error instanceof AppError) return error
  return error instanceof Error && error.cause instanceof AppError ? error.cause : null
}

function isResponseMismatch(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'type' in error && error.type === 'response'
}
