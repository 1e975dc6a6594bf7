// Layout of the records of an archive, for reader and writer (PKWARE APPNOTE 6.3.10, section 4).

export const LOCAL_SIGNATURE = 0x04034b50
const DESCRIPTOR_SIGNATURE = 0x08074b50
export const CENTRAL_SIGNATURE = 0x02014b50
export const END_SIGNATURE = 0x06054b50
export const END64_SIGNATURE = 0x06064b50
export const LOCATOR64_SIGNATURE = 0x07064b50

/** Fixed size of each record, without name, extra fields and comment. */
export const LOCAL_BYTES = 30
export const CENTRAL_BYTES = 46
export const END_BYTES = 22
export const END64_BYTES = 56
export const LOCATOR64_BYTES = 20

/** A 16 or 32 bit field with this value has its real value in a Zip64 record. */
export const FULL_16 = 0xffff
const FULL_32 = 0xffffffff
const ZIP64_EXTRA_ID = 0x0001

export const STORED = 0
export const DEFLATED = 8

export const ENCRYPTED_FLAG = 0x0001
/** Flag: checksum and sizes follow the data in a descriptor. */
const DESCRIPTOR_FLAG = 0x0008
const UTF8_FLAG = 0x0800

/** Upper byte of "version made by": the system whose attributes the entry has. */
export const MADE_BY_UNIX = 3
export const MADE_BY_MAC = 19

/** Bytes of a name that are read; longer names are never safe. */
const NAME_BYTES = 4096
const FLAGS = DESCRIPTOR_FLAG | UTF8_FLAG
const VERSION = 20
const ZIP64_VERSION = 45
/** Mode of a regular file, readable by all, writable by its owner. */
const UNIX_MODE = 0o100644

/** One entry of the table of contents as written there, not validated. */
export interface CentralRecord {
  /** A view into the window. */
  readonly nameBytes: Buffer
  readonly isUtf8: boolean
  readonly flags: number
  readonly method: number
  readonly crc: number
  readonly size: number
  readonly compressedSize: number
  /** Position of its local header, relative to the start of the archive. */
  readonly offset: number
  /** The system that defines `attributes`. */
  readonly madeBy: number
  readonly attributes: number
  readonly length: number
}

/** @returns null when no complete record begins there */
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
  // the Zip64 record holds only the fields that are full, in this order
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

/** The 64 bit values of the Zip64 extra field. Values above 2^53 lose digits, but are outside of any file anyway. */
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

/** An entry to be written; `crc`, `size` and `compressedSize` are final once its data was written. */
export interface WrittenEntry {
  /** In UTF-8. */
  readonly name: Uint8Array
  readonly isCompressed: boolean
  readonly modifiedMs: number
  /** Position of its local header, bytes. */
  readonly offset: number
  /** Sizes take 64 bits. Decided before the data is written, when its size may be unknown. */
  readonly isZip64: boolean
  crc: number
  size: number
  compressedSize: number
}

export function localHeader(entry: WrittenEntry): Uint8Array {
  const extra = entry.isZip64 ? zip64Extra([0, 0]) : new Uint8Array(0)
  const header = Buffer.alloc(LOCAL_BYTES + entry.name.length + extra.length)
  header.writeUInt32LE(LOCAL_SIGNATURE, 0)
  header.writeUInt16LE(entry.isZip64 ? ZIP64_VERSION : VERSION, 4)
  writeCommon(header, entry, 6)
  // checksum and sizes follow in the descriptor; full fields announce 64 bit sizes
  header.writeUInt32LE(entry.isZip64 ? FULL_32 : 0, 18)
  header.writeUInt32LE(entry.isZip64 ? FULL_32 : 0, 22)
  header.writeUInt16LE(entry.name.length, 26)
  header.writeUInt16LE(extra.length, 28)
  header.set(entry.name, LOCAL_BYTES)
  header.set(extra, LOCAL_BYTES + entry.name.length)
  return header
}

export function dataDescriptor(entry: WrittenEntry): Uint8Array {
  const descriptor = Buffer.alloc(entry.isZip64 ? 24 : 16)
  descriptor.writeUInt32LE(DESCRIPTOR_SIGNATURE, 0)
  descriptor.writeUInt32LE(entry.crc, 4)
  if (entry.isZip64) {
    descriptor.writeBigUInt64LE(BigInt(entry.compressedSize), 8)
    descriptor.writeBigUInt64LE(BigInt(entry.size), 16)
  } else {
    descriptor.writeUInt32LE(entry.compressedSize, 8)
    descriptor.writeUInt32LE(entry.size, 12)
  }
  return descriptor
}

export function centralHeader(entry: WrittenEntry): Uint8Array {
  const isFar = entry.offset >= FULL_32
  const large = [...(entry.isZip64 ? [entry.size, entry.compressedSize] : []), ...(isFar ? [entry.offset] : [])]
  const extra = large.length > 0 ? zip64Extra(large) : new Uint8Array(0)
  const header = Buffer.alloc(CENTRAL_BYTES + entry.name.length + extra.length)
  header.writeUInt32LE(CENTRAL_SIGNATURE, 0)
  header.writeUInt16LE((MADE_BY_UNIX << 8) | ZIP64_VERSION, 4)
  header.writeUInt16LE(large.length > 0 ? ZIP64_VERSION : VERSION, 6)
  writeCommon(header, entry, 8)
  header.writeUInt32LE(entry.crc, 16)
  header.writeUInt32LE(entry.isZip64 ? FULL_32 : entry.compressedSize, 20)
  header.writeUInt32LE(entry.isZip64 ? FULL_32 : entry.size, 24)
  header.writeUInt16LE(entry.name.length, 28)
  header.writeUInt16LE(extra.length, 30)
  header.writeUInt32LE((UNIX_MODE << 16) >>> 0, 38)
  header.writeUInt32LE(isFar ? FULL_32 : entry.offset, 42)
  header.set(entry.name, CENTRAL_BYTES)
  header.set(extra, CENTRAL_BYTES + entry.name.length)
  return header
}

/** The end of the archive, preceded by Zip64 records when a count or position does not fit. */
export function endRecords({ count, start, length }: { count: number; start: number; length: number }): Uint8Array {
  const isZip64 = count >= FULL_16 || start >= FULL_32 || length >= FULL_32
  const end = Buffer.alloc(END_BYTES)
  end.writeUInt32LE(END_SIGNATURE, 0)
  end.writeUInt16LE(Math.min(count, FULL_16), 8)
  end.writeUInt16LE(Math.min(count, FULL_16), 10)
  end.writeUInt32LE(Math.min(length, FULL_32), 12)
  end.writeUInt32LE(Math.min(start, FULL_32), 16)
  return isZip64 ? Buffer.concat([end64({ count, start, length }), end]) : end
}

function end64({ count, start, length }: { count: number; start: number; length: number }): Uint8Array {
  const records = Buffer.alloc(END64_BYTES + LOCATOR64_BYTES)
  records.writeUInt32LE(END64_SIGNATURE, 0)
  // the record's own size, without its first twelve bytes
  records.writeBigUInt64LE(BigInt(END64_BYTES - 12), 4)
  records.writeUInt16LE((MADE_BY_UNIX << 8) | ZIP64_VERSION, 12)
  records.writeUInt16LE(ZIP64_VERSION, 14)
  records.writeBigUInt64LE(BigInt(count), 24)
  records.writeBigUInt64LE(BigInt(count), 32)
  records.writeBigUInt64LE(BigInt(length), 40)
  records.writeBigUInt64LE(BigInt(start), 48)
  records.writeUInt32LE(LOCATOR64_SIGNATURE, END64_BYTES)
  records.writeBigUInt64LE(BigInt(start + length), END64_BYTES + 8)
  records.writeUInt32LE(1, END64_BYTES + 16)
  return records
}

/** Writes flags, method and time, which are adjacent in both headers. */
function writeCommon(header: Buffer, entry: WrittenEntry, at: number): void {
  header.writeUInt16LE(FLAGS, at)
  header.writeUInt16LE(entry.isCompressed ? DEFLATED : STORED, at + 2)
  header.writeUInt32LE(dosTime(entry.modifiedMs), at + 4)
}

function zip64Extra(values: readonly number[]): Uint8Array {
  const extra = Buffer.alloc(4 + values.length * 8)
  extra.writeUInt16LE(ZIP64_EXTRA_ID, 0)
  extra.writeUInt16LE(values.length * 8, 2)
  for (const [i, value] of values.entries()) extra.writeBigUInt64LE(BigInt(value), 4 + i * 8)
  return extra
}

/** MS-DOS date and time, in UTC (the format has no zone) and steps of 2 s; ranges from 1980 to 2107. */
function dosTime(modifiedMs: number): number {
  const first = Date.UTC(1980, 0, 1)
  const last = Date.UTC(2107, 11, 31, 23, 59, 58)
  const at = new Date(Math.min(Math.max(modifiedMs, first), last))
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  return ((date << 16) | time) >>> 0
}
