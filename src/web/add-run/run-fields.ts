/** Parses `mm:ss`, `h:mm:ss` or minutes to seconds; null when it is not a time. */
export function secondsOf(shown: string): number | null {
  const parts = shown.trim().split(':')
  if (parts.length > 3 || parts.some((part) => !/^\d{1,3}$/.test(part))) return null
  const [last = 0, middle = 0, first = 0] = parts.map(Number).reverse()
  if (parts.length === 1) return last > 0 ? last * 60 : null
  const seconds = last + 60 * middle + 3600 * first
  return last < 60 && (parts.length < 3 || middle < 60) && seconds > 0 ? seconds : null
}

/** Parses a whole number; null when empty, undefined when it is not a number. */
export function wholeOf(shown: string): number | null | undefined {
  if (shown.trim() === '') return null
  const value = Number(shown.trim())
  return Number.isInteger(value) && value >= 0 ? value : undefined
}
