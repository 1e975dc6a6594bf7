import { type FileHandle, open } from 'node:fs/promises'
import { createDeflateRaw } from 'node:zlib'
import { codeOf } from '../base/errors.ts'
import { paced } from '../base/pace.ts'
import { safeName } from './entry-name.ts'
import { throughZlib } from './reader.ts'
import { centralHeader, dataDescriptor, endRecords, localHeader, type WrittenEntry } from './records.ts'

export interface ZipItem {
  /** A relative path with `/` between segments. */
  readonly name: string
  /** The bytes, which must not be changed afterwards, or the path of a file, opened when its turn comes. */
  readonly source: AsyncIterable<Uint8Array> | string
  /** For a path: its bytes once it is open; null: it is gone and left out, which otherwise breaks the stream. */
  readonly whenOpened?: (size: number | null) => void
  /** false for content that is compressed already, such as photos. */
  readonly compress: boolean
  readonly modifiedMs: number
}

/** Pieces of the stream have 64 to 256 KiB, except the last. */
const LEAST_BYTES = 65_536
const MOST_BYTES = 262_144
const LEVEL = 6
/** Files below this size keep 32 bit sizes, even when deflate makes them larger (by 0.03 % at most). */
const ZIP64_FROM_BYTES = 0xf0000000

/**
 * Writes an archive of any size as a stream, in bounded memory, one piece ahead of the reader; the next item is
 * requested when the one before is complete. However the stream ends, open files are closed and the `finally` blocks of
 * `items` and sources run. A failing item or source breaks it, as does a name that `safeName` would change
 * (RangeError).
 */
export function zipStream(items: AsyncIterable<ZipItem>): ReadableStream<Uint8Array> {
  const pieces = regrouped(archiveBytes(items))
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await pieces.next()
        if (next.done) controller.close()
        else controller.enqueue(next.value)
      },
      async cancel() {
        await pieces.return()
      },
    },
    { highWaterMark: 1 },
  )
}

async function* archiveBytes(items: AsyncIterable<ZipItem>): AsyncGenerator<Uint8Array, void> {
  const directory: Uint8Array[] = []
  let start = 0
  for await (const item of items) {
    for await (const piece of entryBytes(item, { offset: start, directory })) {
      start += piece.length
      yield piece
    }
  }
  yield* directory
  yield endRecords({ count: directory.length, start, length: directory.reduce((sum, { length }) => sum + length, 0) })
}

async function* entryBytes(
  item: ZipItem,
  { offset, directory }: { offset: number; directory: Uint8Array[] },
): AsyncGenerator<Uint8Array, void> {
  const { name, source, compress: isCompressed, modifiedMs } = item
  if (safeName(name) !== name) throw new RangeError(`${JSON.stringify(name)} is no name for an entry`)
  const file = typeof source === 'string' ? await opened(source, item) : null
  if (file === null && typeof source === 'string') return
  try {
    const size = file === null ? null : (await file.stat()).size
    if (size !== null) item.whenOpened?.(size)
    const isZip64 = size === null || size >= ZIP64_FROM_BYTES
    const head = { name: Buffer.from(name), isCompressed, modifiedMs, offset, isZip64 }
    const entry: WrittenEntry = { ...head, crc: 0, size: 0, compressedSize: 0 }
    yield localHeader(entry)
    const bytes = file === null ? (source as AsyncIterable<Uint8Array>) : fileBytes(file, size ?? 0)
    const plain = counted(bytes, entry)
    for await (const piece of isCompressed ? throughZlib(regrouped(plain), deflating()) : plain) {
      entry.compressedSize += piece.length
      yield piece
    }
    yield dataDescriptor(entry)
    directory.push(centralHeader(entry))
  } finally {
    await file?.close()
  }
}

function deflating() {
  return createDeflateRaw({ level: LEVEL, chunkSize: LEAST_BYTES })
}

/** @returns null when the file does not exist and the item has `whenOpened` */
async function opened(path: string, { whenOpened }: ZipItem): Promise<FileHandle | null> {
  try {
    return await open(path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || whenOpened === undefined) throw error
    whenOpened(null)
    return null
  }
}

/** @throws Error when the file is shorter than its stated size, since the sizes in its headers would be wrong */
async function* fileBytes(file: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  for (let position = 0; position < size; ) {
    const buffer = new Uint8Array(Math.min(MOST_BYTES, size - position))
    const { bytesRead } = await file.read(buffer, 0, buffer.length, position)
    if (bytesRead === 0) throw new Error(`A file of ${size} bytes ended after ${position}`)
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

async function* counted(bytes: AsyncIterable<Uint8Array>, entry: WrittenEntry): AsyncGenerator<Uint8Array> {
  for await (const piece of bytes) {
    entry.crc = Bun.hash.crc32(piece, entry.crc)
    entry.size += piece.length
    yield piece
  }
}

/** Pieces of 64 to 256 KiB: small ones are joined, large ones cut. */
async function* regrouped(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let small: Uint8Array[] = []
  let filled = 0
  for await (const piece of paced(pieces)) {
    if (filled > 0 && filled + piece.length > LEAST_BYTES) {
      yield Buffer.concat(small)
      small = []
      filled = 0
    }
    if (piece.length < LEAST_BYTES) {
      small.push(piece)
      filled += piece.length
    } else for (let at = 0; at < piece.length; at += MOST_BYTES) yield piece.subarray(at, at + MOST_BYTES)
  }
  if (filled > 0) yield Buffer.concat(small)
}
