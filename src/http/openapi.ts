import { Kind, type Static, type TObject } from '@sinclair/typebox'
import type { AnyElysia } from 'elysia'
import { API_VERSION, APPLICATION_VERSION } from '../base/versions.ts'
import { RECEIPT_HEADER, REPLAYED_HEADER } from './author.ts'
import { withComponents } from './components.ts'
import { KEY_HEADER } from './idempotency.ts'
import { canonicalPath } from './paths.ts'
import { documentOf, ErrorBody } from './schemas.ts'
import { type Reader, VENDOR } from './standard.ts'
import { isGuarded, isTagged } from './tagged.ts'

/** Returns the credential that an operation requires, as the gate decides. */
export type Access = (method: string, path: string) => keyof typeof SECURITY

const SECURITY = {
  none: [],
  'any credential': [{ bearerAuth: [] }, { cookieAuth: [] }],
  'a session': [{ bearerAuth: [] }, { cookieAuth: [] }],
  'the key in its path': [],
  'the token in its path': [],
  'a session, or it leads to the login': [{ cookieAuth: [] }],
}

type Json = Record<string, unknown>

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  200: 'Success',
  201: 'Created',
  204: 'Done, without a body',
  206: 'A part of the file',
  303: 'Answered by a page',
  304: 'Not modified',
  400: 'Invalid request data',
  401: 'Authentication required or failed',
  403: 'The scope of the key does not cover it, or a page of another origin sent it',
  404: 'Not found',
  408: 'The body did not arrive in time',
  409: 'It does not fit what is stored, or the first request with its Idempotency-Key is under way',
  410: 'No longer kept',
  412: 'It was changed since',
  413: 'The body exceeds its limit',
  415: 'The body is of another content type',
  416: 'The range is outside the file',
  422: 'The Idempotency-Key was used for another request',
  429: 'Too many failed logins',
  500: 'Internal server error',
  503: 'Not ready, too busy, about to stop, or the database is damaged',
  507: 'The disk of the server is full',
}

/** What a failure says, for example. */
const FAILURES: Readonly<Record<number, Static<typeof ErrorBody>>> = {
  400: { error: 'pageSize must be an integer', code: 'invalid_request', field: 'pageSize' },
  401: { error: 'Invalid or expired credentials', code: 'invalid_credentials' },
  403: { error: 'This key may only read', code: 'key_scope' },
  404: { error: 'Workout not found', code: 'workout_not_found' },
  408: { error: 'The body of the request did not arrive in time', code: 'request_timeout' },
  409: { error: 'That import was undone', code: 'import_undone' },
  410: { error: 'Read everything again', code: 'changes_gone', field: 'after' },
  412: { error: 'The run was changed since', code: 'workout_changed', field: 'If-Match' },
  413: { error: 'The request body is larger than 1048576 bytes', code: 'body_too_large' },
  415: { error: 'The content type must be application/json', code: 'unsupported_type', field: 'Content-Type' },
  416: { error: 'The range is outside the file', code: 'range_not_satisfiable', field: 'Range' },
  422: {
    ...{ error: 'Idempotency-Key was used for another request', code: 'idempotency_key_reused' },
    field: 'Idempotency-Key',
  },
  429: { error: 'Too many failed logins; try again later', code: 'too_many_attempts' },
  500: { error: 'Internal server error', code: 'internal' },
  502: { error: 'The tile server gave no tile', code: 'upstream_failed' },
  503: { error: 'Too many requests wait; try again later', code: 'too_busy' },
  507: { error: 'The disk of the server is full; make space and try again', code: 'disk_full' },
}

/** Id of path parameters, for example. */
const SOME_ID = '0198a000-0000-7000-8000-000000000001'

const BEARER =
  'A session token or an API key (tmp_…). A key may also be the password of Basic, with any user name. ' +
  'A call outside the scope of a key is 403'

const KEY_SAYS =
  'Names the request, so that it can be sent again after a lost answer: for 24 hours the same request of the same user or API ' +
  'key gets the same answer, and nothing is done'

/** Headers that a call may be sent, where its form says so. */
const PARAMETERS = {
  [KEY_HEADER]: {
    description: KEY_SAYS,
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  },
  'If-None-Match': {
    description: 'ETags that the client has: 304 when one is that of now',
    schema: { type: 'string' },
  },
  'If-Match': { description: 'ETags of the run, or *: 412 when it was changed since', schema: { type: 'string' } },
  'Last-Event-ID': {
    description: 'The last id that was received: what was missed since comes first',
    schema: { type: 'string' },
  },
} as const

const TAG_HEADER = 'ETag'

/** Headers of answers, where the form of the call says so. */
const HEADERS = {
  [REPLAYED_HEADER]: {
    description: 'true on the answer of an earlier request with the Idempotency-Key; else absent',
    schema: { type: 'string', const: 'true' },
  },
  [RECEIPT_HEADER]: {
    description: 'Id of the receipt of the change; absent when nothing changed',
    schema: { type: 'string', format: 'uuid' },
  },
  [TAG_HEADER]: { description: 'Says which state the answer is of', schema: { type: 'string' } },
} as const

/** Calls that write nothing although they are not GET. */
const WRITES_NOTHING: readonly string[] = ['/auth/logout', '/workouts/export', '/workouts/export/files']

const TAGS: Readonly<Record<string, string>> = {
  Auth: 'The account, sessions and API keys',
  Import: 'Files of runs, exports of other services and archives',
  Workouts: 'Runs: list, details, edits',
  'Details of a run': 'Samples, laps, recordings, training and other runs on the same ground',
  Repairs: 'Changes to what was recorded; the recording itself is kept',
  Recalculation: 'Efforts and splits by the present rules',
  Merging: 'Two recordings of one run',
  Export: 'Files of runs, and everything',
  Shoes: 'Shoes and their distance',
  Statistics: 'Weeks, years, records and insights over all runs',
  Records: 'Best efforts of standard distances',
  Training: 'Load, fitness, predictions and the training profile',
  'Races and goals': 'Races, planned and run, and goals',
  Truth: 'What changed, with heat and hills taken out',
  Media: 'Photos and videos of runs',
  Map: 'Where runs went: heat map, squares, tiles',
  Places: 'Names of where runs start, and what is hidden there',
  Receipts: 'What was changed, undo, and the trash',
  'Watch folder and sync': 'Runs that arrive by themselves',
  Sharing: 'Single runs as others see them',
  Calendar: 'Runs, races and goals in a calendar app',
  Settings: 'Heart-rate zones, units, weather, map and cards',
  System: 'Health, readiness, version, backup and files',
  Events: 'Changes as they happen',
}

/** Calls for a first evening: tag, id and what for. */
const START_HERE = [
  ['Auth', 'register', 'the account; whoever is first owns the service'],
  ['Auth', 'createApiKey', 'a key for a program, which reads, uploads or may do everything'],
  ['Import', 'importWorkouts', 'files of a watch, or a whole export'],
  ['Workouts', 'listWorkouts', 'runs, filtered, sorted and in pages'],
  ['Workouts', 'getWorkout', 'one run with route, splits and weather'],
  ['Details of a run', 'getWorkoutSamples', 'its heart rate, pace and altitude by second or thinned out'],
  ['Statistics', 'listDaily', 'distance, time and load of each day'],
  ['Training', 'getTrainingToday', 'fitness, fatigue and form of today'],
  ['Receipts', 'undoReceipt', 'take back a change; its answer named the receipt'],
  ['Export', 'exportLibrary', 'everything in one archive'],
] as const

const DESCRIPTION = `A self-hosted running tracker for one runner. Every path also answers under /api.

### Start here

${START_HERE.map(([tag, id, what]) => `- [${id}](#/${encodeURI(tag.replaceAll(' ', '_'))}/${id}): ${what}`).join('\n')}
`

/** The statuses of a route without a `response` map, as part of its `detail`: `...responses(204, 401, 404)`. */
export function responses(...statuses: readonly number[]): { responses: Record<string, ReturnType<typeof response>> } {
  return { responses: Object.fromEntries(statuses.map((status) => [status, response(status)])) }
}

/** A response of a type other than JSON, for `detail.responses`. */
export function bytesResponse(status: number, ...types: readonly string[]): { description: string } {
  const schema = { type: 'string', format: 'binary' }
  // some generators read bytes of this type only
  const content = Object.fromEntries([...types, 'application/octet-stream'].map((type) => [type, { schema }]))
  return { ...response(status), content } as { description: string }
}

/** The `detail.requestBody` of a route whose body is a file. */
export function bytesBody(description: string) {
  const schema = { type: 'string' as const, format: 'binary' }
  return { description, required: true, content: { 'application/octet-stream': { schema } } }
}

/** The `detail.requestBody` of a route that reads its JSON itself. */
export function unreadJsonBody(schema: TObject) {
  const content = { 'application/json': { schema: schema as { type: 'object' } } }
  return { required: true, content }
}

/** The `detail.requestBody` of a multipart route: one or more binary parts, and fields. */
export function multipartBody(options: {
  files: string
  description: string
  fields?: TObject
  /** Example: one file name, and a value for each field. */
  example: { file: string; fields?: Readonly<Record<string, string>> }
}) {
  const file = { type: 'string' as const, format: 'binary' }
  const files = { type: 'array' as const, items: file, minItems: 1, description: 'In parts of any name' }
  const properties = { [options.files]: files, ...options.fields?.properties }
  const { title } = options.fields ?? {}
  const schema = {
    type: 'object' as const,
    required: [options.files],
    properties,
    ...(title !== undefined && { title }),
  }
  const example = { [options.files]: [options.example.file], ...options.example.fields }
  const content = { 'multipart/form-data': { schema, example } }
  return { description: options.description, required: true, content }
}

/**
 * The OpenAPI document of the whole app. Everything that follows from a route's form is added here, so that no route
 * can omit it: security, 401, 403, 400 and 404 of bodies, queries and ids, 413 and 415, 500, 503 and 507. The generator is
 * loaded at the first request for the document, since the service does not need it otherwise.
 */
export async function openApiDocument(app: AnyElysia, access: Access): Promise<Json> {
  const { toOpenAPISchema } = await import('@elysiajs/openapi')
  const mapJsonSchema = { [VENDOR]: (reader: { schema: unknown }) => documentOf(reader.schema) }
  const generated = toOpenAPISchema(withPlainAnswers(app), { paths: [/^\/swagger/] }, undefined, mapJsonSchema, '3.1.2')
  const paths: Record<string, Record<string, Json>> = {}
  const routes = hooksByOperation(app)
  for (const [loosePath, operations] of Object.entries(generated.paths as Record<string, Record<string, Json>>)) {
    const path = canonicalPath(loosePath)
    for (const [method, operation] of Object.entries(operations)) {
      const name = `${method} ${path}`
      complete(operation, { path, method, access, hooks: routes.get(name) ?? {} })
    }
    paths[path] = { ...paths[path], ...operations }
  }
  const document = withoutClosedObjects({
    openapi: '3.1.2',
    info: {
      title: 'Harrier',
      version: API_VERSION,
      'x-harrier-version': APPLICATION_VERSION,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      parameters: Object.fromEntries(
        Object.entries(PARAMETERS).map(([name, said]) => [name, { name, in: 'header', ...said }]),
      ),
      headers: HEADERS,
      securitySchemes: {
        bearerAuth: { type: 'http', scheme: 'bearer', description: BEARER },
        cookieAuth: { type: 'apiKey', in: 'cookie', name: 'authToken', description: 'Set by login' },
      },
    },
  })
  return withComponents(document)
}

/** The generator drops title and description of a choice of words that it knows as a union. */
function withPlainAnswers(app: AnyElysia): AnyElysia {
  const plain = (schema: object) => ({ ...JSON.parse(JSON.stringify(schema)), [Kind]: 'Plain' })
  const routes = app.routes.map((route) => {
    const { response = {}, ...hooks } = route.hooks
    const answers = Object.entries(response as Record<string, object>)
    const shown = Object.fromEntries(answers.map(([status, schema]) => [status, plain(schema)]))
    return { ...route, hooks: { ...hooks, ...(answers.length > 0 && { response: shown }) } }
  })
  return Object.create(app, { getGlobalRoutes: { value: () => routes } })
}

interface Place {
  readonly path: string
  readonly method: string
  readonly access: Access
  readonly hooks: RouteHooks
}

function complete(operation: Json, { path, method, access, hooks }: Place): void {
  const verb = method.toUpperCase()
  const pass = access(verb, path)
  operation.security = SECURITY[pass]
  if (pass === 'a session') {
    operation.description = `${operation.description ?? ''} Needs a session token; an API key is refused.`.trim()
  }
  const body = jsonBody(hooks.body)
  if (body !== undefined) operation.requestBody = body
  const hasBody = operation.requestBody !== undefined
  const parameters = (operation.parameters ?? []) as { in: string; schema: Json; example?: string }[]
  for (const parameter of parameters) {
    if (parameter.in === 'path' && parameter.schema.format === 'uuid') parameter.example = SOME_ID
  }
  const has = (where: string) => parameters.some((parameter) => parameter.in === where)
  const sent = [
    ...(['none', 'the token in its path', 'a session, or it leads to the login'].includes(pass) ? [] : [401]),
    // calls with a key in their path may come from pages of any origin
    ...(pass === 'any credential' || (verb !== 'GET' && pass !== 'the key in its path') ? [403] : []),
    ...(verb === 'GET' || WRITES_NOTHING.includes(path) ? [] : [503, 507]),
    ...(hasBody || has('query') ? [400] : []),
    ...(has('path') && pass !== 'the key in its path' ? [404] : []),
    ...(pass === 'the key in its path' || pass === 'the token in its path' ? [429] : []),
    ...(isTagged(verb, path) ? [304] : []),
    ...(isGuarded(verb, path) ? [412] : []),
    ...(hasBody ? [413] : []),
    ...(body === undefined ? [] : [415]),
    ...(operation.idempotent === undefined ? [] : [409, 422]),
    500,
  ]
  const all: Record<string, Json> = {}
  for (const status of sent) all[status] = response(status)
  // the generator leaves out one of the two where both exist
  const declared = { ...hooks.detail?.responses, ...(operation.responses as Record<string, Json> | undefined) }
  for (const [status, answer] of Object.entries(declared)) all[status] = described(answer, Number(status))
  const isConditional = 304 in all
  const named = [
    ...(operation.receipt === true ? [RECEIPT_HEADER] : []),
    ...(operation.idempotent === undefined ? [] : [REPLAYED_HEADER]),
    ...(isConditional ? [TAG_HEADER] : []),
  ]
  for (const [status, answer] of Object.entries(all)) {
    if (Number(status) < 400 && named.length > 0)
      answer.headers = Object.fromEntries(named.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
  }
  operation.responses = all
  showExamples(operation)
  const headers = [
    ...(operation.idempotent === undefined ? [] : [KEY_HEADER]),
    ...(isConditional && !has('header') ? ['If-None-Match'] : []),
    ...(isGuarded(verb, path) ? ['If-Match'] : []),
    ...((all[200] as Media | undefined)?.content?.['text/event-stream'] ? ['Last-Event-ID'] : []),
  ]
  if (headers.length > 0)
    operation.parameters = [...parameters, ...headers.map((name) => ({ $ref: `#/components/parameters/${name}` }))]
  delete operation.receipt
  delete operation.idempotent
  // in this order the document is smaller when compressed
  for (const key of ORDER) {
    const value = operation[key]
    delete operation[key]
    if (value !== undefined) operation[key] = value
  }
}

const ORDER = [
  ...['operationId', 'summary', 'description', 'tags', 'security', 'parameters', 'requestBody', 'responses'],
] as const

/** Examples beside the schemas, where tools look for them. */
function showExamples({ requestBody, responses }: Json): void {
  const bodies = [requestBody, ...Object.values(responses as Record<string, Json>)] as readonly (Media | undefined)[]
  for (const media of bodies.flatMap((body) => Object.values(body?.content ?? {}))) {
    const { examples: [own] = [], ...schema } = media.schema
    if (own !== undefined) media.example = own
    media.schema = schema
  }
}

interface Media {
  readonly content?: Readonly<
    Record<string, { schema: { readonly title?: string; readonly examples?: readonly unknown[] }; example?: unknown }>
  >
}

function response(status: number): { description: string; content?: Json } {
  const description = DESCRIPTIONS[status] ?? `Status ${status}`
  if (status < 400) return { description }
  const example = FAILURES[status]
  return { description, content: { 'application/json': { schema: documentOf(ErrorBody), example } } }
}

/** A generated response with a meaningful description, and with JSON also where the value is a bare text or null. */
function described(answer: Json, status: number): Json {
  const { description } = answer
  const isStock = typeof description !== 'string' || description === `Response for status ${status}`
  const { description: stock, content } = response(status)
  // a failure may say more than a sentence
  const isUsual = (answer as Media).content?.['application/json']?.schema.title === ErrorBody.title
  return { ...answer, description: isStock ? stock : description, ...(isUsual && { content }) }
}

interface RouteHooks {
  readonly body?: unknown
  readonly detail?: { readonly responses?: Record<string, Json> }
}

/** Options that the routes declare, by `method /path/{id}`. */
function hooksByOperation(app: AnyElysia): ReadonlyMap<string, RouteHooks> {
  const name = (method: string, path: string) =>
    `${method.toLowerCase()} ${canonicalPath(path).replace(/:(\w+)/g, '{$1}')}`
  return new Map(app.routes.map(({ method, path, hooks }) => [name(method, path), hooks as RouteHooks]))
}

/** The generator gives a body with its own reader no content type. */
function jsonBody(body: unknown): Json | undefined {
  if (typeof body !== 'object' || body === null || !('~standard' in body) || !('schema' in body)) return undefined
  const { schema, presence } = body as Reader<unknown>
  const shown = documentOf(schema) as Json
  const all = presence === 'optional or null' ? { ...shown, type: ['object', 'null'] } : shown
  return { required: presence === 'required', content: { 'application/json': { schema: all } } }
}

/** Elysia closes the schemas of answers when a route is first called, but answers may gain members. */
function withoutClosedObjects(document: Json): Json {
  const text = JSON.stringify(document, (key, value) =>
    key === 'additionalProperties' && value === false ? undefined : value,
  )
  return JSON.parse(text)
}
