import type { TSchema } from '@sinclair/typebox'

/** Holds keywords for the document alone; a symbol, so that no reader sees them. */
const KEYWORDS: unique symbol = Symbol('documented')

/**
 * A schema whose document says more than its reader checks: limits that a feature refuses in words and in an order of its
 * own, such as those of passwords.
 */
export function documented<T extends TSchema>(schema: T, keywords: Readonly<Record<string, unknown>>): T {
  return { ...schema, [KEYWORDS]: keywords }
}

/**
 * The schema of a reader as the document shows it: plain JSON, with what `documented` added, and with the bounds beyond
 * which no integer is read exactly.
 */
export function documentOf(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(documentOf)
  if (typeof schema !== 'object' || schema === null) return schema
  const shown = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, documentOf(value)]))
  const bounds = shown.type === 'integer' ? { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER } : {}
  return { ...bounds, ...shown, ...(schema as { [KEYWORDS]?: object })[KEYWORDS] }
}
