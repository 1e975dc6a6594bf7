import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isGzip } from '../formats/gzip.ts'
import { detectFormat, HEAD_BYTES, unknownContent } from '../formats/registry.ts'
import type { ZipArchive, ZipEntry } from '../zip/reader.ts'

export interface UnpackOptions {
  readonly tmpDir: string
  readonly maxBytes: number
  /** The head must be that of a workout file or of a gzip: anything else ends the work there. */
  readonly isWorkout: boolean
}

/**
 * One entry as a temporary file, piece by piece.
 * @returns its path; the caller removes it
 * @throws ZipError when it cannot be read or is too large, FormatError when it is no workout; nothing is left behind then
 */
export async function unpacked(zip: ZipArchive, entry: ZipEntry, options: UnpackOptions): Promise<string> {
  const path = join(options.tmpDir, crypto.randomUUID())
  const handle = await open(path, 'wx', 0o600)
  try {
    await writeEntry(handle, zip.read(entry, options), options.isWorkout ? entry.name : null)
    return path
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await handle.close()
  }
}

/** The last segment of an entry's name. */
export function baseName({ name }: Pick<ZipEntry, 'name'>): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

async function writeEntry(
  handle: FileHandle,
  pieces: AsyncIterable<Uint8Array>,
  workout: string | null,
): Promise<void> {
  let head: Uint8Array[] | null = workout === null ? null : []
  let size = 0
  for await (const piece of pieces) {
    size += piece.length
    head?.push(piece)
    if (head !== null && size >= HEAD_BYTES) {
      expectWorkout(Buffer.concat(head).subarray(0, HEAD_BYTES), workout ?? '')
      head = null
    }
    for (let at = 0; at < piece.length; ) at += (await handle.write(piece, at, piece.length - at)).bytesWritten
  }
}

function expectWorkout(head: Uint8Array, name: string): void {
  if (!isGzip(head) && detectFormat(head, name) === null) throw unknownContent(head)
}
