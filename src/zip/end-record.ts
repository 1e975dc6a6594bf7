import type { FileHandle } from 'node:fs/promises'
import {
  CENTRAL_SIGNATURE,
  END_BYTES,
  END_SIGNATURE,
  END64_BYTES,
  END64_SIGNATURE,
  FULL_16,
  LOCAL_SIGNATURE,
  LOCATOR64_BYTES,
  LOCATOR64_SIGNATURE,
} from './records.ts'
import { ZipError } from './zip-error.ts'

/** Where the table of contents (central directory) is. */
export interface DirectoryPlace {
  readonly start: number
  readonly length: number
  readonly count: number
  /** false: the count may be modulo 65,536, since some packers do that instead of writing a Zip64 record. */
  readonly isCountExact: boolean
  /** Bytes before the archive; all positions within it are relative to its own start. */
  readonly leadingBytes: number
}

interface Claim extends Omit<DirectoryPlace, 'leadingBytes'> {
  /** End of the directory, if nothing is between it and its end record. */
  readonly end: number
}

/** The longest comment, and as many bytes that a download or a mail may have appended to the archive. */
const TAIL_BYTES = END_BYTES + 2 * FULL_16

/**
 * Searches the end record backwards; one whose comment ends with the file takes precedence over one followed by other
 * bytes. Bytes before the archive are skipped, unless they are an archive themselves: then the file was cut off after
 * an archive packed within it, which must not be taken for the whole.
 * @throws ZipError notZip, damaged or unsafe
 */
export async function findDirectory(file: FileHandle, size: number): Promise<DirectoryPlace> {
  if (size === 0) throw new ZipError('notZip', 'The file is empty')
  const tailStart = Math.max(0, size - TAIL_BYTES)
  const tail = await readAt(file, { position: tailStart, length: size - tailStart })
  const head = await readAt(file, { position: 0, length: Math.min(4, size) })
  const beginsAsZip = head.length === 4 && head.readUInt32LE(0) === LOCAL_SIGNATURE
  for (const at of endRecordsOf(tail)) {
    const claim = await claimOf(file, { tail, at, tailStart })
    const place = claim === null ? null : await placeOf(file, claim)
    if (place !== null && !(place.leadingBytes > 0 && beginsAsZip)) return place
  }
  if (beginsAsZip) throw new ZipError('damaged', 'The ZIP archive is cut off: its table of contents is missing')
  throw new ZipError('notZip', 'The file is not a ZIP archive')
}

/** @throws ZipError when the file ends before; positions taken from an archive may cause that */
export async function readAt(
  file: FileHandle,
  { position, length }: { position: number; length: number },
): Promise<Buffer> {
  // not from the pool that small buffers share, since the result may be transferred
  return readInto(Buffer.allocUnsafeSlow(length), { file, position })
}

/** Fills the whole buffer. @throws ZipError as `readAt` */
export async function readInto(
  buffer: Buffer,
  { file, position }: { file: FileHandle; position: number },
): Promise<Buffer> {
  let filled = 0
  while (filled < buffer.length) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, position + filled)
    if (bytesRead === 0) throw new ZipError('damaged', 'The ZIP archive is cut off')
    filled += bytesRead
  }
  return buffer
}

/** Candidate positions in the tail, the most likely first. */
function endRecordsOf(tail: Buffer): number[] {
  const exact: number[] = []
  const followed: number[] = []
  for (let at = tail.length - END_BYTES; at >= 0; at -= 1) {
    if (tail[at] !== 0x50 || tail.readUInt32LE(at) !== END_SIGNATURE) continue
    const end = at + END_BYTES + tail.readUInt16LE(at + 20)
    if (end === tail.length) exact.push(at)
    else if (end < tail.length) followed.push(at)
    // bounded, so that a file full of signatures does not cost a read for each
    if (exact.length + followed.length >= 64) break
  }
  return [...exact, ...followed]
}

async function claimOf(
  file: FileHandle,
  { tail, at, tailStart }: { tail: Buffer; at: number; tailStart: number },
): Promise<Claim | null> {
  const disk = tail.readUInt16LE(at + 4)
  if (disk !== 0 && disk !== FULL_16) {
    throw new ZipError('damaged', 'The ZIP archive is one part of several')
  }
  const claim = {
    count: tail.readUInt16LE(at + 10),
    length: tail.readUInt32LE(at + 12),
    start: tail.readUInt32LE(at + 16),
    isCountExact: false,
    end: tailStart + at,
  }
  const locatorAt = at - LOCATOR64_BYTES
  if (locatorAt < 0 || tail.readUInt32LE(locatorAt) !== LOCATOR64_SIGNATURE) return claim
  const claimed = Number(tail.readBigUInt64LE(locatorAt + 8))
  // the claimed position is wrong when bytes precede the archive; then the record directly precedes its locator
  for (const position of [claimed, tailStart + locatorAt - END64_BYTES]) {
    if (position < 0 || position + END64_BYTES > tailStart + locatorAt) continue
    const record = await readAt(file, { position, length: END64_BYTES })
    if (record.readUInt32LE(0) !== END64_SIGNATURE) continue
    return {
      count: Number(record.readBigUInt64LE(32)),
      length: Number(record.readBigUInt64LE(40)),
      start: Number(record.readBigUInt64LE(48)),
      isCountExact: true,
      end: position,
    }
  }
  return null
}

/** @returns null when the table of contents is neither where the claim says nor right before the end record */
async function placeOf(file: FileHandle, { end, start, length, ...rest }: Claim): Promise<DirectoryPlace | null> {
  const adjacent = end - length
  for (const position of [adjacent, start]) {
    const leadingBytes = position - start
    if (leadingBytes < 0 || position < 0 || position + length > end) continue
    if (length === 0) return rest.count === 0 ? { start: position, length, leadingBytes, ...rest } : null
    if (length < 4) return null
    const signature = await readAt(file, { position, length: 4 })
    if (signature.readUInt32LE(0) === CENTRAL_SIGNATURE) return { start: position, length, leadingBytes, ...rest }
  }
  return null
}
