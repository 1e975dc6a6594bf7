import { link, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

// Originals are DATA_DIR/files/raw/<recordingId>, byte for byte as uploaded; what was read out of one stands beside it as
// <recordingId>.json.zst. No user text is ever part of a path.

export function rawFolder(dataDir: string): string {
  return join(dataDir, 'files', 'raw')
}

/** The original of a recording. @param storedAs as its row says */
export function rawFilePath(dataDir: string, storedAs: string): string {
  return join(rawFolder(dataDir), storedAs)
}

/** zstd JSON of {rawGpxData, rawFitData, rawStravaData}. */
export function rawDataPath(dataDir: string, recordingId: string): string {
  return join(rawFolder(dataDir), `${recordingId}.json.zst`)
}

/**
 * Puts bytes in place so that after a crash the file is either whole or absent; when this returns, bytes and name are on
 * the disk. A failure, such as a full disk, leaves nothing.
 * @param path final place, on the file system of DATA_DIR
 */
export async function placeBytes(dataDir: string, path: string, bytes: Uint8Array): Promise<void> {
  const temporary = await temporaryFile(dataDir, bytes)
  try {
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncFile(dirname(path))
}

/**
 * Bytes as a temporary file, on the disk.
 * @returns its path; the caller moves or removes it. A failure leaves nothing
 */
export async function temporaryFile(dataDir: string, bytes: Uint8Array): Promise<string> {
  const path = join(dataDir, 'tmp', crypto.randomUUID())
  const handle = await open(path, 'wx', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await handle.close()
  }
  return path
}

/** A second name for a file that is in place already: two recordings of one upload, or an upload's temporary file. */
export async function placeLink(existing: string, path: string): Promise<void> {
  await rm(path, { force: true })
  await link(existing, path)
}

/** Waits until the bytes of a file, or the names in a folder, are on the disk. */
export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Both files of a recording; a missing one is fine. */
export async function removeRawFiles(dataDir: string, recordingId: string): Promise<void> {
  await rm(rawFilePath(dataDir, recordingId), { force: true })
  await rm(rawDataPath(dataDir, recordingId), { force: true })
}

export async function makeRawFolder(dataDir: string): Promise<void> {
  await mkdir(rawFolder(dataDir), { recursive: true })
}
