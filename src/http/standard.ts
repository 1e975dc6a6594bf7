import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import { notFound, type Thing } from '../base/errors.ts'
import { isObject, UUID } from '../base/json-object.ts'

/** Name by which the OpenAPI generator finds the schemas of these validators. */
export const VENDOR = 'harrier'

type Presence = 'required' | 'optional' | 'optional or null'

/**
 * A validator that Elysia calls (Standard Schema), with the TypeBox schema for the document. It replaces Elysia's own
 * validation, which coerces texts to numbers, accepts arrays as objects and cannot name field and rule.
 */
export interface Reader<T> {
  readonly schema: TSchema
  /** Whether a body may be absent, or null. */
  readonly presence: Presence
  readonly '~standard': {
    readonly version: 1
    readonly vendor: typeof VENDOR
    readonly validate: (value: unknown) => { readonly value: T }
    readonly types?: { readonly input: T; readonly output: T }
  }
}

/** @param read returns the value or throws an AppError */
export function reader<T>(schema: TSchema, read: (value: unknown) => T, presence: Presence = 'required'): Reader<T> {
  return {
    schema,
    presence,
    '~standard': { version: 1, vendor: VENDOR, validate: (value) => ({ value: read(value) }) },
  }
}

export type PathIds = Readonly<Record<string, Thing>>

/**
 * The route option `params` of a route with ids in its path: `pathIds({ id: 'Workout', mediaId: 'Media' })`. An id that
 * is not a UUID is treated like an unknown one: 404 with the text of its thing.
 */
export function pathIds<K extends string>(things: Readonly<Record<K, Thing>>): Reader<Record<K, string>> {
  const entries = Object.entries<Thing>(things)
  const properties = Object.fromEntries(
    entries.map(([key, thing]) => [key, Type.String({ format: 'uuid', description: `${thing} id` })]),
  )
  const schema: TObject = Type.Object(properties)
  return reader(schema, (params) => {
    const sent = isObject(params) ? params : {}
    const ids = entries.map(([key, thing]) => {
      const id = sent[key]
      if (typeof id !== 'string' || !UUID.test(id)) throw notFound(thing)
      return [key, id.toLowerCase()]
    })
    return Object.fromEntries(ids)
  })
}
