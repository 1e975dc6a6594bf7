import { createReadStream } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { FormatError } from '../../formats/format.ts'
import { isGzip, MAX_UNPACKED_BYTES } from '../../formats/gzip.ts'
import { detectFormat, HEAD_BYTES, unknownContent } from '../../formats/registry.ts'
import { baseName } from '../../http/file-names.ts'
import type { UploadedFile } from '../../http/multipart.ts'
import { readAt } from '../../library/files/taken.ts'
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
/** Larger files are copied on disk. */
const SMALL_BYTES = 262_144
/** Size of the largest workout file as gzip that compresses nothing. */
const MOST_BYTES = MAX_UNPACKED_BYTES + 65_536

/**
 * Reads a file in the given state without changing it; null: it was changed or replaced meanwhile.
 * @throws errors of the system when it cannot be read
 */
export async function readWatched(name: string, state: FileState, limits: Limits): Promise<ReadFile | null> {
  const file = await openSeen(state)
  if (file === null) return null
  let copyPath: string | null = null
  const close = async () => {
    await file.close()
    if (copyPath !== null) await rm(copyPath, { force: true })
  }
  try {
    const head = await readAt(file, 0, HEAD_BYTES)
    const refused = refusal(name, head, { size: state.size, maxArchiveBytes: limits.maxArchiveBytes })
    const isCopied = refused === null && !isZip(head)
    if (isCopied && state.size > SMALL_BYTES) copyPath = join(limits.tmpDir, crypto.randomUUID())
    // a file that is too large is not read
    const isRead = refused === null || refused.problem !== 'unreadable'
    const pass = isRead ? await passedOver(file, state.size, { copyPath, isKept: isCopied }) : null
    if (pass !== null && pass.size !== state.size) return await closed(close)
    if (!(await isStill(file, state))) return await closed(close)
    const own = pass?.sha256 ?? null
    if (refused !== null) return { sha256: own, content: { kind: 'refused', error: refused }, close }
    if (isZip(head)) return { sha256: own, content: { kind: 'zip', file }, close }
    const bytes = pass?.bytes ?? new Uint8Array(0)
    const upload: UploadedFile = {
      filename: baseName(name),
      size: state.size,
      path: copyPath,
      bytes: async () => bytes,
    }
    const unpacked = isGzip(head) ? await unpackedHash(copyPath ?? bytes) : null
    return { sha256: unpacked ?? own, content: { kind: 'workout', upload }, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function closed(close: () => Promise<void>): Promise<null> {
  await close()
  return null
}

/** null: it may be readable. */
function refusal(
  name: string,
  head: Uint8Array,
  { size, maxArchiveBytes }: { readonly size: number; readonly maxArchiveBytes: number },
): FormatError | null {
  if (isZip(head)) {
    return size > maxArchiveBytes ? new FormatError(`The archive is larger than ${maxArchiveBytes} bytes`) : null
  }
  if (size > MOST_BYTES) return new FormatError('The file is larger than 100 MiB unpacked')
  return isGzip(head) || detectFormat(head, name) !== null ? null : unknownContent(head)
}

function isZip(head: Uint8Array): boolean {
  return head[0] === 0x50 && head[1] === 0x4b
}

/** The hash of all bytes, which are copied to a file, kept in memory, or discarded. */
async function passedOver(
  file: FileHandle,
  size: number,
  { copyPath, isKept }: { readonly copyPath: string | null; readonly isKept: boolean },
): Promise<{ readonly sha256: string; readonly size: number; readonly bytes: Uint8Array | null }> {
  const hasher = new Bun.CryptoHasher('sha256')
  const kept = isKept && copyPath === null ? new Uint8Array(size) : null
  const copy = copyPath === null ? null : await open(copyPath, 'wx', 0o600)
  let read = 0
  try {
    const piece = new Uint8Array(Math.min(PIECE_BYTES, size))
    while (read < size) {
      const { bytesRead } = await file.read(piece, 0, Math.min(piece.length, size - read), read)
      if (bytesRead === 0) break
      const bytes = piece.subarray(0, bytesRead)
      hasher.update(bytes)
      kept?.set(bytes, read)
      await copy?.write(bytes)
      read += bytesRead
    }
  } finally {
    await copy?.close()
  }
  return { sha256: hasher.digest('hex'), size: read, bytes: kept }
}

/** null: it cannot be unpacked, or is too large. */
async function unpackedHash(packed: Uint8Array | string): Promise<string | null> {
  const hasher = new Bun.CryptoHasher('sha256')
  let size = 0
  const count = async (chunks: AsyncIterable<Uint8Array>) => {
    for await (const chunk of chunks) {
      size += chunk.length
      if (size > MAX_UNPACKED_BYTES) throw new FormatError('The file is larger than 100 MiB unpacked')
      hasher.update(chunk)
    }
  }
  const gunzip = createGunzip({ chunkSize: PIECE_BYTES })
  try {
    if (typeof packed === 'string') await pipeline(createReadStream(packed), gunzip, count)
    else await pipeline([packed], gunzip, count)
    return hasher.digest('hex')
  } catch {
    return null
  }
}
