import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { uploadTooLarge } from './body-limits.ts'

/** The content of one received file. */
export interface SpooledFile {
  readonly size: number
  /** A temporary file with the bytes, or null for a small one, which is kept in memory. */
  readonly path: string | null
  bytes(): Promise<Uint8Array>
}

export interface UploadOptions {
  /** Largest sum of all files of the upload, bytes. */
  readonly maxBytes: number
  /** Largest sum of the files that begin like a ZIP, which then do not count above; absent: they do. */
  readonly maxZipBytes?: number
  /** Its reason refuses what has not arrived when it is aborted. */
  readonly signal?: AbortSignal
  /** An existing folder, on the file system that the files will be moved to. */
  readonly tmpDir: string
}

/** Files up to this size stay in memory, as long as the sum of such files is within the budget. */
const SMALL_FILE_BYTES = 262_144
const MEMORY_BUDGET_BYTES = 4_194_304

/** Receives the files of one upload: large ones are written to temporary files, with back-pressure. */
export class Spool {
  readonly #options: UploadOptions
  readonly #paths: string[] = []
  /** Of the files that count together. */
  readonly #receivedBytes = { files: 0, zips: 0 }
  #heldBytes = 0

  constructor(options: UploadOptions) {
    this.#options = options
  }

  /** @throws AppError 413 as soon as the upload exceeds its limit */
  async store(stream: AsyncIterable<Uint8Array>): Promise<SpooledFile> {
    let held: Uint8Array[] = []
    let size = 0
    let kind: 'files' | 'zips' = 'files'
    let handle: FileHandle | null = null
    let path: string | null = null
    try {
      for await (const chunk of stream) {
        if (size < 2 && this.#options.maxZipBytes !== undefined && isZip(Buffer.concat([...held, chunk], 2)))
          kind = 'zips'
        size += chunk.byteLength
        this.#count(kind, chunk.byteLength)
        if (handle === null) {
          held.push(chunk)
          this.#heldBytes += chunk.byteLength
          if (size <= SMALL_FILE_BYTES && this.#heldBytes <= MEMORY_BUDGET_BYTES) continue
          path = join(this.#options.tmpDir, crypto.randomUUID())
          this.#paths.push(path)
          handle = await open(path, 'wx', 0o600)
          await writeAll(handle, Buffer.concat(held))
          this.#heldBytes -= size
          held = []
        } else await writeAll(handle, chunk)
      }
    } finally {
      await handle?.close()
    }
    return { size, path, bytes: bytesOf(path, path === null ? Buffer.concat(held) : null) }
  }

  #count(kind: 'files' | 'zips', bytes: number): void {
    const { maxBytes, maxZipBytes = maxBytes } = this.#options
    const mostBytes = kind === 'zips' ? maxZipBytes : maxBytes
    this.#receivedBytes[kind] += bytes
    if (this.#receivedBytes[kind] > mostBytes) throw uploadTooLarge(mostBytes)
  }

  /** Removes the temporary files; a file that was linked elsewhere keeps its other name. */
  async dispose(): Promise<void> {
    await Promise.all(this.#paths.map((path) => rm(path, { force: true })))
  }
}

/** Whether a file begins like a ZIP; its name is ignored. */
export function isZip(head: Uint8Array): boolean {
  return head[0] === 0x50 && head[1] === 0x4b
}

/** Repeats writing, since a file handle may write less than it was given. */
async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let offset = 0; offset < bytes.byteLength; ) {
    offset += (await handle.write(bytes, offset, bytes.byteLength - offset)).bytesWritten
  }
}

function bytesOf(path: string | null, bytes: Uint8Array | null): () => Promise<Uint8Array> {
  return async () => {
    if (bytes !== null) return bytes
    return path === null ? new Uint8Array(0) : await Bun.file(path).bytes()
  }
}
