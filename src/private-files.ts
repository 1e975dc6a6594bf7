import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { chmod, lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'

/** What is written into DATA_DIR; whatever else lies there belongs to somebody else. */
const OWN = /^(harrier\.sqlite(-wal|-shm)?|jwt-secret(\.new)?|lock|reserve|files|found|tiles|tmp|web)$/
const FOLDER_MODE = 0o700
const FILE_MODE = 0o600
const STICKY = 0o1000

/**
 * Takes DATA_DIR away from all other users of the machine, and the files right in it, as they may have been made before, by
 * hand or by a copy. What SQLite makes beside a database gets the mode of the database. One that many programs share, as
 * its sticky bit tells, stays open itself.
 * @throws Error of the system, where a file system has no modes or the folder has another owner
 */
export function closeFolder(dataDir: string): void {
  const { mode } = lstatSync(dataDir)
  if ((mode & STICKY) === 0) chmodSync(dataDir, FOLDER_MODE)
  for (const name of readdirSync(dataDir).filter((entry) => OWN.test(entry))) {
    const path = join(dataDir, name)
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found?.isDirectory()) chmodSync(path, FOLDER_MODE)
    else if (found?.isFile()) chmodSync(path, FILE_MODE)
  }
}

/**
 * The same with everything below, which may be many thousand files and is not waited for: the folder above is closed.
 * @throws Error of the system
 */
export async function closeFiles(dataDir: string): Promise<void> {
  for (const name of readdirSync(dataDir).filter((entry) => OWN.test(entry))) {
    if (lstatSync(join(dataDir, name), { throwIfNoEntry: false })?.isDirectory()) await closeBelow(join(dataDir, name))
  }
}

/** What lies in a folder. Links are not followed. What is gone meanwhile, such as the file of an upload, needs nothing. */
export async function closeBelow(folder: string): Promise<void> {
  const entries = await unlessGone(opendir(folder))
  for await (const entry of entries ?? []) {
    const path = join(folder, entry.name)
    if (!entry.isDirectory() && !entry.isFile()) continue
    const mode = entry.isDirectory() ? FOLDER_MODE : FILE_MODE
    const found = await unlessGone(lstat(path))
    if (found !== null && (found.mode & 0o7777) !== mode) await unlessGone(chmod(path, mode))
    if (entry.isDirectory()) await closeBelow(path)
  }
}

/** null: there is no such file any more. */
async function unlessGone<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
