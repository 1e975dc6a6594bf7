import type { Static, TObject } from '@sinclair/typebox'
import { AppError, invalid } from '../base/errors.ts'
import { isObject, valueOfKey } from '../base/json-object.ts'
import { JSON_LIMIT_BYTES, limitedBody, type WaitingBodies } from './body-limits.ts'
import { checked } from './check.ts'
import { bodyHasher, claimKey } from './idempotency.ts'
import { type Reader, reader } from './standard.ts'

/** Exceptions from the rule that a JSON body is one object with the schema's own keys. */
interface JsonOptions {
  /**
   * An absent, empty or `null` body counts as `{}`; 'object': `null` is refused like any other value that is not an
   * object.
   */
  readonly optional?: boolean | 'object'
  /** Further names of keys, `{ alias: key }`; used only when the key itself is absent. */
  readonly aliases?: Readonly<Record<string, string>>
  /** Bounds the wait for bodies, for calls without credentials. */
  readonly waiting?: WaitingBodies
}

export interface JsonBody<T> {
  readonly parse: [(context: { request: Request }) => Promise<Uint8Array>]
  readonly body: Reader<T>
}

/**
 * The body of a JSON route: at most 1 MiB, of a JSON content type or none, validated strictly by the schema after keys
 * were matched in any case. Spread it into the route's options; `body` is then the validated value. Size and type are
 * checked while reading (413, 415), the content only after the path ids (400).
 */
export function json<T extends TObject>(schema: T, options: JsonOptions = {}): JsonBody<Static<T>> {
  const body = reader(
    schema,
    (bytes) => fromBytes(schema, bytes, options),
    options.optional === true ? 'optional or null' : options.optional === 'object' ? 'optional' : 'required',
  )
  return { parse: [({ request }) => jsonBytes(request, options.waiting ?? null)], body }
}

async function jsonBytes(request: Request, waiting: WaitingBodies | null): Promise<Uint8Array> {
  const bytes = await limitedBody(request, JSON_LIMIT_BYTES, waiting)
  const type = request.headers.get('content-type')
  if (bytes.byteLength > 0 && type !== null && type.trim() !== '' && !isJsonType(type)) {
    throw new AppError('unsupportedType', 'The request body must be of the content type application/json', {
      field: 'Content-Type',
    })
  }
  const hasher = bodyHasher(request)
  hasher?.update(bytes)
  claimKey(request, hasher)
  return bytes
}

function isJsonType(contentType: string): boolean {
  return /^\s*(application\/json|text\/json|application\/[\w.+-]+\+json)\s*(;|$)/i.test(contentType)
}

function fromBytes<T extends TObject>(schema: T, bytes: unknown, options: JsonOptions): Static<T> {
  const value = parsed(bytes instanceof Uint8Array ? bytes : new Uint8Array(0))
  const isAbsent = value === undefined || (value === null && options.optional === true)
  if (isAbsent && options.optional) return checkedAs(schema, {})
  if (value === undefined) throw invalid('The request body is missing; it must be a JSON object')
  if (!isObject(value)) throw invalid('The request body must be a JSON object')
  return checkedAs(schema, options.aliases === undefined ? value : withoutAliases(value, options.aliases))
}

/** undefined: the body is blank. */
function parsed(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.trim() === '' ? undefined : JSON.parse(text)
  } catch {
    throw invalid('The request body is not valid JSON')
  }
}

function checkedAs<T extends TObject>(schema: T, value: unknown): Static<T> {
  return checked(schema, value, '') as Static<T>
}

function withoutAliases(
  value: Readonly<Record<string, unknown>>,
  aliases: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  const renamed: Record<string, unknown> = { ...value }
  for (const [alias, key] of Object.entries(aliases)) {
    const sent = valueOfKey(value, alias)
    if (sent !== undefined && valueOfKey(renamed, key) === undefined) renamed[key] = sent
  }
  return renamed
}
