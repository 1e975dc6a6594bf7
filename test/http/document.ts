// A reader of the OpenAPI document for tests: its operations, and whether a value is what a schema of it says.

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly format?: string
}

export interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly security?: readonly unknown[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, unknown>> }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const FORMATS: Readonly<Record<string, RegExp>> = {
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/,
}

/** Every operation, as `get /shoes/{id}/mileage`. */
export function operationsOf(document: Document): readonly (readonly [name: string, operation: Operation])[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method} ${path}`, operation] as const),
  )
}

/** Where a value departs from its schema, as sentences; none when it fits. */
export function departures(document: Document, schema: Schema, value: unknown, at = 'the body'): string[] {
  if (schema.$ref !== undefined) {
    const named = document.components.schemas[schema.$ref.split('/').at(-1) ?? '']
    return named === undefined ? [`${at}: ${schema.$ref} is unknown`] : departures(document, named, value, at)
  }
  if (schema.anyOf !== undefined) {
    const fits = schema.anyOf.some((alternative) => departures(document, alternative, value, at).length === 0)
    return fits ? [] : [`${at}: ${JSON.stringify(value)} fits no alternative`]
  }
  if ('const' in schema && value !== schema.const) return [`${at}: ${JSON.stringify(value)} is not the constant`]
  if (schema.enum !== undefined && value !== null && !schema.enum.includes(value)) {
    return [`${at}: ${JSON.stringify(value)} is not among the values`]
  }
  const types = schema.type === undefined ? [] : [schema.type].flat()
  if (types.length > 0 && !types.some((type) => isOfType(type, value))) {
    return [`${at}: ${JSON.stringify(value)} is not ${types.join(' or ')}`]
  }
  if (typeof value === 'string' && FORMATS[schema.format ?? '']?.test(value) === false) {
    return [`${at}: ${value} is no ${schema.format}`]
  }
  if (typeof value === 'number' && !isWithin(value, schema.minimum, schema.maximum))
    return [`${at}: ${value} is outside`]
  if (Array.isArray(value)) {
    const { items, minItems, maxItems } = schema
    if (!isWithin(value.length, minItems, maxItems)) return [`${at}: ${value.length} entries`]
    return items === undefined ? [] : value.flatMap((item, k) => departures(document, items, item, `${at}[${k}]`))
  }
  if (typeof value !== 'object' || value === null) return []
  const members = value as Readonly<Record<string, unknown>>
  const missing = (schema.required ?? []).filter((key) => !(key in members)).map((key) => `${at}.${key} is missing`)
  const inside = Object.entries(schema.properties ?? {}).flatMap(([key, property]) =>
    key in members ? departures(document, property, members[key], `${at}.${key}`) : [],
  )
  return [...missing, ...inside]
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === type
}

function isWithin(value: number, from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY): boolean {
  return value >= from && value <= to
}
