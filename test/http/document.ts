// A reader of the OpenAPI document for tests: its operations, and whether a value is what a schema of it says.
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

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
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly format?: string
  readonly description?: string
}

export interface Operation {
  readonly operationId?: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly description?: string
    readonly required?: boolean
    readonly schema: Schema
  }[]
  readonly security?: readonly unknown[]
  readonly requestBody?: {
    readonly required?: boolean
    readonly content: Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>
  }
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly headers?: Readonly<Record<string, unknown>>
        readonly content?: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>
      }
    >
  >
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, Schema>>>>
}

/** Every operation, as `get /shoes/{id}/mileage`, with what it refers to in its place. */
export function operationsOf(document: Document): readonly (readonly [name: string, operation: Operation])[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method} ${path}`, resolved(document, operation)] as const),
  )
}

const RULES = [
  ...['format', 'enum', 'const', 'pattern', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
] as const
const SIZES = ['minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems', 'required'] as const

/** What may be sent in the queries and JSON bodies of all operations: a line for each member that has a rule. */
export function rulesOf(document: Document): string[] {
  return operationsOf(document).flatMap(([name, { parameters = [], requestBody }]) => {
    const queries = parameters.filter((parameter) => parameter.in === 'query')
    const ofQueries = queries.flatMap((query) => [
      ...(query.required ? [`${name} ?${query.name}: required`] : []),
      ...rulesWithin(query.schema, `${name} ?${query.name}`),
    ])
    return [...ofQueries, ...rulesWithin(requestBody?.content['application/json']?.schema ?? {}, `${name} `)]
  })
}

function rulesWithin(schema: Schema, place: string): string[] {
  const { anyOf = [], properties = {}, items } = schema
  const own = [...RULES, ...SIZES].filter((rule) => schema[rule as keyof Schema] !== undefined)
  const said = own.map((rule) => `${rule} ${JSON.stringify(schema[rule as keyof Schema])}`).join(', ')
  return [
    ...(said === '' ? [] : [`${place}: ${said}`]),
    ...Object.entries(properties).flatMap(([key, part]) => rulesWithin(part, `${place}.${key}`)),
    ...anyOf.flatMap((part) => rulesWithin(part, place)),
    ...(items === undefined ? [] : rulesWithin(items, `${place}[]`)),
  ]
}

function resolved<T>(document: Document, value: T): T {
  const text = JSON.stringify(value, (_, part) => {
    const [section, name] = /^#\/components\/(\w+)\/(.+)$/.exec(part?.$ref ?? '')?.slice(1) ?? []
    if (section === undefined || name === undefined) return part
    const { $ref: _ref, ...own } = part
    return { ...resolved(document, document.components[section]?.[name]), ...own }
  })
  return JSON.parse(text)
}

const ajv = addFormats(
  new Ajv2020({ strict: false, allErrors: true, validateSchema: false, code: { optimize: false } }),
)
/** By the object, and by the text of what it refers to, since most refusals are the same. */
const compiled = new Map<Schema | string, ValidateFunction>()

/** Where a value departs from its schema, in one text; null when it fits. */
export function departures(document: Document, schema: Schema, value: unknown): string | null {
  const fits = compiled.get(schema) ?? compile(document, schema)
  return fits(value) ? null : ajv.errorsText(fits.errors)
}

function compile(document: Document, schema: Schema): ValidateFunction {
  const whole = resolved(document, schema)
  const text = JSON.stringify(whole)
  const fits = compiled.get(text) ?? ajv.compile(whole)
  compiled.set(schema, fits).set(text, fits)
  return fits
}
