import { isUtf8 } from 'node:buffer'
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readdir, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { codeOf } from '../../base/errors.ts'
import { isLookedAt, isWalked } from './names.ts'

export interface FileState extends Pick<SeenFile, 'size' | 'modifiedAt'> {
  /** Path of its bytes, with links resolved. */
  readonly path: string
}

export interface SeenFile {
  /** Path below the folder, with slashes. */
  readonly name: string
  readonly size: number
  /** Whole Unix milliseconds. */
  readonly modifiedAt: number
  /** Why it cannot be opened. */
  readonly fault?: string
}

/** Flags that keep reading harmless: the file is not changed, opening it does not block, and a link is not followed. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/**
 * The state of a file; null: it does not exist, is not a file, or is a link that leads out of the folder.
 * @throws errors of the system when it cannot be examined
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
 * Opens it for reading, if possible without changing its access time; null: it is no longer in the given state.
 * @throws errors of the system when it cannot be opened
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

export async function isStill(
  file: FileHandle,
  { size, modifiedAt }: Pick<FileState, 'size' | 'modifiedAt'>,
): Promise<boolean> {
  const found = await file.stat()
  return found.isFile() && found.size === size && Math.floor(found.mtimeMs) === modifiedAt
}

async function openWithoutTrace(path: string): Promise<FileHandle> {
  try {
    return await open(path, FLAGS | (constants.O_NOATIME ?? 0))
  } catch (error) {
    // only the owner of a file may open it without changing its access time
    if (codeOf(error) === 'EPERM') return await open(path, FLAGS)
    throw error
  }
}

function sizeAndTime({ size, mtimeMs }: { readonly size: number; readonly mtimeMs: number }) {
  return { size, modifiedAt: Math.floor(mtimeMs) }
}

/** Why a file or folder is listed whose name the runtime cannot pass on: it only knows names in UTF-8. */
export const MISNAMED = 'Its name is not UTF-8, so it cannot be opened; rename it'

/**
 * Those files and folders to look at in a folder whose names are not UTF-8.
 * @param folder below the watched folder `root`; empty: itself
 */
export async function misnamedIn(root: string, folder: string): Promise<SeenFile[]> {
  const found: SeenFile[] = []
  for (const bytes of await readdir(join(root, folder), { encoding: 'buffer' })) {
    if (isUtf8(bytes)) continue
    const state = await lstat(Buffer.concat([Buffer.from(`${join(root, folder)}/`), bytes])).catch(() => null)
    // other bytes than printable ASCII as \xE9, so that each name remains different
    const code = (byte: string) => `\\x${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
    const name = bytes.toString('latin1').replace(/[^ -~]/g, code)
    if (state !== null && (state.isDirectory() ? isWalked(name) : isLookedAt(name)))
      found.push({ name: folder === '' ? name : `${folder}/${name}`, ...sizeAndTime(state), fault: MISNAMED })
  }
  return found
}
