// Layout of the records of an archive, for reader and writer (PKWARE APPNOTE 6.3.10, section 4).

export const SIGNATURE = {
  ...{ local: 0x04034b50, descriptor: 0x08074b50, central: 0x02014b50 },
  ...{ end: 0x06054b50, end64: 0x06064b50, locator64: 0x07064b50 },
}
/** Fixed size of each record, without name, extra fields and comment. */
export const BYTES = { local: 30, central: 46, end: 22, end64: 56, locator64: 20 }

/** A 16 or 32 bit field with this value has its real value in a Zip64 record. */
export const FULL_16 = 0xffff
const FULL_32 = 0xffffffff
const ZIP64_EXTRA_ID = 0x0001

export const STORED = 0
export const DEFLATED = 8

export const ENCRYPTED_FLAG = 0x0001
const UTF8_FLAG = 0x0800
/** What we write: checksum and sizes follow the data in a descriptor, the name is UTF-8. */
const FLAGS = 0x0008 | UTF8_FLAG
const VERSION = 20
const ZIP64_VERSION = 45
const MADE_BY_UNIX = 3
const MADE_BY_MAC = 19
const MADE_BY = (MADE_BY_UNIX << 8) | ZIP64_VERSION
/** Mode of a regular file, readable by all, writable by its owner, as Unix attributes. */
const REGULAR_FILE = 0o100644 * 65_536
const [TYPE_OF_FILE, LINK] = [0xf000, 0xa000]

/** Bytes of a name that are read; longer names are never safe. */
const NAME_BYTES = 4096

export type CentralRecord = NonNullable<ReturnType<typeof centralRecord>>

/** One entry of the table of contents as written there, not validated; null: no complete one begins there. */
export function centralRecord(table: Buffer, at: number) {
  if (at + BYTES.central > table.length || table.readUInt32LE(at) !== SIGNATURE.central) return null
  const nameAt = at + BYTES.central
  const extraAt = nameAt + table.readUInt16LE(at + 28)
  const extraEnd = extraAt + table.readUInt16LE(at + 30)
  const end = extraEnd + table.readUInt16LE(at + 32)
  if (end > table.length) return null
  const large = extraAt === extraEnd ? [] : largeValues(table.subarray(extraAt, extraEnd))
  // the Zip64 record holds only the fields that are full, in this order
  const value = (field: number) => (field === FULL_32 ? (large.shift() ?? field) : field)
  const size = value(table.readUInt32LE(at + 24))
  const compressedSize = value(table.readUInt32LE(at + 20))
  const offset = value(table.readUInt32LE(at + 42))
  const flags = table.readUInt16LE(at + 8)
  const hasMode = [MADE_BY_UNIX, MADE_BY_MAC].includes(table[at + 5]!)
  return {
    nameBytes: table.subarray(nameAt, Math.min(extraAt, nameAt + NAME_BYTES)),
    isUtf8: (flags & UTF8_FLAG) !== 0,
    isEncrypted: (flags & ENCRYPTED_FLAG) !== 0,
    isLink: hasMode && (table.readUInt16LE(at + 40) & TYPE_OF_FILE) === LINK,
    method: table.readUInt16LE(at + 10),
    crc: table.readUInt32LE(at + 16),
    size,
    compressedSize,
    /** Position of its local header, relative to the start of the archive. */
    offset,
    length: end - at,
  }
}

/** The 64 bit values of the Zip64 extra field. Values above 2^53 lose digits, but are outside of any file anyway. */
function largeValues(extra: Buffer): number[] {
  for (let at = 0; at + 4 <= extra.length; ) {
    const end = at + 4 + extra.readUInt16LE(at + 2)
    if (extra.readUInt16LE(at) === ZIP64_EXTRA_ID) {
      const values: number[] = []
      for (let i = at + 4; i + 8 <= Math.min(end, extra.length); i += 8) values.push(Number(extra.readBigUInt64LE(i)))
      return values
    }
    at = end
  }
  return []
}

/** An entry to be written; `crc`, `size` and `compressedSize` are final once its data was written. */
export interface WrittenEntry {
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

/** Checksum and sizes follow in the descriptor; full fields announce 64 bit sizes. */
export function localHeader(entry: WrittenEntry): Buffer {
  const { name, isZip64 } = entry
  const extra = zip64Extra(isZip64 ? [0, 0] : [])
  const size = isZip64 ? FULL_32 : 0
  const what = [isZip64 ? ZIP64_VERSION : VERSION, ...common(entry), 0, size, size, name.length, extra.length]
  return Buffer.concat([record('4222444422', SIGNATURE.local, ...what), name, extra])
}

export function dataDescriptor({ isZip64, crc, size, compressedSize }: WrittenEntry): Buffer {
  return record(isZip64 ? '4488' : '4444', SIGNATURE.descriptor, crc, compressedSize, size)
}

export function centralHeader(entry: WrittenEntry): Buffer {
  const { name, isZip64, crc, size, compressedSize, offset } = entry
  const isFar = offset >= FULL_32
  const extra = zip64Extra([...(isZip64 ? [size, compressedSize] : []), ...(isFar ? [offset] : [])])
  const sizes = isZip64 ? [FULL_32, FULL_32] : [compressedSize, size]
  const version = extra.length > 0 ? ZIP64_VERSION : VERSION
  const what = [MADE_BY, version, ...common(entry), crc, ...sizes, name.length, extra.length]
  const rest = [0, 0, 0, REGULAR_FILE, isFar ? FULL_32 : offset]
  return Buffer.concat([record('4222244442222244', SIGNATURE.central, ...what, ...rest), name, extra])
}

/** The end of the archive, preceded by Zip64 records when a count or position does not fit. */
export function endRecords({ count, start, length }: { count: number; start: number; length: number }): Buffer {
  const counts = [Math.min(count, FULL_16), Math.min(count, FULL_16)]
  const end = record('42222442', SIGNATURE.end, 0, 0, ...counts, Math.min(length, FULL_32), Math.min(start, FULL_32), 0)
  if (count < FULL_16 && start < FULL_32 && length < FULL_32) return end
  // its own size counts without its first twelve bytes
  const what = [BYTES.end64 - 12, MADE_BY, ZIP64_VERSION, 0, 0, count, count, length, start]
  const locator = record('4484', SIGNATURE.locator64, 0, start + length, 1)
  return Buffer.concat([record('4822448888', SIGNATURE.end64, ...what), locator, end])
}

/** Numbers one after the other, little endian. @param widths bytes of each, as digits */
function record(widths: string, ...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc([...widths].reduce((sum, width) => sum + Number(width), 0))
  let at = 0
  for (const [k, value] of values.entries()) {
    const width = Number(widths[k])
    // six bytes hold 256 TiB
    bytes.writeUIntLE(value, at, Math.min(width, 6))
    at += width
  }
  return bytes
}

/** Flags, method and time, which are adjacent in both headers. */
function common({ isCompressed, modifiedMs }: WrittenEntry): readonly number[] {
  return [FLAGS, isCompressed ? DEFLATED : STORED, dosTime(modifiedMs)]
}

function zip64Extra(values: readonly number[]): Buffer {
  if (values.length === 0) return Buffer.alloc(0)
  return record(`22${'8'.repeat(values.length)}`, ZIP64_EXTRA_ID, values.length * 8, ...values)
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
