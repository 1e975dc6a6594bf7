import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ZipArchive, ZipEntry } from './reader.ts'

/**
 * Unpacks one entry to a temporary file, which the caller removes. @returns its path
 * @throws ZipError when it cannot be read or is too large; no file remains then
 */
export async function unpacked(
  zip: ZipArchive,
  entry: ZipEntry,
  { tmpDir, maxBytes }: { readonly tmpDir: string; readonly maxBytes: number },
): Promise<string> {
  const path = join(tmpDir, crypto.randomUUID())
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const piece of zip.read(entry, { maxBytes })) await writeWhole(file, piece)
    return path
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

/** On a full disk the file system takes a part, and writeFile would leave it at that. */
export async function writeWhole(file: FileHandle, piece: Uint8Array): Promise<void> {
  for (let at = 0; at < piece.length; ) at += (await file.write(piece, at, piece.length - at)).bytesWritten
}

export function baseName({ name }: Pick<ZipEntry, 'name'>): string {
  return name.slice(name.lastIndexOf('/') + 1)
}
