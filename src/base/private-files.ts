import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { chmod, lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from './errors.ts'

/** Names that this program writes into DATA_DIR; other files there are left alone. */
const OWN = /^(harrier\.sqlite(-wal|-shm)?|jwt-secret(\.new)?|backup|lock|files|found|tiles|tmp|web)$/
const FOLDER_MODE = 0o700
const FILE_MODE = 0o600
const STICKY = 0o1000

/**
 * Removes access to DATA_DIR, and to the files directly in it, from all other users of the machine, since they may have
 * been created by hand or by copying. Files that SQLite creates next to a database get the mode of the database. A
 * folder shared by many programs, recognised by its sticky bit, keeps its mode.
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
 * As `closeFolder`, for everything below. That may be thousands of files and can run in the background, since the
 * folder above is closed already.
 * @throws Error of the system
 */
export async function closeFiles(dataDir: string): Promise<void> {
  for (const name of readdirSync(dataDir).filter((entry) => OWN.test(entry))) {
    if (lstatSync(join(dataDir, name), { throwIfNoEntry: false })?.isDirectory()) await closeBelow(join(dataDir, name))
  }
}

/**
 * Closes the content of a folder. Links are not followed. Files that vanish meanwhile, such as those of an upload, are
 * ignored.
 */
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

/** null: the file no longer exists. */
async function unlessGone<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}
