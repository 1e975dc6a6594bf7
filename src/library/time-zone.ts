import zoneLookup from '@photostructure/tz-lookup'
import { MAX_OFFSET_MINUTES } from '../engine/calendar/weeks.ts'
import { isPosition } from '../engine/grid.ts'

interface PlaceTime {
  /** IANA name; null when only the file's own clock is known. */
  readonly zone: string | null
  /** Minutes ahead of UTC at that moment; negative west of Greenwich. */
  readonly utcOffsetMinutes: number | null
}

export interface Position {
  readonly latDeg: number
  readonly lonDeg: number
}

/**
 * The local time of a run: by its position; by the file's clock only without one. Some watches write local time as UTC,
 * so the file is not trusted when the place is known (docs/algorithms.md 13).
 * @param fileOffsetMinutes by how much the file's local clock was ahead of UTC; rounded to a quarter hour, ignored
 * beyond 14 h
 * @param atMs Unix milliseconds of the start
 */
export function placeTime(position: Position | null, fileOffsetMinutes: number | null, atMs: number): PlaceTime {
  const zone = position === null ? null : zoneAt(position.latDeg, position.lonDeg)
  if (zone !== null) return { zone, utcOffsetMinutes: utcOffsetMinutes(zone, atMs) }
  return { zone: null, utcOffsetMinutes: fileOffset(fileOffsetMinutes) }
}

/** IANA zone of a place, `Etc/GMT±h` at sea; null for invalid coordinates. */
export function zoneAt(latDeg: number, lonDeg: number): string | null {
  if (!isPosition(latDeg, lonDeg)) return null
  return zoneLookup(latDeg, lonDeg)
}

const OFFSET = /^GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/

/**
 * Cached, since creating a formatter takes longer than inserting a run. The cache is cleared when it exceeds the number
 * of zones that one runner visits.
 */
const formatters = new Map<string, Intl.DateTimeFormat>()
const MOST_FORMATTERS = 16

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone)
  if (known !== undefined) return known
  if (formatters.size >= MOST_FORMATTERS) formatters.clear()
  const formatter = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
  formatters.set(zone, formatter)
  return formatter
}

/**
 * Minutes by which a zone's clock is ahead of UTC at an instant, in whole minutes (historic local mean times have
 * seconds).
 * @throws RangeError for a zone or an instant that Intl does not know
 */
export function utcOffsetMinutes(zone: string, atMs: number): number {
  const parts = formatterOf(zone).formatToParts(atMs)
  const text = parts.find((part) => part.type === 'timeZoneName')?.value ?? ''
  const match = OFFSET.exec(text)
  if (match === null) throw new RangeError(`No offset in ${text} of ${zone}`)
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = match
  const minutesAhead = Math.round(Number(hours) * 60 + Number(minutes) + Number(seconds) / 60)
  return sign === '-' && minutesAhead !== 0 ? -minutesAhead : minutesAhead
}

const QUARTER_HOUR_MIN = 15

function fileOffset(minutes: number | null): number | null {
  if (minutes === null || !Number.isFinite(minutes)) return null
  const rounded = Math.round(minutes / QUARTER_HOUR_MIN) * QUARTER_HOUR_MIN
  if (Math.abs(rounded) > MAX_OFFSET_MINUTES) return null
  return rounded === 0 ? 0 : rounded
}
