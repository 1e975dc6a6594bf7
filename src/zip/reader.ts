import { type FileHandle, open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { constants, createInflateRaw, inflateRawSync } from 'node:zlib'
import { codeOf } from '../base/errors.ts'
import { paced } from '../base/pace.ts'
import { type Directory, readDirectory } from './directory.ts'
import { findDirectory, readAt } from './end-record.ts'
import { safeName } from './entry-name.ts'
import { ENCRYPTED_FLAG, LOCAL_BYTES, LOCAL_SIGNATURE, STORED } from './records.ts'
import { entryError, ZipError, type ZipErrorKind } from './zip-error.ts'

interface ZipLimits {
  /** Limit of the bytes that `read` returns over the life of the archive; entries read twice count twice. */
  readonly maxUnpackedBytes: number
  /** 500,000 when absent (docs/api.md 1.5). */
  readonly maxEntries?: number
}

export interface ZipEntry {
  readonly index: number
  /** As `safeName` returns it, with a final slash for a folder; as written, for display only, when it is unsafe. */
  readonly name: string
  readonly isFolder: boolean
  /** Declared unpacked size; reading returns exactly so many bytes or fails. */
  readonly size: number
  readonly compressedSize: number
  /** Why reading it would fail, as far as the table of contents shows. */
  readonly problem: ZipErrorKind | null
}

const MAX_ENTRIES = 500_000
const INPUT_BYTES = 65_536
const OUTPUT_BYTES = 65_536
const STORED_BYTES = 262_144
/** Entries up to this size, packed and unpacked, are unpacked at once, in a quarter of the time of a stream. */
const SMALL_BYTES = 1_048_576
/** Heads up to this size are unpacked at once. */
const SHORT_BYTES = 4096

/**
 * Opens an archive, of which only the table of contents is read; a handle is closed by the caller, a path by `close`.
 * @throws ZipError when it is not an archive, or one that cannot or must not be read as a whole
 */
export async function openZip(source: string | FileHandle, limits: ZipLimits): Promise<ZipArchive> {
  const file = typeof source === 'string' ? await open(source) : source
  const isOwnFile = typeof source === 'string'
  try {
    const place = await findDirectory(file, (await file.stat()).size)
    const directory = await readDirectory(file, place, limits.maxEntries ?? MAX_ENTRIES)
    return new ZipArchive(directory, { file, isOwnFile, maxUnpackedBytes: limits.maxUnpackedBytes })
  } catch (error) {
    if (isOwnFile) await file.close()
    throw error
  }
}

/** An open archive. Several entries may be read concurrently. */
export class ZipArchive {
  readonly entryCount: number
  /** Sum of all declared sizes; reading each entry once returns no more. */
  readonly declaredBytes: number
  private unpackedBytes = 0

  constructor(
    private readonly directory: Directory,
    private readonly source: {
      readonly file: FileHandle
      readonly isOwnFile: boolean
      readonly maxUnpackedBytes: number
    },
  ) {
    this.entryCount = directory.count
    this.declaredBytes = directory.declaredBytes
  }

  /** Every entry in the order of the table of contents, including folders, unsafe and repeated names. */
  *entries(): Generator<ZipEntry, void> {
    for (let index = 0; index < this.entryCount; index += 1) yield this.entryAt(index)
  }

  /** The entry with that path, in any spelling that `safeName` accepts; of several the last. */
  find(path: string): ZipEntry | null {
    const name = safeName(path)
    const index = name === null ? null : this.directory.names.find(name)
    return index === null ? null : this.entryAt(index)
  }

  /**
   * The bytes of an entry, in pieces of up to 256 KiB; length and checksum are verified only after the last.
   * @throws ZipError with scope `entry`, tooLarge for more than `maxBytes`; with scope `archive` when all unpacked
   * bytes exceed its limit
   */
  async *read(entry: ZipEntry, { maxBytes }: { maxBytes: number }): AsyncGenerator<Uint8Array, void> {
    const problem = this.directory.problem(entry.index)
    if (problem !== null) throw problem
    if (entry.size > maxBytes) throw entryError('tooLarge', `The file is larger than ${maxBytes} bytes unpacked`)
    const pieces = this.pieces(entry, await this.dataPosition(entry.index))
    let size = 0
    let crc = 0
    for await (const piece of paced(pieces)) {
      size += piece.length
      if (size > entry.size) throw entryError('damaged', 'The file is larger than the ZIP archive says')
      this.unpackedBytes += piece.length
      if (this.unpackedBytes > this.source.maxUnpackedBytes) {
        throw new ZipError('tooLarge', `The ZIP archive holds more than ${this.source.maxUnpackedBytes} bytes unpacked`)
      }
      crc = Bun.hash.crc32(piece, crc)
      yield piece
    }
    if (size < entry.size) throw entryError('damaged', 'The file is smaller than the ZIP archive says')
    if (crc !== this.directory.crcs[entry.index]) throw entryError('damaged', 'The file is damaged in the ZIP archive')
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
   * The first unpacked bytes of an entry, at most so many, without unpacking the rest; what follows, and the checksum, is
   * not verified.
   * @throws ZipError as `read`
   */
  async head(entry: ZipEntry, bytes: number): Promise<Uint8Array> {
    const problem = this.directory.problem(entry.index)
    if (problem !== null) throw problem
    const start = await this.dataPosition(entry.index)
    const short = await this.shortHead(entry, start, bytes)
    if (short !== null) return short
    const head = Buffer.allocUnsafeSlow(Math.min(bytes, entry.size))
    let filled = 0
    for await (const piece of entry.size <= bytes ? this.pieces(entry, start) : this.firstPieces(entry, start)) {
      filled += piece.copy(head, filled)
      if (filled === head.length) break
    }
    return head.subarray(0, filled)
  }

  async close(): Promise<void> {
    if (this.source.isOwnFile) await this.source.file.close()
  }

  entryAt(index: number): ZipEntry {
    const name = this.directory.names.name(index)
    return {
      index,
      name,
      isFolder: name.endsWith('/'),
      size: this.directory.sizes[index] ?? 0,
      compressedSize: this.directory.compressedSizes[index] ?? 0,
      problem: this.directory.problemKind(index),
    }
  }

  /** Position after the local header, whose variable lengths may differ from those in the table of contents. */
  private async dataPosition(index: number): Promise<number> {
    const offset = this.directory.offsets[index] ?? 0
    const header = await readAt(this.source.file, { position: offset, length: LOCAL_BYTES })
    const damaged = () => entryError('damaged', 'The file is not where the ZIP archive says')
    if (header.readUInt32LE(0) !== LOCAL_SIGNATURE) throw damaged()
    if ((header.readUInt16LE(6) & ENCRYPTED_FLAG) !== 0) throw entryError('encrypted', 'The file is encrypted')
    if (header.readUInt16LE(8) !== this.directory.methods[index]) throw damaged()
    const position = offset + LOCAL_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28)
    // data that reached into the next entry would let an archive hold the same bytes many times
    if (position + (this.directory.compressedSizes[index] ?? 0) > this.directory.endOf(index)) throw damaged()
    return position
  }

  /** A few KB at once, in a fifth of the time of a stream; null: it takes one. */
  private async shortHead(
    { index, size, compressedSize }: ZipEntry,
    start: number,
    bytes: number,
  ): Promise<Uint8Array | null> {
    if (bytes > SHORT_BYTES || size <= bytes || this.directory.methods[index] === STORED) return null
    // packed data is rarely longer than what it holds
    const length = Math.min(compressedSize, bytes + 256)
    const packed = await readAt(this.source.file, { position: start, length })
    try {
      // even a bomb gives no more than 1,032 times as much
      const found = inflateRawSync(packed, { finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 4 * SHORT_BYTES })
      return found.length < bytes ? null : found.subarray(0, bytes)
    } catch {
      // the stream reports what is wrong
      return null
    }
  }

  private firstPieces({ index, compressedSize }: ZipEntry, start: number): AsyncIterable<Buffer> {
    const packed = this.packed(start, compressedSize)
    return this.directory.methods[index] === STORED ? packed : inflated(packed)
  }

  private pieces(entry: ZipEntry, start: number): AsyncIterable<Buffer> {
    const isStored = this.directory.methods[entry.index] === STORED
    const packed = this.packed(start, entry.compressedSize)
    if (isStored) return packed
    const isSmall = entry.size > 0 && entry.size <= SMALL_BYTES && entry.compressedSize <= SMALL_BYTES
    return isSmall ? inflatedAtOnce(packed, entry.size) : inflated(packed)
  }

  private async *packed(start: number, length: number): AsyncGenerator<Buffer> {
    const step = length > INPUT_BYTES ? STORED_BYTES : INPUT_BYTES
    for (let done = 0; done < length; ) {
      const piece = await readAt(this.source.file, { position: start + done, length: Math.min(step, length - done) })
      done += piece.length
      yield piece
    }
  }
}

/** zlib pauses when its output is not consumed, so a bomb costs one piece of input and a few of output. */
async function* inflated(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw({ chunkSize: OUTPUT_BYTES })
  // a failure is thrown by the loop as well
  const fed = pipeline(packed, inflate).catch(() => {})
  try {
    for await (const piece of inflate) yield piece
  } catch (cause) {
    // any other failure comes from the disk
    if (!String(codeOf(cause)).startsWith('Z_')) throw cause
    throw entryError('damaged', 'The file is damaged in the ZIP archive', cause)
  } finally {
    // when the consumer leaves early, the loop ends zlib, and that ends reading the file
    await fed
  }
}

/** @param size as the archive declares it: nothing beyond it is unpacked */
async function* inflatedAtOnce(packed: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  const pieces = await Array.fromAsync(packed)
  try {
    // one byte more, so that everything fits into the first piece of output
    yield inflateRawSync(pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces), {
      maxOutputLength: size,
      chunkSize: Math.max(64, size + 1),
    })
  } catch (cause) {
    if (codeOf(cause) === 'ERR_BUFFER_TOO_LARGE')
      throw entryError('damaged', 'The file is larger than the ZIP archive says')
    if (!String(codeOf(cause)).startsWith('Z_')) throw cause
    throw entryError('damaged', 'The file is damaged in the ZIP archive', cause)
  }
}
