import { isObject } from '../base/json-object.ts'

type Json = Record<string, unknown>

/** What something is called where it stands, then what it is a part of, outwards. */
type Place = readonly string[]

/** Something that may become a component. */
interface Use {
  /** Uses of the same shape share a component. */
  readonly shape: string
  readonly place: Place
  readonly title?: unknown
}

/** @param before the schema as it was before its parts were changed */
type Change = (schema: Json, place: Place, before: Json) => Json

/** Names of answers that several calls share. */
const ANSWERS: Readonly<Record<string, string>> = {
  ...{ 200: 'Success', 201: 'Created', 204: 'Done', 206: 'Part', 400: 'Invalid', 401: 'Unauthorized' },
  ...{ 403: 'Forbidden', 404: 'NotFound', 408: 'TimedOut', 413: 'TooLarge', 415: 'UnsupportedType' },
  ...{ 416: 'OutOfRange', 429: 'Throttled', 500: 'InternalError', 503: 'Unavailable', 507: 'DiskFull' },
}

/**
 * The document with choices as `enum`, and with every object, choice, union, parameter and answer that occurs twice as a
 * named component, so that generated clients have one type of each. A name is the title of a schema, else what it is
 * called where it stands, with as many of the members around it as make it unique.
 * @throws Error when two shapes get the same name: one of them needs a title
 */
export function withComponents(document: Json): Json {
  const plain = withSchemas(document, (schema) => inOrder(plainSchema(schema)))
  const uses: Use[] = []
  withSchemas(plain, (schema, place) => {
    if (isNameable(schema)) uses.push({ shape: shapeOf(schema), place, title: schema.title })
    return schema
  })
  const names = namesOf(uses)
  const schemas: Json = {}
  const { components, ...referring } = withSchemas(plain, (schema, _, before) => {
    const name = names.get(shapeOf(before))
    if (name === undefined) return schema
    const { description, default: value, title: _title, ...shape } = schema
    schemas[name] = shape
    return {
      $ref: `#/components/schemas/${name}`,
      ...(description !== undefined && { description }),
      ...(value !== undefined && { default: value }),
    }
  })
  const operations = operationsOf(referring)
  const parameters = shared('parameters', operations.flatMap(parametersOf))
  const responses = shared('responses', operations.flatMap(responsesOf))
  const { paths, ...head } = referring
  return { ...head, components: { ...(components as Json), schemas, parameters, responses }, paths }
}

/** Members that most schemas have, in one order, since text that repeats is compressed better. */
const ORDER = ['properties', 'required', 'items', 'format', 'minimum', 'maximum', 'enum', 'type', 'description']

function inOrder(schema: Json): Json {
  const ordered = ORDER.flatMap((key) => (key in schema ? [[key, schema[key]] as const] : []))
  const { anyOf } = schema
  return { ...Object.fromEntries(ordered), ...schema, ...(Array.isArray(anyOf) && { anyOf: anyOf.map(inOrder) }) }
}

/** Choices as `enum`; what may be null as one of two, where one type with null would be hard on generators. */
function plainSchema(schema: Json): Json {
  if (Array.isArray(schema.anyOf)) {
    const { anyOf, type, ...rest } = schema
    const parts: Json[] = anyOf.map((part) => (type === undefined ? part : { type, ...part }))
    const words = parts.filter((part) => 'const' in part)
    if (words.length < 2) return { ...rest, anyOf: parts }
    const choice = { type: 'string', enum: words.map((part) => part.const) }
    const others = parts.filter((part) => !('const' in part))
    return others.length === 0 ? { ...rest, ...choice } : { ...rest, anyOf: [choice, ...others] }
  }
  const isNullable = Array.isArray(schema.type) && schema.type.includes('null')
  if (!isNullable || (schema.properties === undefined && schema.enum === undefined)) return schema
  const { description, type, ...rest } = schema
  const [own] = (type as string[]).filter((word) => word !== 'null')
  return { ...(description !== undefined && { description }), anyOf: [{ ...rest, type: own }, { type: 'null' }] }
}

/** An object with members, a choice of several words, or a union of several types beside null. */
function isNameable({ properties, enum: words, anyOf }: Json): boolean {
  if (Array.isArray(anyOf)) return anyOf.filter(({ type }) => type !== 'null').length > 1
  return (Array.isArray(words) && words.length > 1) || (isObject(properties) && Object.keys(properties).length > 0)
}

/** What a schema is, without what it says of one use of it. */
function shapeOf({ description: _, default: _default, title: _title, ...shape }: Json): string {
  return JSON.stringify(shape)
}

/** @returns the name of each shape that occurs twice or has a title */
function namesOf(uses: readonly Use[]): ReadonlyMap<string, string> {
  const places = Map.groupBy(uses, ({ shape }) => shape)
  const shapes = [...places].filter(([, found]) => found.length > 1 || found.some(({ title }) => title !== undefined))
  const depths = new Map(shapes.map(([shape]) => [shape, 1]))
  const nameOf = ([shape, found]: (typeof shapes)[number]) => {
    const title = found.find((use) => use.title !== undefined)?.title
    if (typeof title === 'string') return title
    const names = found.map(({ place }) => place.slice(0, depths.get(shape)).toReversed().join(''))
    const counts = Map.groupBy(names, (name) => name)
    const most = Math.max(...[...counts.values()].map(({ length }) => length))
    return names.find((name) => counts.get(name)?.length === most) ?? ''
  }
  const usesOf = ([, found]: (typeof shapes)[number]) =>
    found.some(({ title, place }) => title !== undefined || place.length === 1)
      ? Number.POSITIVE_INFINITY
      : found.length
  const deepest = Math.max(...uses.map(({ place }) => place.length))
  let clashes = shapes
  for (let depth = 1; depth <= deepest; depth += 1) {
    const groups = [...Map.groupBy(shapes, nameOf).values()].filter(({ length }) => length > 1)
    clashes = groups.flat()
    if (clashes.length === 0) return new Map(shapes.map((entry) => [entry[0], nameOf(entry)]))
    for (const group of groups) {
      const [first, second] = group.toSorted((a, b) => usesOf(b) - usesOf(a))
      // the one with the most uses keeps the short name, unless another has no longer one
      const keeping = usesOf(first!) > usesOf(second!) ? first : undefined
      for (const entry of group) if (entry !== keeping) depths.set(entry[0], depth + 1)
    }
  }
  throw new Error(`Several shapes are called ${[...new Set(clashes.map(nameOf))].join(', ')}`)
}

interface Part extends Use {
  readonly value: Json
  readonly replace: (by: Json) => void
}

/** The parts that occur twice, by name; what they were is replaced by references. */
function shared(section: string, parts: readonly Part[]): Json {
  const names = namesOf(parts)
  const components: Json = {}
  for (const { shape, value, replace } of parts) {
    const name = names.get(shape)
    if (name === undefined) continue
    components[name] = value
    replace({ $ref: `#/components/${section}/${name}` })
  }
  return components
}

function parametersOf({ path, operation }: Operation): Part[] {
  const parameters = (operation.parameters ?? []) as Json[]
  return parameters.map((value, index) => {
    const name = String(value.name)
    const owner = name === 'id' ? singular(path.split('/{id}')[0]?.split('/').at(-1) ?? '') : ''
    const place = [pascal(owner) + pascal(name), pascal(value.in === 'path' ? 'path' : String(operation.tags))]
    const replace = (by: Json) => {
      parameters[index] = by
    }
    return { shape: JSON.stringify(value), place, value, replace }
  })
}

function responsesOf({ operation }: Operation): Part[] {
  const responses = operation.responses as Record<string, Json>
  return Object.entries(responses).map(([status, value]) => {
    const { $ref = '' } =
      (value.content as Record<string, { schema: Json }> | undefined)?.['application/json']?.schema ?? {}
    const kind = Number(status) < 300 ? pascal(String($ref).split('/').at(-1) ?? '') : ''
    const place = [`${kind}${ANSWERS[status] ?? status}`, pascal(String(operation.operationId))]
    const replace = (by: Json) => {
      responses[status] = by
    }
    return { shape: JSON.stringify(value), place, value, replace }
  })
}

interface Operation {
  readonly path: string
  readonly operation: Json
}

function operationsOf(document: Json): Operation[] {
  return Object.entries(document.paths as Record<string, Record<string, Json>>).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, operation })),
  )
}

/** A copy of the document in which all schemas are changed, inner ones first. */
function withSchemas(document: Json, change: Change): Json {
  const paths = mapped(document.paths, (methods) =>
    mapped(methods, (operation) => {
      const id = pascal(String(operation.operationId))
      const subject = id.replace(/^[A-Z][a-z]+(?=[A-Z])/, '')
      const body = (value: unknown, name: string) =>
        mapped(value, (media) => ({ ...media, schema: changed(media.schema as Json, [name], change) }))
      const { parameters, requestBody } = operation as { parameters?: Json[]; requestBody?: Json }
      return {
        ...operation,
        ...(parameters && {
          parameters: parameters.map((one) => ({
            ...one,
            schema: changed(one.schema as Json, [pascal(String(one.name)), subject], change),
          })),
        }),
        ...(requestBody && { requestBody: { ...requestBody, content: body(requestBody.content, `${id}Request`) } }),
        responses: mapped(operation.responses, (answer) =>
          answer.content === undefined ? answer : { ...answer, content: body(answer.content, subject) },
        ),
      }
    }),
  )
  return { ...document, paths }
}

function changed(schema: Json, place: Place, change: Change): Json {
  const next = { ...schema }
  const [name = '', ...around] = place
  if (isObject(schema.properties)) {
    next.properties = mapped(schema.properties, (part, key) =>
      changed(part, key === 'items' ? place : [pascal(key), ...place], change),
    )
  }
  if (isObject(schema.items)) next.items = changed(schema.items, [singular(name), ...around], change)
  if (Array.isArray(schema.anyOf)) {
    next.anyOf = schema.anyOf.map((part: Json) => {
      const { kind } = (part.properties ?? {}) as { kind?: { const?: string } }
      return changed(part, [`${pascal(kind?.const ?? '')}${name}`, ...around], change)
    })
  }
  return change(next, place, schema)
}

function mapped(object: unknown, map: (value: Json, key: string) => Json): Json {
  return Object.fromEntries(
    Object.entries(object as Record<string, Json>).map(([key, value]) => [key, map(value, key)]),
  )
}

function pascal(text: string): string {
  return text.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9]?)/g, (_, first: string) => first.toUpperCase())
}

function singular(word: string): string {
  return word.replace(/ies$/, 'y').replace(/([^s])s$/, '$1')
}
