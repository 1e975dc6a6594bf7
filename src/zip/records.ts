import {
  CENTRAL_BYTES,
  CENTRAL_SIGNATURE,
  DEFLATED,
  DESCRIPTOR_FLAG,
  DESCRIPTOR_SIGNATURE,
  END_BYTES,
  END_SIGNATURE,
  END64_BYTES,
  END64_SIGNATURE,
  FULL_16,
  FULL_32,
  LOCAL_BYTES,
  LOCAL_SIGNATURE,
  LOCATOR64_BYTES,
  LOCATOR64_SIGNATURE,
  MADE_BY_UNIX,
  STORED,
  UTF8_FLAG,
  ZIP64_EXTRA_ID,
} from './layout.ts'

/** An entry as it is written; `crc`, `size` and `compressedSize` are final once its data is out. */
export interface WrittenEntry {
  /** UTF-8. */
  readonly name: Uint8Array
  readonly isCompressed: boolean
  readonly modifiedMs: number
  /** Where its local header begins, bytes. */
  readonly offset: number
  /** Sizes take 64 bits: decided before the data, whose size may not be known then. */
  readonly isZip64: boolean
  crc: number
  size: number
  compressedSize: number
}

const FLAGS = DESCRIPTOR_FLAG | UTF8_FLAG
const VERSION = 20
const ZIP64_VERSION = 45
/** A regular file, readable by all, writable by its owner. */
const UNIX_MODE = 0o100644

export function localHeader(entry: WrittenEntry): Uint8Array {
  const extra = entry.isZip64 ? zip64Extra([0, 0]) : new Uint8Array(0)
  const header = Buffer.alloc(LOCAL_BYTES + entry.name.length + extra.length)
  header.writeUInt32LE(LOCAL_SIGNATURE, 0)
  header.writeUInt16LE(entry.isZip64 ? ZIP64_VERSION : VERSION, 4)
  writeCommon(header, entry, 6)
  // checksum and sizes follow in the descriptor; full sizes announce that theirs have 64 bits
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

/** The end of the archive; the Zip64 records stand before it when a count or position does not fit. */
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
  // its own size, without these first twelve bytes
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

/** Flags, method and time, which follow each other in both headers. */
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

/** MS-DOS time and date, in UTC (the format knows no zone) and steps of 2 s; it begins in 1980 and ends in 2107. */
function dosTime(modifiedMs: number): number {
  const first = Date.UTC(1980, 0, 1)
  const last = Date.UTC(2107, 11, 31, 23, 59, 58)
  const at = new Date(Math.min(Math.max(modifiedMs, first), last))
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  return ((date << 16) | time) >>> 0
}
