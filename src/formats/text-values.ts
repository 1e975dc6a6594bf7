import { cutText } from '../texts.ts'

/** Powers of ten that a double holds exactly: a mantissa below 2^53 divided by one of them is correctly rounded. */
const POWERS_OF_TEN = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
  1e21, 1e22,
]
const MAX_EXACT_DIGITS = 15
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,4})?$/i

/**
 * A decimal number out of ASCII bytes [start, end), surrounding blanks allowed, whatever the machine's locale.
 * Reads digits without making a string: a day of points holds half a million numbers.
 * @returns the nearest double, NaN when it is not a finite number
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

/**
 * A decimal number with a point, or with a comma where there is no point; no thousands separators.
 * @returns NaN when it is not a finite number
 */
export function decimal(text: string): number {
  const trimmed = text.trim()
  const pointed = trimmed.includes('.') ? trimmed : trimmed.replace(',', '.')
  if (!DECIMAL.test(pointed)) return Number.NaN
  const value = Number(pointed)
  return Number.isFinite(value) ? value : Number.NaN
}

/**
 * Half up of the binary number as it is, for sums and raw figures of files: `roundHalfUp` lifts what misses a half by the
 * noise of a product, as 0.285 * 100, and would give other numbers than those that are stored.
 */
export function rounded(value: number, decimals = 0): number {
  const scale = POWERS_OF_TEN[decimals] ?? 1
  return Math.floor(value * scale + 0.5) / scale
}

/** A text for a column: control characters gone, trimmed, cut to `maxLength` code points; null when nothing is left. */
export function cleanText(text: string | null | undefined, maxLength: number): string | null {
  if (text === null || text === undefined || text === '') return null
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  const clean = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '').trim()
  if (clean === '') return null
  return cutText(clean, maxLength).trim().toWellFormed()
}

function asciiAt(bytes: Uint8Array, start: number, end: number): string {
  let text = ''
  // A number longer than this is none.
  const to = Math.min(end, start + 400)
  for (let at = start; at < to; at++) text += String.fromCharCode(bytes[at]!)
  return to < end ? '' : text
}
