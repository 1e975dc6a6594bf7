import {
  closeSync,
  createReadStream,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { isDiskFull } from '../../db/disk-full.ts'
import { POOL, poolName, type Stored, UNFINISHED } from './manifest.ts'

/** Content is read, packed and written in pieces of this size, each a frame of zstd: files may be larger than memory. */
const PIECE_BYTES = 4 * 1_048_576
/** Packed is what gets smaller than this part of itself; photos and videos stay as they are. */
const PACKED_PART = 0.95
export const FOLDER_FULL = 'The disk of the backup folder is full'

/** Names of the files in the pool, each of which is complete. */
export type Pool = Set<string>

/**
 * Stores a file in the pool, unless it is there already.
 * @param again whether it is written even then, since what is there is damaged
 * @throws Error of the system
 */
export function storeFile(
  folder: string,
  source: string,
  { pool, again = false }: { pool: Pool; again?: boolean },
): Stored {
  const unfinished = join(folder, POOL, `new${UNFINISHED}`)
  const known = (sha256: string, bytes: number): Stored | null => {
    const isPacked = pool.has(`${sha256}.zst`)
    if (again || !(isPacked || pool.has(sha256))) return null
    const stored = { sha256, bytes, isPacked }
    return { ...stored, storedBytes: statSync(join(folder, POOL, poolName({ ...stored, storedBytes: 0 }))).size }
  }
  return reading(source, (pieces) => {
    const first = pieces.next() ?? new Uint8Array()
    // most files are one piece, and unchanged ones need not be packed to be recognised
    const found = first.length < PIECE_BYTES ? known(sha256Of(first), first.length) : null
    if (found !== null) return found
    const isPacked = Bun.zstdCompressSync(first).length < PACKED_PART * first.length
    const stored = writeWhole(unfinished, { first, pieces, isPacked })
    const name = poolName(stored)
    renameSync(unfinished, join(folder, POOL, name))
    pool.add(name)
    return stored
  })
}

/** Stores the database of a backup. */
export function storeDatabase(source: string, path: string): Stored {
  return reading(source, (pieces) => {
    const first = pieces.next() ?? new Uint8Array()
    const stored = writeWhole(`${path}${UNFINISHED}`, { first, pieces, isPacked: true })
    renameSync(`${path}${UNFINISHED}`, path)
    return stored
  })
}

/** Writes a small file so that it is either complete or absent. */
export function writeSmall(path: string, text: string): void {
  const bytes = new TextEncoder().encode(text)
  writeWhole(`${path}${UNFINISHED}`, { first: bytes, pieces: { next: () => null }, isPacked: false })
  renameSync(`${path}${UNFINISHED}`, path)
}

/** Waits until the names in a folder are on the disk, where the file system can say so: SMB and Windows cannot. */
export function syncNames(folder: string): void {
  try {
    syncWritten(folder)
  } catch {
    // what was written has been synced; only its name may be lost, and then it does not count
  }
}

export function syncWritten(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

interface Pieces {
  /** The next piece, valid until the following one; null: there is none. */
  next(): Uint8Array | null
}

function reading<T>(source: string, work: (pieces: Pieces) => T): T {
  const file = openSync(source, 'r')
  const buffer = new Uint8Array(PIECE_BYTES)
  const next = () => {
    let length = 0
    while (length < buffer.length) {
      const read = readSync(file, buffer, length, buffer.length - length, null)
      if (read === 0) break
      length += read
    }
    return length === 0 ? null : buffer.subarray(0, length)
  }
  try {
    return work({ next })
  } finally {
    closeSync(file)
  }
}

/** Writes and syncs a file; a failure leaves nothing. */
function writeWhole(
  path: string,
  { first, pieces, isPacked }: { first: Uint8Array; pieces: Pieces; isPacked: boolean },
): Stored {
  const hash = new Bun.CryptoHasher('sha256')
  let [bytes, storedBytes] = [0, 0]
  try {
    const file = openSync(path, 'w', 0o600)
    try {
      for (let piece: Uint8Array | null = first; piece !== null; piece = pieces.next()) {
        hash.update(piece)
        bytes += piece.length
        const written = isPacked ? Bun.zstdCompressSync(piece as Uint8Array<ArrayBuffer>) : piece
        for (let at = 0; at < written.length; ) at += writeSync(file, written, at)
        storedBytes += written.length
      }
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  } catch (cause) {
    try {
      rmSync(path, { force: true })
    } catch {
      // the cause says more
    }
    throw isDiskFull(cause) ? Object.assign(new Error(FOLDER_FULL, { cause }), { code: 'ENOSPC' }) : cause
  }
  return { sha256: hash.digest('hex'), bytes, storedBytes, isPacked }
}

function sha256Of(bytes: Uint8Array): string {
  return new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
}

/**
 * Reads something stored.
 * @param write gets the content piece by piece
 * @returns whether it is what was stored; false, too, when it is missing
 * @throws errors of `write`, and of the system while reading
 */
export async function readStored(
  path: string,
  { sha256, bytes, isPacked }: Stored,
  write: (piece: Uint8Array) => void = () => {},
): Promise<boolean> {
  const hash = new Bun.CryptoHasher('sha256')
  let length = 0
  const take = (piece: Uint8Array) => {
    length += piece.length
    // what is too long is damaged, and could fill the disk
    if (length > bytes) throw new Damaged()
    hash.update(piece)
    write(piece)
  }
  try {
    if (bytes <= PIECE_BYTES) take(unpacked(readFileSync(path), isPacked))
    else {
      const read = createReadStream(path, { highWaterMark: 1_048_576 })
      const sink = async (pieces: AsyncIterable<Uint8Array>) => {
        for await (const piece of pieces) take(piece)
      }
      if (isPacked) await pipeline(read, createZstdDecompress(), sink)
      else await pipeline(read, sink)
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (error instanceof Damaged || code === 'ENOENT' || code.startsWith('ZSTD') || code.startsWith('Z_')) return false
    throw error
  }
  return length === bytes && hash.digest('hex') === sha256
}

class Damaged extends Error {}

function unpacked(stored: Uint8Array<ArrayBuffer>, isPacked: boolean): Uint8Array {
  if (!isPacked) return stored
  try {
    return Bun.zstdDecompressSync(stored)
  } catch {
    throw new Damaged()
  }
}
