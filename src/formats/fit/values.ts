/** Size in bytes of each FIT base type, by the low five bits of its code: enum, sint8, uint8, sint16 … uint64z. */
const BASE_TYPE_SIZES = [1, 1, 1, 2, 2, 4, 4, 1, 4, 8, 1, 2, 4, 1, 8, 8, 8] as const
export const STRING_TYPE = 7

/** @returns bytes of one element; 0 for an unknown type */
export function baseTypeSize(type: number): number {
  return BASE_TYPE_SIZES[type] ?? 0
}

export interface FieldDefinition {
  readonly num: number
  /** Bytes of the whole field, arrays included. */
  readonly size: number
  /** Low five bits of the base type, since some writers omit the endian bit. */
  readonly type: number
  /** Bytes from the beginning of the message's content. */
  readonly offset: number
}

/** Whether the size is a multiple of the base type's size. Other fields have no defined meaning and are skipped. */
export function isWhole(field: FieldDefinition): boolean {
  const unit = baseTypeSize(field.type)
  return unit > 0 && field.size >= unit && field.size % unit === 0
}

/** One raw element, unscaled, whose bytes must exist. @returns NaN for the type's invalid value and for text */
export function readNumber(view: DataView, at: number, type: number, littleEndian: boolean): number {
  switch (type) {
    case 0:
    case 2:
    case 13: {
      const value = view.getUint8(at)
      return value === 0xff ? Number.NaN : value
    }
    case 1: {
      const value = view.getInt8(at)
      return value === 0x7f ? Number.NaN : value
    }
    case 3: {
      const value = view.getInt16(at, littleEndian)
      return value === 0x7fff ? Number.NaN : value
    }
    case 4: {
      const value = view.getUint16(at, littleEndian)
      return value === 0xffff ? Number.NaN : value
    }
    case 5: {
      const value = view.getInt32(at, littleEndian)
      return value === 0x7fffffff ? Number.NaN : value
    }
    case 6: {
      const value = view.getUint32(at, littleEndian)
      return value === 0xffffffff ? Number.NaN : value
    }
    case 10:
      return view.getUint8(at) || Number.NaN
    case 11:
      return view.getUint16(at, littleEndian) || Number.NaN
    case 12:
      return view.getUint32(at, littleEndian) || Number.NaN
    default:
      return readWide(view, at, type, littleEndian)
  }
}

/** Floating-point and 64-bit types, which records rarely use. */
function readWide(view: DataView, at: number, type: number, littleEndian: boolean): number {
  switch (type) {
    case 8:
      return finite(view.getFloat32(at, littleEndian))
    case 9:
      return finite(view.getFloat64(at, littleEndian))
    case 14: {
      const value = view.getBigInt64(at, littleEndian)
      return value === 0x7fffffffffffffffn ? Number.NaN : Number(value)
    }
    case 15: {
      const value = view.getBigUint64(at, littleEndian)
      return value === 0xffffffffffffffffn ? Number.NaN : Number(value)
    }
    case 16:
      return Number(view.getBigUint64(at, littleEndian)) || Number.NaN
    default:
      return Number.NaN
  }
}

function finite(value: number): number {
  return Number.isFinite(value) ? value : Number.NaN
}

/** Text up to the first NUL, trimmed; bytes that are not UTF-8 become replacement characters. */
export function readText(bytes: Uint8Array, at: number, size: number, decoder: TextDecoder): string {
  const field = bytes.subarray(at, at + size)
  const end = field.indexOf(0)
  return decoder.decode(end < 0 ? field : field.subarray(0, end)).trim()
}

export type FitValue = number | string | readonly number[]

/** One message: the valid fields that the profile knows, scaled; `row` is the number of records before it. */
export interface FitMessage {
  readonly row: number
  readonly [field: string]: FitValue | undefined
}

export function positive(value: unknown): number | null {
  return typeof value === 'number' && value > 0 ? value : null
}

/** A cadence, which FIT writes as a whole and a fraction; null: not stated. */
export function withFraction(whole: unknown, fraction: unknown): number | null {
  const rpm = positive(whole)
  return rpm === null ? null : rpm + (positive(fraction) ?? 0)
}
