/** Errors that are reported to the caller. Any other error is a defect: http/errors.ts answers 500 and logs it. */
export type ErrorKind =
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'notFound'
  | 'conflict'
  | 'timedOut'
  | 'tooLarge'
  | 'unsupportedType'
  | 'throttled'
  | 'unavailable'

/**
 * A failure that a person can act on. The message is a sentence without final period that names the field and the rule,
 * never a path, SQL or a library's text; it is sent as `{"error": message}`.
 */
export class AppError extends Error {
  readonly kind: ErrorKind
  /** Further headers of the answer, such as Retry-After. */
  readonly headers: Readonly<Record<string, string>>

  constructor(kind: ErrorKind, message: string, options: { cause?: unknown; headers?: Record<string, string> } = {}) {
    super(message, options)
    this.name = 'AppError'
    this.kind = kind
    this.headers = options.headers ?? {}
  }
}

/** What every sentence begins with that says what the end of the process does to an import. */
export const STOPPING = 'Harrier is stopping'

/** Error code of the system or of a library, such as `EACCES`; undefined for any other error. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

export function invalid(message: string): AppError {
  return new AppError('invalid', message)
}

/** A 404 with the fixed text `<thing> not found` (docs/api.md 1.3). */
export function notFound(
  thing:
    | 'Workout'
    | 'Recording'
    | 'Suggestion'
    | 'Best effort'
    | 'Shoe'
    | 'Media'
    | 'API key'
    | 'Page'
    | 'Goal'
    | 'Mark'
    | 'Race'
    | 'Proposal'
    | 'Receipt'
    | 'File'
    | 'Place'
    | 'Tile'
    | 'Upload',
): AppError {
  return new AppError('notFound', `${thing} not found`)
}

export function unauthorized(message = 'Invalid or expired credentials'): AppError {
  return new AppError('unauthorized', message, { headers: { 'WWW-Authenticate': 'Bearer' } })
}

export function tooLarge(message: string): AppError {
  return new AppError('tooLarge', message)
}
