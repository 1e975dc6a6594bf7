import { existsSync } from 'node:fs'
import { link, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FileType } from '../../db/stored.ts'

// Originals are DATA_DIR/files/raw/<recordingId>, byte for byte as uploaded; raw data that they do not give stands beside
// them as <recordingId>.json.zst. Photos and videos are DATA_DIR/files/media/<mediaId>: they stand here since deleting a workout
// takes its media along. No user text is ever part of a path.

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

export function mediaFolder(dataDir: string): string {
  return join(dataDir, 'files', 'media')
}

/** The bytes of one photo or video. */
export function mediaFilePath(dataDir: string, mediaId: string): string {
  return join(mediaFolder(dataDir), mediaId)
}

/**
 * Puts bytes in place so that after a crash the file is either whole or absent; when this returns, bytes and name are on
 * the disk. A failure, such as a full disk, leaves nothing.
 * @param path final place, on the file system of DATA_DIR
 */
export async function placeBytes(dataDir: string, path: string, bytes: Uint8Array): Promise<void> {
  await moveBytes(dataDir, path, bytes)
  await syncFile(dirname(path))
}

/** The same without the name, which is on the disk when its folder is. */
async function moveBytes(dataDir: string, path: string, bytes: Uint8Array): Promise<void> {
  const temporary = await temporaryFile(dataDir, bytes)
  try {
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
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
  try {
    await link(existing, path)
  } catch (error) {
    if (!isTaken(error)) throw error
    await rm(path, { force: true })
    await link(existing, path)
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
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

/** A folder below DATA_DIR; when this returns, its name is on the disk, as are those of the folders made for it. */
async function makeFolder(dataDir: string, folder: string): Promise<void> {
  if (existsSync(folder)) return
  const made = await mkdir(folder, { recursive: true })
  if (made === undefined) return
  for (let path = folder; path !== dataDir && path !== dirname(path); ) {
    path = dirname(path)
    await syncFile(path)
  }
}

/** Both files of a recording that nothing names; a missing one is fine. */
export async function removeRawFiles(dataDir: string, recordingId: string): Promise<void> {
  await rm(rawFilePath(dataDir, recordingId), { force: true })
  await rm(rawDataPath(dataDir, recordingId), { force: true })
}

export async function makeMediaFolder(dataDir: string): Promise<void> {
  await makeFolder(dataDir, mediaFolder(dataDir))
}

/** The file a run was read out of. */
export interface Original {
  readonly name: string
  readonly type: FileType
  /** SHA-256 of the unpacked bytes. */
  readonly sha256: string
  /** Place of the run in the file. */
  readonly session: number
  /** Of a file on the file system of DATA_DIR, which gets a second name. */
  readonly path: string | Promise<string>
}

export interface RunFiles {
  readonly id: string
  /** null: it came without one. */
  readonly original: Pick<Original, 'path'> | null
  /** Raw data that the original does not give, zstd of JSON. */
  readonly rawData: Uint8Array | null
}

/**
 * The files of new recordings, in their places and on the disk, all names with one look at their folder; the names are
 * nobody else's. Those of one group at once: a file system writes what many wait for in one go.
 * @param groups those of one group are placed or fail together
 * @returns of each group what went wrong; undefined: nothing. What a failed one has placed stays behind
 */
export async function placeRunFiles(dataDir: string, groups: readonly (readonly RunFiles[])[]): Promise<unknown[]> {
  const named = groups.map((files) => files.filter(({ original, rawData }) => original !== null || rawData !== null))
  if (named.every((files) => files.length === 0)) return groups.map(() => undefined)
  const folder = rawFolder(dataDir)
  try {
    await makeFolder(dataDir, folder)
    const placed = await Promise.allSettled(
      named.map(async (files) => {
        for (const file of files) await placeOne(dataDir, file)
      }),
    )
    await syncFile(folder)
    return placed.map((result) => (result.status === 'rejected' ? result.reason : undefined))
  } catch (error) {
    return named.map((files) => (files.length === 0 ? undefined : error))
  }
}

async function placeOne(dataDir: string, { id, original, rawData }: RunFiles): Promise<void> {
  if (original !== null) await placeOriginal(await original.path, rawFilePath(dataDir, id))
  if (rawData !== null) await moveBytes(dataDir, rawDataPath(dataDir, id), rawData)
}

async function placeOriginal(existing: string, path: string): Promise<void> {
  await placeLink(existing, path)
  const handle = await open(path, 'r')
  try {
    // its bytes; the second name is its folder's
    await handle.datasync()
  } finally {
    await handle.close()
  }
}
