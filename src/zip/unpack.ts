import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ZipArchive, ZipEntry } from './reader.ts'

interface UnpackOptions {
  readonly tmpDir: string
  readonly maxBytes: number
  /** Examines the first bytes of a long entry; an error that it throws ends the unpacking. */
  readonly head?: HeadCheck | undefined
}

/** A check of the first bytes of an entry, and how many of them it needs. */
export interface HeadCheck {
  readonly bytes: number
  readonly expect: (head: Uint8Array) => void
}

/**
 * Unpacks one entry to a temporary file, which the caller removes. @returns its path
 * @throws ZipError when it cannot be read or is too large, and errors of `head`; no file remains then
 */
export async function unpacked(zip: ZipArchive, entry: ZipEntry, options: UnpackOptions): Promise<string> {
  const path = join(options.tmpDir, crypto.randomUUID())
  const handle = await open(path, 'wx', 0o600)
  try {
    await writeEntry(handle, zip.read(entry, options), options.head)
    return path
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await handle.close()
  }
}

export function baseName({ name }: Pick<ZipEntry, 'name'>): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

async function writeEntry(
  handle: FileHandle,
  pieces: AsyncIterable<Uint8Array>,
  head: HeadCheck | undefined,
): Promise<void> {
  let first: Uint8Array[] | null = head === undefined ? null : []
  let size = 0
  for await (const piece of pieces) {
    size += piece.length
    first?.push(piece)
    if (first !== null && head !== undefined && size >= head.bytes) {
      head.expect(Buffer.concat(first).subarray(0, head.bytes))
      first = null
    }
    for (let at = 0; at < piece.length; ) at += (await handle.write(piece, at, piece.length - at)).bytesWritten
  }
}
