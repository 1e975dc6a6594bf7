import { cutText } from '../base/texts.ts'

/** Powers of ten that a double holds exactly: a mantissa below 2^53 divided by one of them is correctly rounded. */
const POWERS_OF_TEN = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
  1e21, 1e22,
]
const MAX_EXACT_DIGITS = 15
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,4})?$/i

/**
 * The nearest double of a decimal number in ASCII bytes [start, end), blanks around it allowed; NaN: it is none. It
 * makes no string, since a recording of a day holds half a million numbers.
 */
export function decimalAt(bytes: Uint8Array, start: number, end: number): number {
  let from = start
  let to = end
  while (from < to && bytes[from]! <= 32) from++
  while (to > from && bytes[to - 1]! <= 32) to--
  let at = from
  const negative = bytes[at] === 45
  if (negative) at++
  let mantissa = 0
  let digits = 0
  let significant = 0
  let fraction = -1
  for (; at < to; at++) {
    const digit = bytes[at]! - 48
    if (digit >= 0 && digit <= 9) {
      mantissa = mantissa * 10 + digit
      digits++
      if (mantissa > 0) significant++
      if (fraction >= 0) fraction++
    } else if (digit === -2 && fraction < 0) {
      fraction = 0
    } else {
      return decimal(asciiAt(bytes, from, to))
    }
  }
  if (digits === 0) return Number.NaN
  if (significant > MAX_EXACT_DIGITS || fraction > 22) return decimal(asciiAt(bytes, from, to))
  const value = fraction > 0 ? mantissa / POWERS_OF_TEN[fraction]! : mantissa
  return negative ? -value : value
}

/** A decimal number with a point, or else a comma, and without separated thousands; NaN: it is none. */
export function decimal(text: string): number {
  const trimmed = text.trim()
  const pointed = trimmed.includes('.') ? trimmed : trimmed.replace(',', '.')
  if (!DECIMAL.test(pointed)) return Number.NaN
  const value = Number(pointed)
  return Number.isFinite(value) ? value : Number.NaN
}

/**
 * Rounds the binary value half up, for sums and raw figures of files. `roundHalfUp` also lifts values that miss the
 * half by floating-point noise (0.285 * 100) and would give other numbers than those stored.
 */
export function rounded(value: number, decimals = 0): number {
  const scale = POWERS_OF_TEN[decimals] ?? 1
  return Math.floor(value * scale + 0.5) / scale
}

/** A text for storage: no control characters, trimmed, cut to so many code points; null when nothing is left. */
export function cleanText(text: string | null | undefined, maxLength: number): string | null {
  if (text === null || text === undefined || text === '') return null
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  const clean = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '').trim()
  if (clean === '') return null
  return cutText(clean, maxLength).trim().toWellFormed()
}

function asciiAt(bytes: Uint8Array, start: number, end: number): string {
  let text = ''
  // a longer text is not a number
  const to = Math.min(end, start + 400)
  for (let at = start; at < to; at++) text += String.fromCharCode(bytes[at]!)
  return to < end ? '' : text
}

/** NaN for values that are not numbers. */
export function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : Number.NaN
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** The UTC offset at the end of a time, minutes; null when it states none. */
export function offsetOf(time: unknown): number | null {
  const found = /([+-])(\d\d):?(\d\d)$/.exec(textOf(time)?.trim() ?? '')
  if (found === null) return null
  const minutes = Number(found[2]) * 60 + Number(found[3])
  return found[1] === '-' ? -minutes : minutes
}
