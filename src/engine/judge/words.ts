import { isoTime } from '../calendar/timestamp.ts'
import { DAY_S } from '../units.ts'
import type { Correction } from './correction.ts'

// How the sentences of corrections state values.

/** Of a time, whose reason ends in `at 10 May 2026 06:00:00 UTC, not at …`. @param used Unix milliseconds, as stated */
export function timeCorrection(
  what: Correction['what'],
  reason: string,
  { stated, used }: { readonly stated: number; readonly used: number },
): Correction {
  const [right, wrong] = [used, stated].map((ms) => `${new Date(ms).toUTCString().slice(5, 25).replace(/^0/, '')} UTC`)
  return { what, stated: isoSecond(stated), used: isoSecond(used), reason: `${reason} at ${right}, not at ${wrong}` }
}

function isoSecond(unixMs: number): string {
  return isoTime(Math.round(unixMs / 1000) * 1000)
}

/** `40,330 m` */
export function metres(value: number): string {
  return `${Math.round(value).toLocaleString('en-GB')} m`
}

/** `1:30:00`, or `20 days` */
export function seconds(value: number): string {
  if (value >= 2 * DAY_S) return `${Math.round(value / DAY_S).toLocaleString('en-GB')} days`
  const whole = Math.round(value)
  const two = (part: number) => String(part).padStart(2, '0')
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}
