const DAY = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const

/** A day in the form `3 May 2026`. @param offsetMinutes UTC offset of the place whose day it is; null: UTC */
export function dayText(ms: number, offsetMinutes: number | null = null): string {
  return new Date(ms + (offsetMinutes ?? 0) * 60_000).toLocaleDateString('en-GB', DAY)
}
