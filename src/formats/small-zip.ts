import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'
import * as records from '../zip/records.ts'
import { FormatError } from './format.ts'

// Small ZIPs in memory: the original of a run whose parts are several files of an export.

const { BYTES, SIGNATURE, DEFLATED } = records
const MOST_FILES = 1000
/** As any other workout file, unpacked (docs/api.md 1.5). */
const MOST_BYTES = 100 * 1024 * 1024

/** The name of the first file of a ZIP, by the beginning of it; null: it is not a ZIP. */
export function firstZippedName(head: Uint8Array): string | null {
  const view = Buffer.from(head.buffer, head.byteOffset, head.length)
  if (view.length < BYTES.local || view.readUInt32LE(0) !== SIGNATURE.local) return null
  return view.toString('utf8', BYTES.local, BYTES.local + view.readUInt16LE(26))
}

interface FileToZip {
  readonly name: string
  readonly bytes: Uint8Array
  /** The bytes deflated, where that was done elsewhere; absent: it is done here. */
  readonly packed?: Uint8Array
}

/** Packs files in their order, without dates: equal files give equal bytes, by which a run is recognised. */
export function smallZip(files: readonly FileToZip[]): Uint8Array {
  const pieces: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let offset = 0
  for (const { name, bytes, packed = deflateRawSync(bytes) } of files) {
    const sizes = { crc: crc32(bytes), size: bytes.length, compressedSize: packed.length }
    const entry = { name: Buffer.from(name), isCompressed: true, modifiedMs: 0, offset, isZip64: false, ...sizes }
    const made = [records.localHeader(entry), packed, records.dataDescriptor(entry)]
    pieces.push(...made)
    directory.push(records.centralHeader(entry))
    offset += bytesOf(made)
  }
  const end = records.endRecords({ count: files.length, start: offset, length: bytesOf(directory) })
  return Buffer.concat([...pieces, ...directory, end])
}

function bytesOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0)
}

/**
 * The files of a small ZIP by name, in their order.
 * @throws FormatError when it is damaged or larger than 100 MiB unpacked
 */
export function zippedFiles(bytes: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const end = view.length - BYTES.end
  if (end < 0 || view.readUInt32LE(end) !== SIGNATURE.end) throw damaged()
  const count = view.readUInt16LE(end + 10)
  if (count > MOST_FILES) throw new FormatError(`The ZIP has more than ${MOST_FILES} files`)
  const found = new Map<string, Uint8Array>()
  let [at, left] = [view.readUInt32LE(end + 16), MOST_BYTES]
  for (let file = 0; file < count; file += 1) {
    const entry = records.centralRecord(view, at)
    if (entry === null) throw damaged()
    if (entry.size > left) throw new FormatError('The ZIP is larger than 100 MiB unpacked')
    found.set(entry.nameBytes.toString(), unpacked(view, entry))
    left -= entry.size
    at += entry.length
  }
  return found
}

function unpacked(view: Buffer, { offset, method, crc, size, compressedSize }: records.CentralRecord): Uint8Array {
  try {
    const start = offset + BYTES.local + view.readUInt16LE(offset + 26) + view.readUInt16LE(offset + 28)
    const packed = view.subarray(start, start + compressedSize)
    const found = inflateRawSync(packed, { maxOutputLength: Math.max(1, size) })
    if (method === DEFLATED && found.length === size && crc32(found) === crc) return found
  } catch (cause) {
    // a position outside of it, or what zlib cannot unpack
    throw damaged(cause)
  }
  throw damaged()
}

function damaged(cause?: unknown): FormatError {
  return new FormatError('The ZIP is damaged', { cause })
}
