/** CRC-16/ARC, polynomial 0xA001 reflected, as the FIT protocol prescribes. */
const POLYNOMIAL = 0xa001
/** Bytes processed at once (slicing-by-8); one at a time would take as long as decoding. */
const SLICES = 8

/** Eight tables of 256 entries: table k holds the remainder of a byte that is followed by k more bytes. */
export function crcTables(): Uint16Array {
  const tables = new Uint16Array(SLICES * 256)
  for (let byte = 0; byte < 256; byte += 1) {
    let crc = byte
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >> 1) ^ POLYNOMIAL : crc >> 1
    tables[byte] = crc
  }
  for (let i = 256; i < tables.length; i += 1) {
    const before = tables[i - 256]!
    tables[i] = (before >> 8) ^ tables[before & 0xff]!
  }
  return tables
}

/** Checksum of bytes[start, end). @param tables from crcTables() */
export function crc16(tables: Uint16Array, bytes: Uint8Array, start: number, end: number): number {
  return crc16After(tables, 0, bytes.subarray(start, end))
}

/** Checksum of bytes that follow others. @param before checksum of the bytes before these; 0: none */
export function crc16After(tables: Uint16Array, before: number, bytes: Uint8Array): number {
  const end = bytes.length
  let crc = before
  let i = 0
  for (; i + SLICES <= end; i += SLICES) {
    crc =
      tables[1792 + (bytes[i]! ^ (crc & 0xff))]! ^
      tables[1536 + (bytes[i + 1]! ^ (crc >> 8))]! ^
      tables[1280 + bytes[i + 2]!]! ^
      tables[1024 + bytes[i + 3]!]! ^
      tables[768 + bytes[i + 4]!]! ^
      tables[512 + bytes[i + 5]!]! ^
      tables[256 + bytes[i + 6]!]! ^
      tables[bytes[i + 7]!]!
  }
  for (; i < end; i += 1) crc = (crc >> 8) ^ tables[(crc ^ bytes[i]!) & 0xff]!
  return crc
}
