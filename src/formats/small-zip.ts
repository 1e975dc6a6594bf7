import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'
import { FormatError } from './format.ts'

// Small ZIPs in memory: the original of a run whose parts are several files of an export.

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const [LOCAL_BYTES, CENTRAL_BYTES, END_BYTES] = [30, 46, 22]
const [VERSION, UTF8, DEFLATED] = [20, 0x0800, 8]
/** The earliest date of the format, so that equal parts give equal bytes: by these a run is recognised. */
const DATE = 0x0021
const MOST_FILES = 1000
/** As any other workout file, unpacked (docs/api.md 1.5). */
const MOST_BYTES = 100 * 1024 * 1024

export function isZip(head: Uint8Array): boolean {
  return head[0] === 0x50 && head[1] === 0x4b && head[2] === 3 && head[3] === 4
}

/** The name of the first file of a ZIP, by the beginning of it; null: it is not a ZIP. */
export function firstZippedName(head: Uint8Array): string | null {
  if (!isZip(head) || head.length < LOCAL_BYTES) return null
  const length = head[26]! + 256 * head[27]!
  return new TextDecoder().decode(head.subarray(LOCAL_BYTES, LOCAL_BYTES + length))
}

interface FileToZip {
  readonly name: string
  readonly bytes: Uint8Array
  /** The bytes deflated, where that was done elsewhere; absent: it is done here. */
  readonly packed?: Uint8Array
}

/** Packs files in their order; equal files give equal bytes. */
export function smallZip(files: readonly FileToZip[]): Uint8Array {
  const pieces: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let offset = 0
  for (const { name, bytes, packed = deflateRawSync(bytes) } of files) {
    const encoded = Buffer.from(name)
    const local = Buffer.alloc(LOCAL_BYTES)
    local.writeUInt32LE(LOCAL, 0)
    const sizes = { crc: crc32(bytes), packed: packed.length, size: bytes.length, name: encoded.length }
    writeCommon(local, 4, sizes)
    const central = Buffer.alloc(CENTRAL_BYTES)
    central.writeUInt32LE(CENTRAL, 0)
    central.writeUInt16LE(VERSION, 4)
    writeCommon(central, 6, sizes)
    central.writeUInt32LE(offset, 42)
    pieces.push(local, encoded, packed)
    directory.push(central, encoded)
    offset += LOCAL_BYTES + encoded.length + packed.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(END_BYTES)
  end.writeUInt32LE(END, 0)
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...pieces, listed, end])
}

/** The members that both headers of a file have, which follow each other in both. */
function writeCommon(
  header: Buffer,
  at: number,
  { crc, packed, size, name }: { readonly crc: number; readonly packed: number; readonly size: number; name: number },
): void {
  header.writeUInt16LE(VERSION, at)
  header.writeUInt16LE(UTF8, at + 2)
  header.writeUInt16LE(DEFLATED, at + 4)
  header.writeUInt16LE(DATE, at + 8)
  header.writeUInt32LE(crc, at + 10)
  header.writeUInt32LE(packed, at + 14)
  header.writeUInt32LE(size, at + 18)
  header.writeUInt16LE(name, at + 22)
}

/**
 * The files of a small ZIP by name, in their order.
 * @throws FormatError when it is damaged or larger than 100 MiB unpacked
 */
export function zippedFiles(bytes: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const found = new Map<string, Uint8Array>()
  let left = MOST_BYTES
  for (const { name, size, packed, crc } of listedFiles(bytes)) {
    if (size > left) throw new FormatError('The ZIP is larger than 100 MiB unpacked')
    const unpacked = inflated(packed, size)
    if (unpacked === null || crc32(unpacked) !== crc) throw damaged()
    left -= size
    found.set(name, unpacked)
  }
  return found
}

function* listedFiles(bytes: Uint8Array) {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const end = view.length - END_BYTES
  if (end < 0 || view.readUInt32LE(end) !== END) throw damaged()
  const count = view.readUInt16LE(end + 10)
  if (count > MOST_FILES) throw new FormatError(`The ZIP has more than ${MOST_FILES} files`)
  let at = view.readUInt32LE(end + 16)
  for (let file = 0; file < count; file += 1) {
    if (at + CENTRAL_BYTES > end || view.readUInt32LE(at) !== CENTRAL) throw damaged()
    const nameEnd = at + CENTRAL_BYTES + view.readUInt16LE(at + 28)
    const next = nameEnd + view.readUInt16LE(at + 30) + view.readUInt16LE(at + 32)
    const local = view.readUInt32LE(at + 42)
    const packedBytes = view.readUInt32LE(at + 20)
    if (next > end || local + LOCAL_BYTES > end || view.readUInt32LE(local) !== LOCAL) throw damaged()
    const start = local + LOCAL_BYTES + view.readUInt16LE(local + 26) + view.readUInt16LE(local + 28)
    if (start + packedBytes > end || view.readUInt16LE(at + 10) !== DEFLATED) throw damaged()
    const name = view.toString('utf8', at + CENTRAL_BYTES, nameEnd)
    const size = view.readUInt32LE(at + 24)
    yield { name, size, crc: view.readUInt32LE(at + 16), packed: view.subarray(start, start + packedBytes) }
    at = next
  }
}

function inflated(packed: Uint8Array, size: number): Uint8Array | null {
  if (size === 0) return new Uint8Array(0)
  try {
    const unpacked = inflateRawSync(packed, { maxOutputLength: size })
    return unpacked.length === size ? unpacked : null
  } catch {
    return null
  }
}

function damaged(): FormatError {
  return new FormatError('The ZIP is damaged')
}
