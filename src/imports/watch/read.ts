import { createReadStream } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { FormatError } from '../../formats/format.ts'
import { isGzip, MAX_UNPACKED_BYTES } from '../../formats/gzip.ts'
import { HEAD_BYTES } from '../../formats/registry.ts'
import { baseName } from '../../http/file-names.ts'
import type { UploadedFile } from '../../http/multipart.ts'
import { readAt } from '../../library/files/taken.ts'
import { expectedContent } from '../door.ts'
import { type FileState, isStill, openSeen } from './files.ts'

export interface ReadFile {
  /** Hash of the unpacked bytes, or of the file itself when it cannot be unpacked (a ZIP); null: not read. */
  readonly sha256: string | null
  readonly content:
    | { readonly kind: 'zip'; readonly file: FileHandle }
    /** A copy, since storing an original gives its file a second name, which must not happen to foreign files. */
    | { readonly kind: 'workout'; readonly upload: UploadedFile }
    | { readonly kind: 'refused'; readonly error: FormatError }
  close(): Promise<void>
}

interface Limits {
  readonly tmpDir: string
  readonly maxArchiveBytes: number
}

const PIECE_BYTES = 262_144

/**
 * Reads a file in the given state without changing it; null: it was changed or replaced meanwhile.
 * @throws errors of the system when it cannot be read
 */
export async function readWatched(name: string, state: FileState, limits: Limits): Promise<ReadFile | null> {
  const file = await openSeen(state)
  if (file === null) return null
  const copy = join(limits.tmpDir, crypto.randomUUID())
  const close = async () => {
    await file.close()
    await rm(copy, { force: true })
  }
  try {
    const read = await contentOf(file, { name, size: state.size, copy, ...limits })
    if (read !== null && (await isStill(file, state))) return { ...read, close }
    await close()
    return null
  } catch (error) {
    await close()
    throw error
  }
}

interface Reading extends Limits {
  readonly name: string
  readonly size: number
  /** Where a copy is made of what may have runs. */
  readonly copy: string
}

/** null: it has become shorter. */
async function contentOf(
  file: FileHandle,
  { name, size, copy, maxArchiveBytes }: Reading,
): Promise<Omit<ReadFile, 'close'> | null> {
  const head = await readAt(file, 0, HEAD_BYTES)
  const found = foundIn({ name, size, head }, maxArchiveBytes)
  // what is too large is not read
  const isRead = !(found instanceof FormatError) || found.problem !== 'unreadable'
  const sha256 = isRead ? await passedOver(file, size, found === 'runs' ? copy : null) : null
  if (isRead && sha256 === null) return null
  if (found instanceof FormatError) return { sha256, content: { kind: 'refused', error: found } }
  if (found === 'container') return { sha256, content: { kind: 'zip', file } }
  const bytes = async () => new Uint8Array(await Bun.file(copy).arrayBuffer())
  const upload: UploadedFile = { filename: baseName(name), size, path: copy, bytes }
  const unpacked = isGzip(head) ? await unpackedHash(copy) : null
  return { sha256: unpacked ?? sha256, content: { kind: 'workout', upload } }
}

/** What a file is; a FormatError: why it cannot be read. */
function foundIn(...file: Parameters<typeof expectedContent>): 'runs' | 'container' | FormatError {
  try {
    return expectedContent(...file)
  } catch (error) {
    if (error instanceof FormatError) return error
    throw error
  }
}

/** The hash of all bytes, which may be copied; null: there are fewer. */
async function passedOver(file: FileHandle, size: number, copyPath: string | null): Promise<string | null> {
  const hasher = new Bun.CryptoHasher('sha256')
  const copy = copyPath === null ? null : await open(copyPath, 'wx', 0o600)
  try {
    const piece = new Uint8Array(Math.min(PIECE_BYTES, size))
    let read = 0
    while (read < size) {
      const { bytesRead } = await file.read(piece, 0, Math.min(piece.length, size - read), read)
      if (bytesRead === 0) return null
      hasher.update(piece.subarray(0, bytesRead))
      await copy?.write(piece, 0, bytesRead)
      read += bytesRead
    }
  } finally {
    await copy?.close()
  }
  return hasher.digest('hex')
}

/** null: it cannot be unpacked, or is too large. */
async function unpackedHash(path: string): Promise<string | null> {
  const hasher = new Bun.CryptoHasher('sha256')
  let size = 0
  const count = async (chunks: AsyncIterable<Uint8Array>) => {
    for await (const chunk of chunks) {
      size += chunk.length
      if (size > MAX_UNPACKED_BYTES) throw new FormatError('The file is larger than 100 MiB unpacked')
      hasher.update(chunk)
    }
  }
  try {
    await pipeline(createReadStream(path), createGunzip({ chunkSize: PIECE_BYTES }), count)
    return hasher.digest('hex')
  } catch {
    return null
  }
}
