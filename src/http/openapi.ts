import type { TObject } from '@sinclair/typebox'
import type { AnyElysia } from 'elysia'
import { documentOf } from './documented.ts'
import { canonicalPath } from './paths.ts'
import { ErrorBody } from './schemas.ts'
import { type Reader, VENDOR } from './standard.ts'

/** Returns the credential that an operation requires, as the gate decides. */
export type Access = (method: string, path: string) => keyof typeof SECURITY

const SECURITY = {
  none: [],
  'any credential': [{ bearerAuth: [] }, { cookieAuth: [] }],
  'a session': [{ bearerAuth: [] }, { cookieAuth: [] }],
  'the key in its path': [],
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
  403: 'A page of another origin sent it',
  404: 'Not found',
  408: 'The body did not arrive in time',
  413: 'The body exceeds its limit',
  415: 'The body is of another content type',
  416: 'The range lies outside of the file',
  429: 'Too many failed logins',
  500: 'Internal server error',
  503: 'Not ready, or too busy',
  507: 'The disk of the server is full',
}

const BEARER =
  'A session token or an API key (tmp_…). A key may also be the password of Authorization: Basic, with any user name. ' +
  'A call outside of the scope of a key is 401'

/** Calls that write nothing although they are not GET. */
const WRITES_NOTHING: readonly string[] = ['/auth/logout', '/workouts/export', '/workouts/export/files']

const TAGS = ['Auth', 'System', 'Settings', 'Shoes', 'Statistics', 'Workouts', 'Media', 'Receipts', 'Events'] as const

/** The statuses of a route without a `response` map, as part of its `detail`: `...responses(204, 401, 404)`. */
export function responses(...statuses: readonly number[]): { responses: Record<string, { description: string }> } {
  return { responses: Object.fromEntries(statuses.map((status) => [status, response(status)])) }
}

/** A response of a type other than JSON, for `detail.responses`. */
export function bytesResponse(status: number, ...types: readonly string[]): { description: string } {
  const schema = { type: 'string', format: 'binary' }
  const content = Object.fromEntries(types.map((type) => [type, { schema }]))
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
  const files = { type: 'array' as const, items: { type: 'string' as const, format: 'binary' }, minItems: 1 }
  const properties = { [options.files]: files, ...options.fields?.properties }
  const schema = { type: 'object' as const, required: [options.files], properties }
  const example = { [options.files]: [options.example.file], ...options.example.fields }
  const content = { 'multipart/form-data': { schema, example } }
  return { description: options.description, required: true, content }
}

/**
 * The OpenAPI document of the whole app. Everything that follows from a route's form is added here, so that no route
 * can omit it: security, 401, 403, 400 and 404 of bodies, queries and ids, 413 and 415, 500 and 507. The generator is
 * loaded at the first request for the document, since the service does not need it otherwise.
 */
export async function openApiDocument(app: AnyElysia, access: Access): Promise<Json> {
  const { toOpenAPISchema } = await import('@elysiajs/openapi')
  const mapJsonSchema = { [VENDOR]: (reader: { schema: unknown }) => documentOf(reader.schema) }
  const generated = toOpenAPISchema(app, { paths: [/^\/swagger/] }, undefined, mapJsonSchema, '3.1.2')
  const paths: Record<string, Record<string, Json>> = {}
  const routes = hooksByOperation(app)
  for (const [loosePath, operations] of Object.entries(generated.paths as Record<string, Record<string, Json>>)) {
    const path = canonicalPath(loosePath)
    for (const [method, operation] of Object.entries(operations)) {
      complete(operation, { path, method, access, hooks: routes.get(`${method} ${path}`) ?? {} })
    }
    paths[path] = { ...paths[path], ...operations }
  }
  return withoutClosedObjects({
    openapi: '3.1.2',
    info: {
      title: 'Harrier',
      version: '2.6.0',
      description:
        'A self-hosted running tracker for one runner. Every path also answers under /api. ' +
        'A request that is no sound HTTP, or whose head is longer than 16 KiB, is refused without a body.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: TAGS.map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...generated.components.schemas, Error: documentOf(ErrorBody) },
      securitySchemes: {
        bearerAuth: { type: 'http', scheme: 'bearer', description: BEARER },
        cookieAuth: { type: 'apiKey', in: 'cookie', name: 'authToken', description: 'Set by login' },
      },
    },
  })
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
  const parameters = Array.isArray(operation.parameters) ? (operation.parameters as { in: string }[]) : []
  const has = (where: string) => parameters.some((parameter) => parameter.in === where)
  const sent = [
    ...(pass === 'none' || pass === 'a session, or it leads to the login' ? [] : [401]),
    // calls with a key in their path may come from pages of any origin, so they answer no 403
    ...(verb === 'GET' || pass === 'the key in its path' ? [] : [403]),
    ...(verb === 'GET' || WRITES_NOTHING.includes(path) ? [] : [507]),
    ...(hasBody || has('query') ? [400] : []),
    ...(has('path') && pass !== 'the key in its path' ? [404] : []),
    ...(pass === 'the key in its path' ? [429] : []),
    ...(hasBody ? [413] : []),
    ...(body === undefined ? [] : [415]),
    500,
  ]
  const all: Record<string, Json> = {}
  for (const status of sent) all[status] = response(status)
  // the generator leaves out one of the two where both exist
  const declared = { ...hooks.detail?.responses, ...(operation.responses as Record<string, Json> | undefined) }
  for (const [status, answer] of Object.entries(declared)) all[status] = described(answer, Number(status))
  operation.responses = all
}

function response(status: number): { description: string; content?: Json } {
  const description = DESCRIPTIONS[status] ?? `Status ${status}`
  if (status < 400) return { description }
  return { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } }
}

/** A generated response with a meaningful description, and with JSON also where the value is a bare text or null. */
function described(answer: Json, status: number): Json {
  const { description } = answer
  const isStock = typeof description !== 'string' || description === `Response for status ${status}`
  return { ...answer, description: isStock ? (DESCRIPTIONS[status] ?? `Status ${status}`) : description }
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
