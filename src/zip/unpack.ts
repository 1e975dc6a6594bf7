import { open, rm } from 'node:fs/promises'
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
  const { tmpDir, maxBytes, head } = options
  const path = join(tmpDir, crypto.randomUUID())
  const file = await open(path, 'wx', 0o600)
  try {
    const isWithin = head !== undefined && entry.size >= head.bytes && entry.size <= maxBytes
    if (isWithin) head.expect(await zip.head(entry, head.bytes))
    // on a full disk the file system takes a part, and writeFile would leave it at that
    for await (const piece of zip.read(entry, { maxBytes })) {
      for (let at = 0; at < piece.length; ) at += (await file.write(piece, at, piece.length - at)).bytesWritten
    }
    return path
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

export function baseName({ name }: Pick<ZipEntry, 'name'>): string {
  return name.slice(name.lastIndexOf('/') + 1)
}
