import { type FileHandle, open } from 'node:fs/promises'
import type { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createInflateRaw, inflateRawSync } from 'node:zlib'
import { codeOf } from '../base/errors.ts'
import { gently, paced } from '../base/pace.ts'
import { decodeName, safeName } from './entry-name.ts'
import {
  BYTES,
  type CentralRecord,
  centralRecord,
  DEFLATED,
  ENCRYPTED_FLAG,
  FULL_16,
  SIGNATURE,
  STORED,
} from './records.ts'
import { entryError, ZipError, type ZipErrorKind } from './zip-error.ts'

interface ZipLimits {
  /** Limit of the bytes that `read` returns over the life of the archive; entries read twice count twice. */
  readonly maxUnpackedBytes: number
}

export interface ZipEntry {
  readonly index: number
  /** As `safeName` returns it, with a final slash for a folder; as written, for display only, when it is unsafe. */
  readonly name: string
  readonly isFolder: boolean
  /** Declared unpacked size; reading returns exactly so many bytes or fails. */
  readonly size: number
  readonly compressedSize: number
  readonly crc: number
  readonly method: number
  readonly offset: number
  /** Position that its data must not pass: the next entry or the table of contents. */
  readonly limit: number
  /** Why reading it would fail, as far as the table of contents shows, and that as a sentence. */
  readonly problem: ZipErrorKind | null
  readonly reason: string
}

interface Directory {
  readonly entries: readonly ZipEntry[]
  /** Of two with one name the later, as with `unzip -o` and Python. */
  readonly named: ReadonlyMap<string, ZipEntry>
}

/** Where the table of contents (central directory) is. */
interface Place {
  readonly start: number
  readonly length: number
  readonly count: number
  /** Bytes before the archive; all positions within it are relative to its own start. */
  readonly leadingBytes: number
}

const MAX_ENTRIES = 100_000
/** Largest table of contents: names of 280 characters. */
const MAX_DIRECTORY_BYTES = 32 * 1_048_576
/** DEFLATE reaches 1,032, watch files 10 to 50; small entries may exceed it, since they cost nothing. */
const MAX_RATIO = 1000
const RATIO_FREE_BYTES = 1_048_576
/** The longest comment, and as many bytes that a download or a mail may have appended to the archive. */
const TAIL_BYTES = BYTES.end64 + BYTES.locator64 + BYTES.end + 2 * FULL_16
const OUTSIDE = 'The file lies outside of the ZIP archive'
const INPUT_BYTES = 65_536
const OUTPUT_BYTES = 65_536
const STORED_BYTES = 262_144
/** Entries up to this size, packed and unpacked, are unpacked at once, in a quarter of the time of a stream. */
const SMALL_BYTES = 1_048_576
/** Heads up to this size are unpacked at once, in a fifth of the time of a stream. */
const SHORT_BYTES = 4096

/**
 * Opens an archive, of which only the table of contents is read; a handle is closed by the caller, a path by `close`.
 * @throws ZipError when it is not an archive, or one that cannot or must not be read as a whole
 */
export async function openZip(source: string | FileHandle, { maxUnpackedBytes }: ZipLimits): Promise<ZipArchive> {
  const isOwnFile = typeof source === 'string'
  const file = isOwnFile ? await open(source) : source
  try {
    return new ZipArchive(await readDirectory(file), { file, isOwnFile, maxUnpackedBytes })
  } catch (error) {
    if (isOwnFile) await file.close()
    throw error
  }
}

/** An open archive. Several entries may be read concurrently. */
export class ZipArchive {
  /** Sum of all declared sizes; reading each entry once returns no more. */
  readonly declaredBytes: number
  #unpackedBytes = 0

  constructor(
    private readonly directory: Directory,
    private readonly source: ZipLimits & { readonly file: FileHandle; readonly isOwnFile: boolean },
  ) {
    this.declaredBytes = directory.entries.reduce((sum, { size }) => sum + size, 0)
  }

  /** Every entry in the order of the table of contents, including folders, unsafe and repeated names. */
  entries(): readonly ZipEntry[] {
    return this.directory.entries
  }

  entryAt(index: number): ZipEntry {
    return this.directory.entries[index]!
  }

  /** The entry with that path, in any spelling that `safeName` accepts; of several the last. */
  find(path: string): ZipEntry | null {
    const name = safeName(path)
    return name === null ? null : (this.directory.named.get(name) ?? null)
  }

  /**
   * The bytes of an entry, in pieces of up to 256 KiB; length and checksum are verified only after the last.
   * @throws ZipError with scope `entry`, tooLarge for more than `maxBytes`; with scope `archive` when all unpacked
   * bytes exceed its limit
   */
  async *read(entry: ZipEntry, { maxBytes }: { maxBytes: number }): AsyncGenerator<Uint8Array, void> {
    const start = await this.#dataPosition(entry)
    if (entry.size > maxBytes) throw entryError('tooLarge', `The file is larger than ${maxBytes} bytes unpacked`)
    const { maxUnpackedBytes } = this.source
    let size = 0
    let crc = 0
    for await (const piece of paced(this.#pieces(entry, start))) {
      size += piece.length
      if (size > entry.size) throw entryError('damaged', 'The file is larger than the ZIP archive says')
      this.#unpackedBytes += piece.length
      if (this.#unpackedBytes > maxUnpackedBytes)
        throw new ZipError('tooLarge', `The ZIP archive holds more than ${maxUnpackedBytes} bytes unpacked`)
      crc = Bun.hash.crc32(piece, crc)
      yield piece
    }
    if (size < entry.size) throw entryError('damaged', 'The file is smaller than the ZIP archive says')
    if (crc !== entry.crc) throw entryError('damaged', 'The file is damaged in the ZIP archive')
  }

  /** A whole entry in memory. @throws ZipError as `read` */
  async bytes(entry: ZipEntry, maxBytes: number): Promise<Uint8Array> {
    // the declared size is allocated only when it is within the limit, which `read` checks before the first piece
    let bytes: Uint8Array | null = null
    let filled = 0
    for await (const piece of this.read(entry, { maxBytes })) {
      bytes ??= new Uint8Array(entry.size)
      bytes.set(piece, filled)
      filled += piece.length
    }
    return bytes ?? new Uint8Array(0)
  }

  /**
   * The first unpacked bytes of an entry, at most so many, without unpacking the rest, of which nothing is verified.
   * @throws ZipError as `read`
   */
  async head(entry: ZipEntry, bytes: number): Promise<Uint8Array> {
    const start = await this.#dataPosition(entry)
    const most = Math.min(bytes, entry.size)
    const { method, compressedSize } = entry
    // packed data is rarely longer than what it holds, and even a bomb gives no more than 1,032 times as much
    if (method === DEFLATED && bytes <= SHORT_BYTES) {
      const packed = await readAt(this.source.file, start, Math.min(compressedSize, bytes + 256))
      const found = inflatedAtOnce(packed, { finishFlush: constants.Z_SYNC_FLUSH })
      if (found.length >= most) return found.subarray(0, most)
    }
    const head = Buffer.allocUnsafeSlow(most)
    const packed = this.#packed(start, compressedSize)
    let filled = 0
    for await (const piece of method === STORED ? packed : inflated(packed)) {
      filled += piece.copy(head, filled)
      if (filled === most) break
    }
    return head.subarray(0, filled)
  }

  async close(): Promise<void> {
    if (this.source.isOwnFile) await this.source.file.close()
  }

  /** Position after the local header, whose variable lengths may differ from those in the table of contents. */
  async #dataPosition({ problem, reason, offset, method, compressedSize, limit }: ZipEntry): Promise<number> {
    if (problem !== null) throw entryError(problem, reason)
    const header = await readAt(this.source.file, offset, BYTES.local)
    if ((header.readUInt16LE(6) & ENCRYPTED_FLAG) !== 0) throw entryError('encrypted', 'The file is encrypted')
    const position = offset + BYTES.local + header.readUInt16LE(26) + header.readUInt16LE(28)
    const isLocal = header.readUInt32LE(0) === SIGNATURE.local && header.readUInt16LE(8) === method
    // data that reached into the next entry would let an archive hold the same bytes many times
    if (isLocal && position + compressedSize <= limit) return position
    throw entryError('damaged', 'The file is not where the ZIP archive says')
  }

  async *#pieces({ method, size, compressedSize }: ZipEntry, start: number): AsyncGenerator<Uint8Array> {
    if (method === STORED) yield* this.#packed(start, compressedSize)
    else if (size === 0 || Math.max(size, compressedSize) > SMALL_BYTES)
      yield* inflated(this.#packed(start, compressedSize))
    // one byte more, so that everything fits into the first piece of output
    else
      yield inflatedAtOnce(await readAt(this.source.file, start, compressedSize), {
        maxOutputLength: size,
        chunkSize: Math.max(64, size + 1),
      })
  }

  async *#packed(start: number, length: number): AsyncGenerator<Buffer> {
    const step = length > INPUT_BYTES ? STORED_BYTES : INPUT_BYTES
    for (let done = 0; done < length; done += step) {
      yield await readAt(this.source.file, start + done, Math.min(step, length - done))
    }
  }
}

async function* inflated(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* throughZlib(packed, createInflateRaw({ chunkSize: OUTPUT_BYTES }))
  } catch (cause) {
    throw ofZlib(cause)
  }
}

/** zlib pauses when its output is not consumed, so a bomb costs one piece of input and a few of output. */
export async function* throughZlib(pieces: AsyncIterable<Uint8Array>, zlib: Transform): AsyncGenerator<Buffer> {
  // a failure is thrown by the loop as well
  const fed = pipeline(pieces, zlib).catch(() => {})
  try {
    yield* zlib
  } finally {
    // when the consumer leaves early, the loop ends zlib, and that ends the pieces
    await fed
  }
}

function inflatedAtOnce(packed: Buffer, options: Parameters<typeof inflateRawSync>[1]): Buffer {
  try {
    return inflateRawSync(packed, options)
  } catch (cause) {
    throw ofZlib(cause)
  }
}

/** What an entry that cannot be unpacked is refused with; any other failure comes from the disk. */
function ofZlib(cause: unknown): unknown {
  if (codeOf(cause) === 'ERR_BUFFER_TOO_LARGE')
    return entryError('damaged', 'The file is larger than the ZIP archive says')
  if (!String(codeOf(cause)).startsWith('Z_')) return cause
  return entryError('damaged', 'The file is damaged in the ZIP archive', cause)
}

/** @throws ZipError notZip, damaged, unsafe (overlaps), tooLarge */
async function readDirectory(file: FileHandle): Promise<Directory> {
  const { start, length, count, leadingBytes } = await findDirectory(file, (await file.stat()).size)
  const tooMany = () => new ZipError('tooLarge', `The ZIP archive holds more than ${MAX_ENTRIES} files`)
  if (count > MAX_ENTRIES) throw tooMany()
  if (length > MAX_DIRECTORY_BYTES)
    throw new ZipError('tooLarge', 'The table of contents of the ZIP archive is too large')
  const table = await readAt(file, start, length)
  const entries: ZipEntry[] = []
  const named = new Map<string, ZipEntry>()
  for (let at = 0; ; ) {
    const record = centralRecord(table, at)
    // the rest is not an entry: either the end of the list, such as a signature of the archive, or damage
    if (record === null) break
    if (entries.length === MAX_ENTRIES) throw tooMany()
    const entry = entryOf(record, { index: entries.length, leadingBytes, limit: start })
    entries.push(entry)
    named.set(entry.name, entry)
    at += record.length
    await gently()
  }
  // some packers count modulo 65,536 instead of writing a Zip64 record
  if ((entries.length - count) % (FULL_16 + 1) !== 0) {
    throw new ZipError('damaged', 'The table of contents of the ZIP archive is damaged')
  }
  setLimits(entries)
  return { entries, named }
}

/** Fills the whole buffer. @throws ZipError when the file ends before; positions taken from an archive may cause that */
async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  // not from the pool that small buffers share, since the result may be transferred
  const buffer = Buffer.allocUnsafeSlow(length)
  for (let filled = 0; filled < length; ) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, position + filled)
    if (bytesRead === 0) throw new ZipError('damaged', 'The ZIP archive is cut off')
    filled += bytesRead
  }
  return buffer
}

function entryOf(
  record: CentralRecord,
  { index, leadingBytes, limit }: { index: number; leadingBytes: number; limit: number },
): ZipEntry {
  const { size, compressedSize, crc, method } = record
  const raw = decodeName(record.nameBytes, record)
  const safe = safeName(raw)
  const name = safe ?? raw
  const offset = record.offset + leadingBytes
  const [problem, reason] = problemOf(record, { isSafe: safe !== null, isWithin: endOf(offset, record) <= limit })
  const isFolder = name.endsWith('/')
  return { index, name, isFolder, size, compressedSize, crc, method, offset, limit, problem, reason }
}

/** Data descriptors are not counted, since some packers announce one and write none. */
function endOf(offset: number, { compressedSize }: Pick<ZipEntry, 'compressedSize'>): number {
  return offset + BYTES.local + compressedSize
}

function problemOf(
  { size, compressedSize, method, isLink, isEncrypted }: CentralRecord,
  { isSafe, isWithin }: { isSafe: boolean; isWithin: boolean },
): [ZipErrorKind | null, string] {
  // checked first, since such an entry takes no part in the search for overlaps
  if (!isWithin) return ['damaged', OUTSIDE]
  if (!isSafe) return ['unsafe', 'The name of the file points out of the ZIP archive']
  if (isLink) return ['unsafe', 'The file is a link']
  if (isEncrypted) return ['encrypted', 'The file is encrypted']
  if (method !== STORED && method !== DEFLATED) return ['damaged', 'The file is packed in a way that is not supported']
  if (method === STORED && size !== compressedSize) return ['damaged', 'The ZIP archive gives two sizes for the file']
  if (size > RATIO_FREE_BYTES && size > compressedSize * MAX_RATIO)
    return ['tooLarge', 'The file is packed more than 1000 times smaller than it is']
  return [null, '']
}

/** @throws ZipError unsafe: entries that share data make a small archive huge, and never occur by accident */
function setLimits(entries: readonly ZipEntry[]): void {
  const within: { offset: number; limit: number; compressedSize: number }[] = entries
    .filter(({ reason }) => reason !== OUTSIDE)
    .sort((a, b) => a.offset - b.offset)
  for (let i = 1; i < within.length; i += 1) {
    const [entry, next] = [within[i - 1]!, within[i]!]
    entry.limit = next.offset
    if (endOf(entry.offset, entry) > entry.limit) throw new ZipError('unsafe', 'Files in the ZIP archive overlap')
  }
}

/**
 * Searches the end record backwards; one whose comment ends with the file takes precedence over one followed by other
 * bytes. Bytes before the archive are skipped, unless they are an archive themselves: then the file was cut off after
 * an archive packed within it, which must not be taken for the whole.
 */
async function findDirectory(file: FileHandle, size: number): Promise<Place> {
  if (size === 0) throw new ZipError('notZip', 'The file is empty')
  const tailStart = Math.max(0, size - TAIL_BYTES)
  const tail = await readAt(file, tailStart, size - tailStart)
  const beginsAsZip = size >= 4 && (await readAt(file, 0, 4)).readUInt32LE(0) === SIGNATURE.local
  for (const at of endRecordsOf(tail)) {
    const place = await placeAt(file, { tail, at, tailStart })
    if (place !== null && !(place.leadingBytes > 0 && beginsAsZip)) return place
  }
  if (beginsAsZip) throw new ZipError('damaged', 'The ZIP archive is cut off: its table of contents is missing')
  throw new ZipError('notZip', 'The file is not a ZIP archive')
}

/** Candidate positions in the tail, the most likely first. */
function endRecordsOf(tail: Buffer): number[] {
  const exact: number[] = []
  const followed: number[] = []
  // bounded, so that a file full of signatures does not cost a read for each
  for (let at = tail.length - BYTES.end; at >= 0 && exact.length + followed.length < 64; at -= 1) {
    if (tail[at] !== 0x50 || tail.readUInt32LE(at) !== SIGNATURE.end) continue
    const end = at + BYTES.end + tail.readUInt16LE(at + 20)
    if (end === tail.length) exact.push(at)
    else if (end < tail.length) followed.push(at)
  }
  return [...exact, ...followed]
}

/**
 * What the end record at a position of the tail tells; null: no table is where it should be. As in Python's zipfile,
 * nothing is between the table, the Zip64 record, its locator and the end record.
 */
async function placeAt(file: FileHandle, { tail, at, tailStart }: { tail: Buffer; at: number; tailStart: number }) {
  if (![0, FULL_16].includes(tail.readUInt16LE(at + 4)))
    throw new ZipError('damaged', 'The ZIP archive is one part of several')
  let [count, length, claimed] = [tail.readUInt16LE(at + 10), tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)]
  let endAt = at
  if (at >= BYTES.locator64 && tail.readUInt32LE(at - BYTES.locator64) === SIGNATURE.locator64) {
    endAt -= BYTES.locator64 + BYTES.end64
    if (endAt < 0 || tail.readUInt32LE(endAt) !== SIGNATURE.end64) return null
    const value = (from: number) => Number(tail.readBigUInt64LE(endAt + from))
    ;[count, length, claimed] = [value(32), value(40), value(48)]
  }
  const start = tailStart + endAt - length
  const place: Place = { start, length, count, leadingBytes: start - claimed }
  if (start < 0 || place.leadingBytes < 0) return null
  if (length < 4) return length + count === 0 ? place : null
  return (await readAt(file, start, 4)).readUInt32LE(0) === SIGNATURE.central ? place : null
}
