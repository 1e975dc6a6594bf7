/** A UUID in any case; stored and answered in lower case. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The value of a key in any case, preferring the exact spelling; undefined when the object lacks it. */
export function valueOfKey(object: Readonly<Record<string, unknown>>, key: string): unknown {
  if (Object.hasOwn(object, key)) return object[key]
  const folded = key.toLowerCase()
  for (const [candidate, value] of Object.entries(object)) if (candidate.toLowerCase() === folded) return value
  return undefined
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** JSON with the members of objects in the order of their names, which says nothing: equal values have equal texts. */
export function orderedJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    isObject(member) ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1))) : member,
  )
}
