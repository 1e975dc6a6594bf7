import { RAW_LENGTHS } from '../../base/texts.ts'
import { fileTime } from '../../engine/calendar/timestamp.ts'
import { calendarDay } from '../../engine/calendar/weeks.ts'
import { DAY_MS } from '../../engine/units.ts'
import { cleanText } from '../text-values.ts'

/** First letters of month names, without accents, in the languages of `OWN_COLUMNS`. */
const MONTHS = [
  'jan ene gen',
  'feb fev',
  'mar mrt maa mae',
  'apr avr abr',
  'may mai mag mei',
  'jun giu juin',
  'jul lug juil',
  'aug aou ago',
  'sep set',
  'oct okt ott out',
  'nov',
  'dec dez dic',
].map((letters) => letters.split(' '))

/** Earlier dates are misreadings. */
const FIRST_DAY = calendarDay(1900, 1, 1)

/**
 * Parses an Activity Date, which is UTC, in any form that Strava writes: `Jul 12, 2016, 5:13:58 PM`, `22 May 2024,
 * 08:19:26`, `21.07.2026, 15:09:27`, `23 jun. 2017 15:52:12`, `2 ago 2026, 12:20:32 p.m.` with a narrow space,
 * `2026年8月16日 09:01:41`, ISO. In `8/9/2026` the month is first only when AM or PM follows.
 * @returns Unix milliseconds; null when it is not a date
 */
export function stravaDate(text: string): number | null {
  const plain = text.replace(/[\s\u00a0\u2000-\u200f\u202f\u2060\ufeff]+/g, ' ').trim()
  const iso = fileTime(plain.replace(/ UTC$/, 'Z'))
  if (!Number.isNaN(iso)) return iso
  const clock = /(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s*([ap])\.?\s?m\b)?/i.exec(plain)
  const meridiem = clock?.[4]?.toLowerCase()
  const dayMs = dayStartMs(clock === null ? plain : plain.slice(0, clock.index), meridiem !== undefined)
  if (dayMs === null) return null
  if (clock === null) return dayMs
  const hour = Number(clock[1])
  const [minute, second] = [Number(clock[2]), Number(clock[3] ?? 0)]
  if (minute > 59 || second > 59 || hour > 23) return null
  if (meridiem !== undefined && (hour < 1 || hour > 12)) return null
  const hour24 = meridiem === undefined ? hour : (hour % 12) + (meridiem === 'p' ? 12 : 0)
  return dayMs + ((hour24 * 60 + minute) * 60 + second) * 1000
}

/**
 * Parses a number of Strava's CSV: `7830.6`, `9,72` (decimal comma), `1,025` and `1 025` (thousands), `1.234,5`. A
 * comma before exactly three digits separates thousands, since kilometres and SI values never have three decimals after
 * a comma.
 * @returns null when it is not a number
 */
export function stravaNumber(text: string): number | null {
  if (!/\d/.test(text)) return null
  let plain = text.replace(/[\s\u00a0\u202f]/g, '').replace(/\u2212/g, '-')
  if (plain.includes(',')) {
    const commaLast = plain.lastIndexOf(',') > plain.lastIndexOf('.')
    if (plain.includes('.')) plain = commaLast ? plain.replace(/\./g, '').replace(',', '.') : plain.replace(/,/g, '')
    else plain = /^[+-]?\d{1,3}(?:,\d{3})+$/.test(plain) ? plain.replace(/,/g, '') : plain.replace(',', '.')
  } else if (/^[+-]?\d{1,3}(?:\.\d{3}){2,}$/.test(plain)) {
    plain = plain.replace(/\./g, '')
  }
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i.test(plain)) return null
  const value = Number(plain)
  return Number.isFinite(value) ? value : null
}

/** A cell of the raw data (docs/api.md 11.3): a number, a boolean, else the cleaned and cut text; null when blank. */
export function typedValue(text: string, mostCharacters: number = RAW_LENGTHS.other) {
  const clean = cleanText(text, mostCharacters)
  if (clean === null) return null
  const number = stravaNumber(clean)
  if (number !== null) return number
  const lower = clean.toLowerCase()
  return lower === 'true' || lower === 'false' ? lower === 'true' : clean
}

/** Start of the day in UTC; null when the text names no day. */
function dayStartMs(text: string, monthFirst: boolean): number | null {
  const words = text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .match(/\d+|[a-z]+/g)
  if (words === null) return null
  const numbers = words.filter((word) => /^\d/.test(word)).map(Number)
  const month = words.map(monthOf).find((found) => found !== null)
  if (numbers.length !== (month === undefined ? 3 : 2)) return null
  const [first = 0, second = 0, third = 0] = numbers
  let day: number
  if (month !== undefined) day = first > 31 ? calendarDay(first, month, second) : calendarDay(second, month, first)
  else if (first > 31) day = calendarDay(first, second, third)
  else if (second > 12 || (monthFirst && first <= 12)) day = calendarDay(third, first, second)
  else day = calendarDay(third, second, first)
  return day >= FIRST_DAY ? day * DAY_MS : null
}

/** The number of a month; null for any other word. */
function monthOf(word: string): number | null {
  const month = MONTHS.findIndex((letters) => letters.some((start) => word.startsWith(start)))
  return month < 0 ? null : month + 1
}
