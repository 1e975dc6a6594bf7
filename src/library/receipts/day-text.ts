const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/**
 * A day in the form `3 May 2026`.
 * @param offsetMinutes UTC offset of the place whose day it is; null: UTC
 */
export function dayText(ms: number, offsetMinutes: number | null = null): string {
  const date = new Date(ms + (offsetMinutes ?? 0) * 60_000)
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}
