import type { TSchema } from '@sinclair/typebox'

/** Keywords for the document only. A symbol, so that validation does not see them. */
const KEYWORDS: unique symbol = Symbol('documented')

/**
 * A schema whose documentation states more than its validation checks: limits that a feature checks itself, with its
 * own messages and order, such as those of passwords.
 */
export function documented<T extends TSchema>(schema: T, keywords: Readonly<Record<string, unknown>>): T {
  return { ...schema, [KEYWORDS]: keywords }
}

/**
 * A schema in the form of the document: plain JSON, with the keywords of `documented` and with bounds for integers,
 * which are exact only up to 2^53.
 */
export function documentOf(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(documentOf)
  if (typeof schema !== 'object' || schema === null) return schema
  const shown = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, documentOf(value)]))
  const bounds = shown.type === 'integer' ? { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER } : {}
  return { ...bounds, ...shown, ...(schema as { [KEYWORDS]?: object })[KEYWORDS] }
}
