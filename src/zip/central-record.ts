import { CENTRAL_BYTES, CENTRAL_SIGNATURE, FULL_32, UTF8_FLAG, ZIP64_EXTRA_ID } from './layout.ts'

/** One entry of the table of contents as it is written there, nothing of it believed yet. */
export interface CentralRecord {
  /** A view of the window. */
  readonly nameBytes: Buffer
  readonly isUtf8: boolean
  readonly flags: number
  readonly method: number
  readonly crc: number
  readonly size: number
  readonly compressedSize: number
  /** Of its local header, from the begin of the archive. */
  readonly offset: number
  /** The system that `attributes` belong to. */
  readonly madeBy: number
  readonly attributes: number
  /** Of the record itself, bytes. */
  readonly length: number
}

/** What is looked at of a name, bytes: a longer one is no safe name anyway. */
const NAME_BYTES = 4096

/** @returns null when no whole record begins there */
export function centralRecord(window: Buffer, at: number): CentralRecord | null {
  if (at + CENTRAL_BYTES > window.length || window.readUInt32LE(at) !== CENTRAL_SIGNATURE) return null
  const nameBytes = window.readUInt16LE(at + 28)
  const extraBytes = window.readUInt16LE(at + 30)
  const length = CENTRAL_BYTES + nameBytes + extraBytes + window.readUInt16LE(at + 32)
  if (at + length > window.length) return null
  const nameAt = at + CENTRAL_BYTES
  const flags = window.readUInt16LE(at + 8)
  const extraAt = nameAt + nameBytes
  const large = extraBytes === 0 ? [] : largeValues(window.subarray(extraAt, extraAt + extraBytes))
  // only the full fields are in the Zip64 record, in this order
  const value = (field: number) => (field === FULL_32 ? (large.shift() ?? field) : field)
  const size = value(window.readUInt32LE(at + 24))
  const compressedSize = value(window.readUInt32LE(at + 20))
  const offset = value(window.readUInt32LE(at + 42))
  return {
    nameBytes: window.subarray(nameAt, nameAt + Math.min(nameBytes, NAME_BYTES)),
    isUtf8: (flags & UTF8_FLAG) !== 0,
    flags,
    method: window.readUInt16LE(at + 10),
    crc: window.readUInt32LE(at + 16),
    size,
    compressedSize,
    offset,
    madeBy: window[at + 5] ?? 0,
    attributes: window.readUInt32LE(at + 38),
    length,
  }
}

/** The 64 bit values of the Zip64 extra field. Values above 2^53 lose digits, but are far outside of any file. */
function largeValues(extra: Buffer): number[] {
  for (let at = 0; at + 4 <= extra.length; ) {
    const bytes = extra.readUInt16LE(at + 2)
    if (extra.readUInt16LE(at) === ZIP64_EXTRA_ID) {
      const values: number[] = []
      const end = Math.min(at + 4 + bytes, extra.length)
      for (let i = at + 4; i + 8 <= end; i += 8) values.push(Number(extra.readBigUInt64LE(i)))
      return values
    }
    at += 4 + bytes
  }
  return []
}
