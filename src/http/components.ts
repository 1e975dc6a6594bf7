import { isObject } from '../base/json-object.ts'

type Json = Record<string, unknown>

/** Answers that many calls give in the same words, by status. */
const ANSWERS: Readonly<Record<string, string>> = {
  ...{ 204: 'Done', 400: 'Invalid', 401: 'Unauthorized', 403: 'Forbidden', 404: 'NotFound', 408: 'TimedOut' },
  ...{ 409: 'Conflict', 413: 'TooLarge', 415: 'UnsupportedType', 416: 'OutOfRange', 422: 'KeyReused' },
  ...{ 429: 'Throttled', 500: 'InternalError', 503: 'Unavailable', 507: 'DiskFull' },
}

/**
 * The document with choices as `enum`, and with every schema that has a title as a component of that name, so that
 * generated clients have one type of each.
 * @throws Error when two shapes have the same title
 */
export function withComponents(document: Json): Json {
  const schemas: Record<string, Json> = {}
  const answers: Record<string, Json> = {}
  const named = (schema: Json): Json => {
    const plain = plainSchema(schema)
    const next = inOrder({
      ...plain,
      ...(isObject(plain.properties) && { properties: mapped(plain.properties, named) }),
      ...(isObject(plain.items) && { items: named(plain.items) }),
      ...(Array.isArray(plain.anyOf) && { anyOf: plain.anyOf.map(named) }),
    })
    if (typeof next.title !== 'string') return next
    const { title, description, default: value, ...shape } = next
    kept(schemas, title, shape)
    return {
      $ref: `#/components/schemas/${title}`,
      ...(description !== undefined && { description }),
      ...(value !== undefined && { default: value }),
    }
  }
  const body = <T>(content: T) => mapped(content, (media) => ({ ...media, schema: named(media.schema as Json) }))
  const paths = mapped(document.paths, (methods) =>
    mapped(methods, ({ parameters, requestBody, responses, ...operation }) => ({
      ...operation,
      ...(Array.isArray(parameters) && {
        parameters: parameters.map((one: Json) =>
          one.schema === undefined ? one : { ...one, schema: named(one.schema as Json) },
        ),
      }),
      ...(isObject(requestBody) && { requestBody: { ...requestBody, content: body(requestBody.content) } }),
      responses: mapped(responses, (answer, status) => {
        const whole = answer.content === undefined ? answer : { ...answer, content: body(answer.content) }
        const name = ANSWERS[status]
        if (name === undefined) return whole
        answers[name] ??= whole
        if (!isSame(answers[name], whole)) return whole
        return { $ref: `#/components/responses/${name}` }
      }),
    })),
  )
  const { components, paths: _, ...head } = document
  return { ...head, components: { ...(components as Json), schemas, responses: answers }, paths }
}

function kept(schemas: Record<string, Json>, title: string, shape: Json): void {
  schemas[title] ??= shape
  if (!isSame(schemas[title], shape)) throw new Error(`Several shapes are called ${title}`)
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Members that most schemas have, in one order, since text that repeats is compressed better. */
const ORDER = ['properties', 'required', 'items', 'format', 'minimum', 'maximum', 'enum', 'type', 'description']

function inOrder(schema: Json): Json {
  return { ...Object.fromEntries(ORDER.flatMap((key) => (key in schema ? [[key, schema[key]]] : []))), ...schema }
}

/** Choices as `enum`; what may be null as one of two, where one type with null would be hard on generators. */
function plainSchema(schema: Json): Json {
  if (Array.isArray(schema.anyOf)) {
    const { anyOf, type, title, ...rest } = schema
    const parts: Json[] = anyOf.map((part) => (type === undefined ? part : { type, ...part }))
    const words = parts.filter((part) => 'const' in part)
    const named = title !== undefined && { title }
    if (words.length < 2) return { ...rest, ...named, anyOf: parts }
    const choice = { type: 'string', enum: words.map((part) => part.const), ...named }
    const others = parts.filter((part) => !('const' in part))
    return others.length === 0 ? { ...rest, ...choice } : { ...rest, anyOf: [choice, ...others] }
  }
  const isNullable = Array.isArray(schema.type) && schema.type.includes('null')
  if (!isNullable || (schema.properties === undefined && schema.enum === undefined)) return schema
  const { description, type, ...rest } = schema
  const [own] = (type as string[]).filter((word) => word !== 'null')
  return { ...(description !== undefined && { description }), anyOf: [{ ...rest, type: own }, { type: 'null' }] }
}

function mapped(object: unknown, map: (value: Json, key: string) => Json): Json {
  return Object.fromEntries(
    Object.entries(object as Record<string, Json>).map(([key, value]) => [key, map(value, key)]),
  )
}
