import { isoDate, mondayOf as mondayBefore, parseDay, weekdayOf } from '../engine/calendar/weeks.ts'
import { shownMovingTimeS } from '../engine/run/shown-time.ts'
import { METRES_PER_FOOT, METRES_PER_KM, METRES_PER_MILE } from '../engine/units.ts'
import { createStore, useStore } from './store.ts'

// Formats numbers and times in the units of the reader, in English.

export type Units = 'metric' | 'imperial'

/** A number as text and its unit, separate because the unit is displayed smaller. */
export interface Quantity {
  readonly value: string
  readonly unit: string
}

const KMH_PER_MPS = 3.6
const MPH_PER_MPS = 3600 / METRES_PER_MILE
const NO_VALUE = '–'
/** The page is in English: the reader's own kind of it, else British. */
const LOCALE = englishOf(new Intl.NumberFormat().resolvedOptions().locale)

/** Cached, since creating a formatter takes longer than a hundred uses. */
const numberFormats = new Map<number, Intl.NumberFormat>()
const dateFormats = new Map<string, Intl.DateTimeFormat>()

export function englishOf(language: string): string {
  return /^en\b/.test(language) ? language : 'en-GB'
}

/** Metres of one kilometre or mile. */
export function unitLengthM(units: Units): number {
  return units === 'metric' ? METRES_PER_KM : METRES_PER_MILE
}

/** `km` or `mi`. */
export function distanceUnit(units: Units): string {
  return units === 'metric' ? 'km' : 'mi'
}

/** @param distanceM metres; null is shown as a dash */
export function distance(distanceM: number | null, units: Units, digits = 2): Quantity {
  const value = distanceM === null ? null : distanceM / unitLengthM(units)
  return { value: number(value, digits), unit: distanceUnit(units) }
}

/** As the page writes a standard distance that the service names: `400 m`, `Half marathon`. @param words that contain it */
export function distanceName(words: string): string {
  return words.replace('Half-Marathon', 'Half marathon').replace(/(?<=\d)m\b/, ' m')
}

/** Large sums with few digits: 1,024 km, 312 km, 42.2 km. */
export function roughDistance(distanceM: number, units: Units): Quantity {
  return distance(distanceM, units, distanceM / unitLengthM(units) >= 100 ? 0 : 1)
}

/** @param paceSPerKm seconds per kilometre; null or 0 is shown as a dash */
export function pace(paceSPerKm: number | null, units: Units): Quantity {
  const unit = `/${distanceUnit(units)}`
  if (paceSPerKm === null || !(paceSPerKm > 0)) return { value: NO_VALUE, unit }
  return { value: duration((paceSPerKm * unitLengthM(units)) / 1000), unit }
}

export function speed(speedMps: number | null, units: Units): Quantity {
  const factor = units === 'metric' ? KMH_PER_MPS : MPH_PER_MPS
  return { value: number(speedMps === null ? null : speedMps * factor, 1), unit: units === 'metric' ? 'km/h' : 'mph' }
}

export function elevation(elevationM: number | null, units: Units): Quantity {
  if (units === 'metric') return { value: number(elevationM, 0), unit: 'm' }
  return { value: number(elevationM === null ? null : elevationM / METRES_PER_FOOT, 0), unit: 'ft' }
}

/** @param temperatureC degrees Celsius */
export function temperature(temperatureC: number | null, units: Units): Quantity {
  if (units === 'metric') return { value: number(temperatureC, 0), unit: '°C' }
  return { value: number(temperatureC === null ? null : (temperatureC * 9) / 5 + 32, 0), unit: '°F' }
}

/** `1:02:33`, `24:07`, `0:42`. @param durationS seconds, rounded to whole ones */
export function duration(durationS: number | null): string {
  if (durationS === null) return NO_VALUE
  const whole = Math.round(durationS)
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor((whole % 3600) / 60)
  const seconds = String(whole % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${seconds}` : `${minutes}:${seconds}`
}

/** Such as `4 h 12 min` or `38 min`, for sums, where seconds are irrelevant. */
export function roughDuration(durationS: number): string {
  const minutes = Math.round(durationS / 60)
  const hours = Math.floor(minutes / 60)
  return hours > 0 ? `${number(hours, 0)} h ${String(minutes % 60).padStart(2, '0')} min` : `${minutes} min`
}

/** Sums of a whole log: `152 h`, below ten hours `4 h 12 min`. */
export function sumDuration(durationS: number): string {
  return durationS < 36_000 ? roughDuration(durationS) : `${number(durationS / 3600)} h`
}

/** A number as text; null is a dash. */
export function number(value: number | null, digits = 0): string {
  if (value === null || !Number.isFinite(value)) return NO_VALUE
  let format = numberFormats.get(digits)
  if (format === undefined) {
    format = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: digits, maximumFractionDigits: digits })
    numberFormats.set(digits, format)
  }
  // a hyphen is too short for a minus
  return format.format(value).replace('-', '−')
}

/** `1 run`, `2 runs`, `1,024 runs`. */
export function counted(count: number, one: string): string {
  return `${number(count)} ${count === 1 ? one : `${one}s`}`
}

/** Counts with their words, without those of 0: `412 added, 3 updated`. */
export function listed(parts: readonly (readonly [count: number, words: string])[]): string {
  return parts.flatMap(([count, words]) => (count > 0 ? `${number(count)} ${words}` : [])).join(', ')
}

export function capitalised(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}

export function lowered(words: string): string {
  return `${words.slice(0, 1).toLowerCase()}${words.slice(1)}`
}

/** `+3.2`, `−3.2`, `±0`. */
export function signed(value: number, digits = 0): string {
  const text = number(Math.abs(value), digits)
  if (text === number(0, digits)) return '±0'
  return `${value > 0 ? '+' : '−'}${text}`
}

/** A difference of times without its sign: `4 s`, `1:05`. */
export function timeDifference(seconds: number): string {
  const whole = Math.round(Math.abs(seconds))
  return whole < 60 ? `${whole}\u00a0s` : duration(whole)
}

/** `+4 s`, `−1:05`, `±0 s`. */
export function signedTime(seconds: number): string {
  return `${signed(seconds).slice(0, 1)}${timeDifference(seconds)}`
}

/** A difference of paces without its sign: `17 s/km`. @param paceSPerKm seconds per kilometre */
export function paceDifference(paceSPerKm: number, units: Units): string {
  return `${timeDifference((paceSPerKm * unitLengthM(units)) / METRES_PER_KM)}/${distanceUnit(units)}`
}

/** `113–196`, and `−3 to 2` where a dash could be read as a minus. */
export function range(low: string, high: string): string {
  if (low === high) return low
  return `${low}${low.startsWith('−') || high.startsWith('−') ? ' to ' : '–'}${high}`
}

/** Value and unit as one text that does not wrap. */
export function text({ value, unit }: Quantity): string {
  return unit.startsWith('/') || unit.startsWith('°') ? `${value}${unit}` : `${value}\u00a0${unit}`
}

const DATE_STYLES = {
  day: { day: 'numeric', month: 'short' },
  weekdayDay: { weekday: 'short', day: 'numeric', month: 'short' },
  short: { day: 'numeric', month: 'short', year: 'numeric' },
  long: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  full: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  time: { hour: 'numeric', minute: '2-digit' },
  dateTime: { day: 'numeric', month: 'short', year: 'numeric', hour: 'numeric', minute: '2-digit' },
  month: { month: 'short' },
  monthName: { month: 'long' },
  shortMonthYear: { month: 'short', year: 'numeric' },
  monthYear: { month: 'long', year: 'numeric' },
  weekday: { weekday: 'short' },
  weekdayName: { weekday: 'long' },
  weekdayMonth: { weekday: 'long', day: 'numeric', month: 'long' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>
type DateStyle = keyof typeof DATE_STYLES

/**
 * An instant in local time of the run.
 * @param iso a timestamp, or a calendar date such as `2025-11-20`
 * @param utcOffsetMinutes local time minus UTC there; null: the reader's time zone
 */
export function date(iso: string, style: DateStyle = 'short', utcOffsetMinutes: number | null = null): string {
  const isCalendarDate = iso.length === 10
  if (isCalendarDate) return dateFormat(style, true).format(Date.parse(`${iso}T00:00:00Z`))
  if (utcOffsetMinutes === null) return dateFormat(style, false).format(Date.parse(iso))
  return dateFormat(style, true).format(Date.parse(iso) + utcOffsetMinutes * 60_000)
}

/** When something was done, in the reader's time: `today 3:02`, `yesterday 3:02`, `24 Nov 2025, 3:02`. */
export function dayAndTime(iso: string): string {
  const daysAgo = dayNumber(localDay(new Date().toISOString())) - dayNumber(localDay(iso))
  if (daysAgo !== 0 && daysAgo !== 1) return date(iso, 'dateTime')
  return `${daysAgo === 0 ? 'today' : 'yesterday'} ${date(iso, 'time')}`
}

/** Two calendar dates as one range: `17 – 23 Nov`. */
export function dateRange(from: string, to: string, style: DateStyle = 'day'): string {
  return dateFormat(style, true).formatRange(Date.parse(`${from}T00:00:00Z`), Date.parse(`${to}T00:00:00Z`))
}

function dateFormat(style: DateStyle, isUtc: boolean): Intl.DateTimeFormat {
  const key = `${style} ${isUtc}`
  let format = dateFormats.get(key)
  if (format === undefined) {
    format = new Intl.DateTimeFormat(LOCALE, { ...DATE_STYLES[style], ...(isUtc ? { timeZone: 'UTC' } : {}) })
    dateFormats.set(key, format)
  }
  return format
}

/** The local day of an instant as `yyyy-MM-dd`, by the run's offset, else the reader's. */
export function localDay(iso: string, utcOffsetMinutes: number | null = null): string {
  const atMs = Date.parse(iso)
  const offset = utcOffsetMinutes ?? -new Date(atMs).getTimezoneOffset()
  return new Date(atMs + offset * 60_000).toISOString().slice(0, 10)
}

/** Name of a run; for one without a name by the hour of its start. */
export function runName(run: { name: string | null; startedAt: string; utcOffsetMinutes: number | null }): string {
  if (run.name !== null) return run.name
  const atMs = Date.parse(run.startedAt)
  const offset = run.utcOffsetMinutes ?? -new Date(atMs).getTimezoneOffset()
  const hour = new Date(atMs + offset * 60_000).getUTCHours()
  if (hour >= 5 && hour < 12) return 'Morning run'
  if (hour >= 12 && hour < 17) return 'Afternoon run'
  return hour >= 17 && hour < 21 ? 'Evening run' : 'Night run'
}

/** The local day of a run; with its year unless it is the current one. */
export function runDay(run: { startedAt: string; utcOffsetMinutes: number | null }, withWeekday = false): string {
  const { startedAt, utcOffsetMinutes } = run
  const isThisYear = localDay(startedAt, utcOffsetMinutes).slice(0, 4) === String(new Date().getFullYear())
  if (withWeekday) return date(startedAt, isThisYear ? 'weekdayDay' : 'long', utcOffsetMinutes)
  return date(startedAt, isThisYear ? 'day' : 'short', utcOffsetMinutes)
}

/** `2nd`. */
export function ordinal(place: number): string {
  const isTeen = Math.floor((place % 100) / 10) === 1
  return `${place}${isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][place % 10] ?? 'th')}`
}

/** A file size: `3.4 MB`. */
export function bytes(size: number): string {
  if (size < 1000) return `${size}\u00a0B`
  if (size < 1e6) return `${number(size / 1e3, 0)}\u00a0KB`
  return size < 1e9 ? `${number(size / 1e6, 1)}\u00a0MB` : `${number(size / 1e9, 1)}\u00a0GB`
}

// Days in the page are texts `yyyy-MM-dd`; calculations use the engine's calendar.

/** Days since 1970-01-01; NaN for an invalid day. */
export function dayNumber(day: string): number {
  return parseDay(day) ?? Number.NaN
}

/** The day so many days later, or earlier when negative. */
export function shiftedDay(day: string, days: number): string {
  return isoDate(dayNumber(day) + days)
}

/** 0 is Monday, 6 is Sunday. */
export function weekdayIndex(day: string): number {
  return weekdayOf(dayNumber(day))
}

/** The Monday of the week of a day. */
export function mondayOf(day: string): string {
  return isoDate(mondayBefore(dayNumber(day)))
}

/** Whether times and paces use moving or elapsed time; races always use elapsed time, as in results. */
export type PaceClock = 'moving' | 'elapsed'

/** Time and pace of a run by one clock. */
interface ClockFigures {
  readonly clock: PaceClock
  /** Seconds. */
  readonly timeS: number
  /** Seconds per km; null without a distance. */
  readonly paceS: number | null
}

export interface ShownPace extends ClockFigures {
  /** The other clock, shown smaller; null where both are equal. */
  readonly other: ClockFigures | null
}

interface TimedRun {
  readonly runType: string | null
  readonly distanceM: number
  /** Elapsed seconds. */
  readonly durationS: number
  readonly movingTimeS: number | null
  readonly timerTimeS?: number | null
  /** Seconds per km of the elapsed time. */
  readonly avgPaceS: number
}

/**
 * The time and pace of a run that are displayed in the list and on its page.
 * @param setting the runner's choice; for races elapsed time is used in any case
 */
export function shownPace(run: TimedRun, setting: PaceClock): ShownPace {
  const movingS = shownMovingTimeS(run)
  const elapsed: ClockFigures = {
    clock: 'elapsed',
    timeS: run.durationS,
    paceS: run.avgPaceS > 0 ? run.avgPaceS : null,
  }
  if (movingS === null) return { ...elapsed, other: null }
  const moving: ClockFigures = {
    clock: 'moving',
    timeS: movingS,
    paceS: run.distanceM > 0 ? (movingS / run.distanceM) * 1000 : null,
  }
  const isElapsed = setting === 'elapsed' || run.runType === 'Race'
  return isElapsed ? { ...elapsed, other: moving } : { ...moving, other: elapsed }
}

/** The grade-adjusted pace by the displayed clock; the service gives it by elapsed time, per km. */
export function gapPaceOf(
  run: { readonly gapPaceS: number | null; readonly durationS: number },
  shown: ClockFigures,
): number | null {
  return run.gapPaceS === null || run.durationS <= 0 ? null : (run.gapPaceS * shown.timeS) / run.durationS
}

const STORAGE_KEY = 'harrier.pace'
const stored = (): PaceClock => (globalThis.localStorage?.getItem(STORAGE_KEY) === 'elapsed' ? 'elapsed' : 'moving')
const setting = createStore<PaceClock>(stored())
// changed in another window of the same browser
globalThis.window?.addEventListener('storage', ({ key }) => {
  if (key === STORAGE_KEY || key === null) setting.set(stored())
})

/** The runner's choice, stored in this browser like the theme. */
export function usePaceClock(): PaceClock {
  return useStore(setting)
}

export function setPaceClock(clock: PaceClock): void {
  if (clock === 'moving') localStorage.removeItem(STORAGE_KEY)
  else localStorage.setItem(STORAGE_KEY, clock)
  setting.set(clock)
}
