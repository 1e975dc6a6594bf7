import { link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

// Originals are DATA_DIR/files/raw/<workoutId>, byte for byte as uploaded; what was read out of one stands beside it as
// <workoutId>.json.zst. No user text is ever part of a path.

/** The original of a workout. */
export function rawFilePath(dataDir: string, workoutId: string): string {
  return join(dataDir, 'files', 'raw', workoutId)
}

/** zstd JSON of {rawGpxData, rawFitData, rawStravaData}. */
export function rawDataPath(dataDir: string, workoutId: string): string {
  return join(dataDir, 'files', 'raw', `${workoutId}.json.zst`)
}

/**
 * Puts bytes in place so that after a crash the file is either whole or absent.
 * @param path final place, on the file system of DATA_DIR
 */
export async function placeBytes(dataDir: string, path: string, bytes: Uint8Array): Promise<void> {
  const temporary = join(dataDir, 'tmp', crypto.randomUUID())
  const handle = await open(temporary, 'wx', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(temporary, path)
}

/** A second name for a file that is in place already: two workouts of one upload, or an upload's temporary file. */
export async function placeLink(existing: string, path: string): Promise<void> {
  await rm(path, { force: true })
  await link(existing, path)
}

/** Waits until the bytes of an uploaded temporary file are on the disk. */
export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Both files of a workout; a missing one is fine. */
export async function removeRawFiles(dataDir: string, workoutId: string): Promise<void> {
  await rm(rawFilePath(dataDir, workoutId), { force: true })
  await rm(rawDataPath(dataDir, workoutId), { force: true })
}

export async function makeRawFolder(dataDir: string): Promise<void> {
  await mkdir(join(dataDir, 'files', 'raw'), { recursive: true })
}

/**
 * Removes files that no workout knows, as a crash between file and row leaves them.
 * @param olderThanMs files changed since then may belong to an import at work and stay
 * @returns how many were removed
 */
export async function sweepRawFiles(
  dataDir: string,
  isWorkout: (id: string) => boolean,
  olderThanMs: number,
): Promise<number> {
  let removed = 0
  for (const name of await readdir(join(dataDir, 'files', 'raw')).catch(() => [])) {
    if (isWorkout(name.slice(0, 36))) continue
    const path = join(dataDir, 'files', 'raw', name)
    const { ctimeMs } = await stat(path).catch(() => ({ ctimeMs: Number.POSITIVE_INFINITY }))
    if (ctimeMs >= olderThanMs) continue
    await rm(path, { force: true })
    removed++
  }
  return removed
}
