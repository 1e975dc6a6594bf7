import { spacedTimeAt } from '../../engine/calendar/timestamp.ts'
import { KILOCALORIES, METRES, timeOf } from '../health/values.ts'
import { offsetOf } from '../text-values.ts'

// Values as an Apple Health export writes them; an invalid one is NaN, or null where the type says so.

type Factors = Readonly<Record<string, number>>

export const UNITS = {
  length: { ...METRES, cm: 0.01 },
  energy: KILOCALORIES,
  duration: { s: 1, sec: 1, min: 60, hr: 3600, h: 3600 },
  rate: { 'count/min': 1, 'count/s': 60, bpm: 1 },
  power: { w: 1 },
  speed: { 'm/s': 1, 'km/hr': 1 / 3.6, 'km/h': 1 / 3.6, 'mi/hr': 0.44704 },
  count: { count: 1 },
} as const satisfies Readonly<Record<string, Factors>>

/** What a value in this unit is multiplied by; NaN for an unknown one. */
export function factorOf(unit: string | null, factors: Factors): number {
  return factors[unit?.trim().toLowerCase() ?? ''] ?? Number.NaN
}

/** A number with its unit, such as `850 cm` or `6500 %`. */
export function measureOf(text: string | undefined): { readonly value: number; readonly unit: string } | null {
  const found = /^\s*(-?\d+(?:\.\d+)?)\s*(\S+)\s*$/.exec(text ?? '')
  return found === null ? null : { value: Number(found[1]), unit: found[2]! }
}

/** Unix milliseconds of `2024-01-15 10:00:00 +0000`, also with a 12-hour clock as some phones write it. */
export function appleTimeAt(bytes: Uint8Array, start: number, end: number): number {
  const time = spacedTimeAt(bytes, start, end)
  if (!Number.isNaN(time)) return time
  return timeOf(new TextDecoder().decode(bytes.subarray(start, Math.min(end, start + 64))))
}

/** Minutes by which a zone is ahead of UTC at that instant; null for an unknown zone. */
export function zoneOffset(zone: string, atMs: number): number | null {
  try {
    const text = new Date(atMs).toLocaleString('en', { timeZone: zone, timeZoneName: 'longOffset' })
    return text.endsWith('GMT') ? 0 : offsetOf(text)
  } catch {
    return null
  }
}
