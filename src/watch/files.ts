import { constants } from 'node:fs'
import { type FileHandle, lstat, open, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'

/** A file as the file system tells of it. */
export interface FileState {
  /** Where its bytes are: a link leads there. */
  readonly path: string
  readonly size: number
  /** Unix milliseconds, whole ones. */
  readonly modifiedAt: number
}

/** A file of a watched folder as a look saw it. */
export interface SeenFile {
  /** Below the folder, with slashes. */
  readonly name: string
  readonly size: number
  readonly modifiedAt: number
}

/** What no reading may cost: that somebody else's file is changed, waited for, or found somewhere else. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/**
 * A file below a watched folder.
 * @returns null: it is not there, is no file, or is a link that leads out of the folder
 * @throws what the system says of one that cannot be looked at
 */
export async function fileAt(folder: string, name: string): Promise<FileState | null> {
  const path = join(folder, name)
  try {
    const found = await lstat(path)
    if (found.isFile()) return { path, ...sizeAndTime(found) }
    if (!found.isSymbolicLink()) return null
    const target = await realpath(path)
    if (!target.startsWith(`${await realpath(folder)}${sep}`)) return null
    const linked = await stat(target)
    return linked.isFile() ? { path: target, ...sizeAndTime(linked) } : null
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR' || codeOf(error) === 'ELOOP') return null
    throw error
  }
}

/**
 * Opens it for reading, and leaves no trace of that where the system can do so: the time of the last reading stays.
 * @returns null: it is not what was seen any more
 * @throws what the system says of one that cannot be opened
 */
export async function openSeen({ path, size, modifiedAt }: FileState): Promise<FileHandle | null> {
  const file = await openWithoutTrace(path)
  try {
    if (await isStill(file, { size, modifiedAt })) return file
  } catch (error) {
    await file.close()
    throw error
  }
  await file.close()
  return null
}

/** Whether an open file has the size and the time that were seen. */
export async function isStill(
  file: FileHandle,
  { size, modifiedAt }: Pick<FileState, 'size' | 'modifiedAt'>,
): Promise<boolean> {
  const found = await file.stat()
  return found.isFile() && found.size === size && Math.floor(found.mtimeMs) === modifiedAt
}

/** The word of the system for what went wrong, such as `EACCES`; undefined: it was not the system. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

async function openWithoutTrace(path: string): Promise<FileHandle> {
  try {
    return await open(path, FLAGS | (constants.O_NOATIME ?? 0))
  } catch (error) {
    // only who owns a file may read it without a trace
    if (codeOf(error) === 'EPERM') return await open(path, FLAGS)
    throw error
  }
}

function sizeAndTime({ size, mtimeMs }: { readonly size: number; readonly mtimeMs: number }) {
  return { size, modifiedAt: Math.floor(mtimeMs) }
}
