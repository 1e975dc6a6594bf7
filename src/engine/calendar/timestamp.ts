/** A timestamp of the wire: ISO 8601 UTC, a fraction only when it is not zero. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z')
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?\s*([Zz]|[+\- ]\d{2}:?\d{2})?$/

/**
 * Reads a calendar date, strictly `yyyy-MM-dd`, as the Unix milliseconds of its UTC midnight.
 * @returns null when it is not a real date
 */
export function parseDate(text: string): number | null {
  const match = DATE.exec(text)
  if (match === null) return null
  const ms = Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3]))
  return new Date(ms).toISOString().startsWith(text) ? ms : null
}

/**
 * Reads a timestamp as Unix milliseconds: with an offset it is converted, without one it is UTC, digits beyond
 * milliseconds are cut, and the space that form decoding makes of an offset's `+` is read as `+`.
 * @returns null when it is none
 */
export function parseTimestamp(text: string): number | null {
  const match = DATE_TIME.exec(text.trim())
  if (match === null) return null
  const [, date = '', hour, minute, second = '0', fraction = '', zone = 'Z'] = match
  const dayMs = parseDate(date)
  if (dayMs === null || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  const ms =
    dayMs + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000 + Number(`${fraction}000`.slice(0, 3))
  if (zone.toUpperCase() === 'Z') return ms
  const offsetMinutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))
  if (Number(zone.slice(1, 3)) > 14 || Number(zone.slice(-2)) > 59) return null
  return zone.startsWith('-') ? ms + offsetMinutes * 60_000 : ms - offsetMinutes * 60_000
}
