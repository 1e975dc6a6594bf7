import { existsSync } from 'node:fs'
import { link, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeOf } from '../../base/errors.ts'
import type { FileType } from '../../db/stored.ts'
import { writeWhole } from '../../zip/unpack.ts'

// Originals are DATA_DIR/files/raw/<recordingId>, byte for byte as uploaded; raw data that cannot be parsed from them
// is next to them as <recordingId>.json.zst. Photos and videos are DATA_DIR/files/media/<mediaId>; their paths are
// defined here because deleting a workout deletes its media. User text is never part of a path.

export function rawFolder(dataDir: string): string {
  return join(dataDir, 'files', 'raw')
}

/** Path of the original of a recording. @param storedAs file name in its row */
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

export function mediaFilePath(dataDir: string, mediaId: string): string {
  return join(mediaFolder(dataDir), mediaId)
}

/**
 * Writes bytes to their final place so that after a crash the file is either complete or absent; when this returns,
 * bytes and name are on the disk. A failure, such as a full disk, leaves nothing.
 * @param path final place, on the file system of DATA_DIR
 */
export async function placeBytes(dataDir: string, path: string, bytes: Uint8Array): Promise<void> {
  await moveBytes(dataDir, path, bytes)
  await syncFile(dirname(path))
}

/** As `placeBytes`, without syncing the folder: the name is on the disk once the folder is synced. */
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
 * Writes bytes to a temporary file and syncs them.
 * @returns its path; the caller moves or removes it. A failure leaves nothing
 */
export async function temporaryFile(dataDir: string, bytes: Uint8Array): Promise<string> {
  const path = join(dataDir, 'tmp', crypto.randomUUID())
  const handle = await open(path, 'wx', 0o600)
  try {
    await writeWhole(handle, bytes)
    await handle.sync()
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await handle.close()
  }
  return path
}

/**
 * Gives another name (hard link) to an existing file: for the recordings of one upload, or an upload's temporary file. A
 * file has at most 10,000 runs, so no more names; ext4 allows 65,000, other file systems of Linux more.
 */
export async function placeLink(existing: string, path: string): Promise<void> {
  try {
    await link(existing, path)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    await rm(path, { force: true })
    await link(existing, path)
  }
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

/** Creates a folder below DATA_DIR and its missing parents; when this returns, their names are on the disk. */
async function makeFolder(dataDir: string, folder: string): Promise<void> {
  if (existsSync(folder)) return
  const made = await mkdir(folder, { recursive: true })
  if (made === undefined) return
  for (let path = folder; path !== dataDir && path !== dirname(path); ) {
    path = dirname(path)
    await syncFile(path)
  }
}

export async function makeMediaFolder(dataDir: string): Promise<void> {
  await makeFolder(dataDir, mediaFolder(dataDir))
}

export interface Original {
  readonly name: string
  readonly type: FileType
  /** SHA-256 of the unpacked bytes. */
  readonly sha256: string
  readonly session: number
  /** A file on the file system of DATA_DIR, which gets a second name. */
  readonly path: string | Promise<string>
  /** Its bytes are on the disk when `path` is known, so that only the new name has to be synced. */
  readonly isSynced?: boolean
}

export interface RunFiles {
  readonly id: string
  /** null: the recording has no original. */
  readonly original: Pick<Original, 'path' | 'isSynced'> | null
  /** Raw data that cannot be parsed from the original, zstd compressed JSON. */
  readonly rawData: Uint8Array | null
}

/**
 * Writes the files of new recordings to their final places and syncs them, with one sync of the folder for all names;
 * the names must be new. Files of one group are written concurrently, since a file system syncs several pending writes
 * at once.
 * @param groups the files of one group are placed or fail together
 * @returns for each group the error; undefined: none. Files that a failed group has placed remain
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
  if (original !== null) await placeOriginal(original, rawFilePath(dataDir, id))
  if (rawData !== null) await moveBytes(dataDir, rawDataPath(dataDir, id), rawData)
}

async function placeOriginal({ path, isSynced }: NonNullable<RunFiles['original']>, place: string): Promise<void> {
  await placeLink(await path, place)
  if (isSynced === true) return
  const handle = await open(place, 'r')
  try {
    // the bytes only; the new name is synced with its folder
    await handle.datasync()
  } finally {
    await handle.close()
  }
}
