import type { TSchema } from '@sinclair/typebox'

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
