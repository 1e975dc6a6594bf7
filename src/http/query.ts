import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox'
import { invalid } from '../base/errors.ts'
import { checked } from './check.ts'
import { type Reader, reader } from './standard.ts'

/** The route options `transform` and `query` of a route with query parameters. */
export interface Query<T> {
  readonly transform: (context: { request: Request; query: unknown }) => void
  readonly query: Reader<T>
}

/**
 * The query of a route: keys are case sensitive, unknown ones are ignored, a repeated one is refused unless the schema
 * is a list, and integers, numbers and booleans are parsed from their text. Spread it into the route's options; `query`
 * is then the validated value.
 */
export function query<T extends TObject>(schema: T): Query<Static<T>> {
  return { transform: rawQuery, query: reader(schema, (pairs) => fromPairs(schema, pairs)) }
}

/** Query of a call whose answer has one shape for one file and another for several, or when some were refused. */
export function asSummary(shape: string) {
  const description = `Answers ${shape}, whatever the files and their result; absent: the shape depends on both`
  return { as: Type.Optional(Type.Literal('summary', { description })) }
}

/** Elysia splits values at commas, so that `keyword=5,5 km` would become two; here the pairs are taken as sent. */
function rawQuery(context: { request: Request; query: unknown }): void {
  const { url } = context.request
  const start = url.indexOf('?')
  context.query = new URLSearchParams(start === -1 ? '' : url.slice(start))
}

function fromPairs<T extends TObject>(schema: T, pairs: unknown): Static<T> {
  const sent: Record<string, unknown> = {}
  if (pairs instanceof URLSearchParams) {
    for (const [key, property] of Object.entries(schema.properties)) {
      if (property.type === 'array') {
        const texts = pairs.getAll(key)
        if (texts.length > 0) sent[key] = texts.map((text) => valueOfText(property.items, text))
        continue
      }
      const [text, again] = pairs.getAll(key)
      if (again !== undefined) throw invalid(`${key} must not be repeated`, { field: key })
      if (text !== undefined) sent[key] = valueOfText(property, text)
    }
  }
  return checked(schema, sent, '') as Static<T>
}

/** Parses a text by its schema; a text that cannot be parsed is kept, and the schema then refuses it. */
function valueOfText(schema: TSchema, text: string): unknown {
  if (schema.type === 'integer' || schema.multipleOf === 1) return integerOf(text) ?? text
  if (schema.type === 'number') return numberOf(text) ?? text
  if (schema.type === 'boolean') return booleanOf(text) ?? text
  return text
}

function integerOf(text: string): number | null {
  const value = /^[+-]?\d+$/.test(text.trim()) ? Number(text) : Number.NaN
  return Number.isSafeInteger(value) ? value : null
}

function numberOf(text: string): number | null {
  const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value : null
}

function booleanOf(text: string): boolean | null {
  const word = text.trim().toLowerCase()
  return word === 'true' ? true : word === 'false' ? false : null
}
