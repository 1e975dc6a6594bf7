/** Errors that are reported to the caller. Any other error is a defect: http/errors.ts answers 500 and logs it. */
export type ErrorKind =
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'notFound'
  | 'conflict'
  | 'gone'
  | 'changed'
  | 'timedOut'
  | 'tooLarge'
  | 'unsupportedType'
  | 'throttled'
  | 'unavailable'

/** Every code of an error answer, and what it means to a program. Codes are only ever added. */
export const ERROR_CODES = {
  invalid_request: 'Something that was sent, or a combination of it, breaks a rule',
  unknown_format: 'The file is of no supported format',
  file_unreadable: 'The file is damaged, empty, too large or lacks what is needed',
  not_a_run: 'The file contains no run, such as a ride or a route without times',
  weak_password: 'The new password breaks a rule of passwords',
  wrong_credentials: 'The name or the password is wrong',
  registration_closed: 'A user exists already',
  not_applicable: 'Correct, but not possible with what is stored, such as splits of a run without points',
  limit_reached: 'There are as many of them as there can be',
  would_overlap: 'Two runs would count the same part of a recording',
  already_undone: 'Nothing of the receipt is left to undo',
  not_undoable: 'It cannot be undone, or no longer',
  in_progress: 'The import or the file is not finished yet; try again later',
  invalid_credentials: 'No credentials, or invalid, expired or revoked ones',
  session_required: 'The call needs a login, not an API key',
  key_scope: 'The scope of the API key does not include the call',
  foreign_origin: "A page of another origin, through the runner's browser",
  not_found: 'The path does not exist',
  workout_not_found: 'The workout does not exist',
  recording_not_found: 'The workout has no such recording',
  suggestion_not_found: 'The merge suggestion does not exist',
  best_effort_not_found: 'The workout has no best effort over the distance, or it is no standard distance',
  shoe_not_found: 'The shoe does not exist',
  media_not_found: 'The workout has no such photo or video',
  api_key_not_found: 'The API key does not exist',
  page_not_found: 'The page is past the end of the list',
  goal_not_found: 'The goal does not exist',
  mark_not_found: 'The mark does not exist',
  race_not_found: 'The race does not exist',
  proposal_not_found: 'The proposal does not exist',
  receipt_not_found: 'The receipt does not exist, or is not of the caller',
  file_not_found: 'The file was never stored, or is gone',
  place_not_found: 'The place does not exist',
  calendar_not_found: 'The address of the calendar feed is unknown or was withdrawn',
  share_not_found: 'The address of a shared run is unknown, has expired or was withdrawn',
  tile_not_found: 'The tile does not exist',
  upload_not_found: 'The upload of the dry run is no longer kept',
  tiles_off: 'Street maps are turned off',
  method_not_allowed: 'The path exists, but not with this method; Allow names those it has',
  request_timeout: 'The body did not arrive in time',
  idempotency_key_reused: 'The Idempotency-Key was sent with another body, path or query',
  idempotency_in_progress: 'The first request with the Idempotency-Key is still under way',
  idempotency_answer_lost: 'The first request with the Idempotency-Key may be done, but its answer was not kept',
  receipt_closed: 'No more files can be added to the receipt',
  import_undone: 'The import of the receipt was undone',
  changes_gone: 'The changes asked for are no longer kept, or of another database: read everything again',
  workout_changed: 'The workout is no longer as the tag in If-Match says',
  body_too_large: 'The body or its files exceed the limit',
  unsupported_type: 'The body is declared as something other than JSON',
  range_not_satisfiable: 'The range begins beyond the end of the file',
  too_many_attempts: 'Too many logins or wrong keys; Retry-After says when to try again',
  internal: 'Something unexpected, which the log of the service explains',
  upstream_failed: 'Another server did not answer, or refused',
  too_busy: 'Too many such requests at once; try again',
  stopping: 'The service is about to end',
  database_damaged: 'The database is damaged and only read',
  not_ready: 'The service cannot use its database or folder',
  disk_full: 'The disk of the server is full',
} as const satisfies Readonly<Record<string, string>>

export type ErrorCode = keyof typeof ERROR_CODES

/** The code of a kind where none is named. */
const USUAL: Readonly<Record<ErrorKind, ErrorCode>> = {
  invalid: 'invalid_request',
  unauthorized: 'invalid_credentials',
  forbidden: 'key_scope',
  notFound: 'not_found',
  conflict: 'receipt_closed',
  gone: 'changes_gone',
  changed: 'workout_changed',
  timedOut: 'request_timeout',
  tooLarge: 'body_too_large',
  unsupportedType: 'unsupported_type',
  throttled: 'too_many_attempts',
  unavailable: 'too_busy',
}

/** What a program is told of a failure beside the sentence. */
export interface Fault {
  readonly code?: ErrorCode
  /** The one body member, query parameter, form field or header at fault, as the sentence names it: `zones[1].minBpm`. */
  readonly field?: string
}

/**
 * A failure that a person can act on. The message is a sentence without final period that names the field and the rule,
 * never a path, SQL or a library's text; it is sent as `{"error": message, "code": code}`, with `field` if there is one.
 */
export class AppError extends Error {
  readonly kind: ErrorKind
  readonly code: ErrorCode
  readonly field: string | undefined
  /** Further headers of the answer, such as Retry-After. */
  readonly headers: Readonly<Record<string, string>>

  constructor(
    kind: ErrorKind,
    message: string,
    options: Fault & { cause?: unknown; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message, options)
    this.name = 'AppError'
    this.kind = kind
    this.code = options.code ?? USUAL[kind]
    this.field = options.field
    this.headers = options.headers ?? {}
  }
}

/** Ends a request whose answer exists already; whoever throws it sends that answer. It is not a failure. */
export class Answered extends Error {
  constructor() {
    super('The request was answered before')
    this.name = 'Answered'
  }
}

/** What every sentence begins with that says what the end of the process does to an import. */
export const STOPPING = 'Harrier is stopping'

/** Error code of the system or of a library, such as `EACCES`; undefined for any other error. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

/** A 400. */
export function invalid(message: string, fault: Fault = {}): AppError {
  return new AppError('invalid', message, fault)
}

/** A 400 for a request that is correct, but not possible with what is stored. */
export function notApplicable(message: string): AppError {
  return invalid(message, { code: 'not_applicable' })
}

/** The code of a file that is refused, by its problem. */
const FILE_PROBLEMS = {
  unknown: 'unknown_format',
  unreadable: 'file_unreadable',
  noRun: 'not_a_run',
} as const satisfies Readonly<Record<string, ErrorCode>>

/** A 400 for a file that contains no run, or cannot be read. */
export function refusedFile(message: string, problem: keyof typeof FILE_PROBLEMS = 'unreadable'): AppError {
  return invalid(message, { code: FILE_PROBLEMS[problem] })
}

/** The code of a 404, by the thing that its fixed text names (docs/api.md 1.3). */
const THINGS = {
  Workout: 'workout_not_found',
  Recording: 'recording_not_found',
  Suggestion: 'suggestion_not_found',
  'Best effort': 'best_effort_not_found',
  Shoe: 'shoe_not_found',
  Media: 'media_not_found',
  'API key': 'api_key_not_found',
  Page: 'page_not_found',
  Goal: 'goal_not_found',
  Mark: 'mark_not_found',
  Race: 'race_not_found',
  Proposal: 'proposal_not_found',
  Receipt: 'receipt_not_found',
  File: 'file_not_found',
  Place: 'place_not_found',
  Calendar: 'calendar_not_found',
  Share: 'share_not_found',
  Tile: 'tile_not_found',
  Upload: 'upload_not_found',
} as const satisfies Readonly<Record<string, ErrorCode>>

export type Thing = keyof typeof THINGS

/** A 404 with the text `<thing> not found`. @param field that named the thing, where it was not the path */
export function notFound(thing: Thing, field?: string): AppError {
  return new AppError('notFound', `${thing} not found`, { code: THINGS[thing], ...(field !== undefined && { field }) })
}

export function unauthorized(message = 'Invalid or expired credentials', fault: Fault = {}): AppError {
  return new AppError('unauthorized', message, { ...fault, headers: { 'WWW-Authenticate': 'Bearer' } })
}

export function tooLarge(message: string): AppError {
  return new AppError('tooLarge', message)
}
