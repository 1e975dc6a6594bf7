import { isUtf8 } from 'node:buffer'
import { constants } from 'node:fs'
import { access, lstat, readdir, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { codeOf } from '../../base/errors.ts'
import { paced } from '../../base/pace.ts'
import { FORMATS } from '../../formats/registry.ts'
import type { Deps } from '../../library/deps.ts'

type FolderWord = 'watching' | 'unreachable' | 'unreadable'

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
  readonly fault?: string
}

interface Listing {
  readonly modifiedAt: number
  readonly listedAt: number
  /** Its time was the same in an earlier scan, long enough ago that any change since would have changed it. */
  readonly isSure: boolean
  /** Paths below the watched folder. */
  readonly folders: readonly string[]
}

interface Visited {
  readonly listings: Map<string, Listing>
  readonly unreadable: Set<string>
}

const MOST_DEPTH = 8
/** Failed scans in a row before the state changes, since mounts come and go. */
const FAILED_LOOKS = 3
/** Files examined at once; between two such groups other work runs. */
const AT_ONCE = 128
/** Resolution of folder times on some file systems. */
const COARSE_MS = 2500
/** After this time without an answer a mount counts as unreachable. */
const PATIENCE_MS = 20_000
const MOST_LISTED = 20

export type WatchedFolder = ReturnType<typeof watchedFolder>

/** One of the watched folders, with the state that is kept between scans. */
export function watchedFolder(deps: Pick<Deps, 'now' | 'after' | 'log'>, path: string) {
  const { now, log } = deps
  let listings: ReadonlyMap<string, Listing> = new Map()
  let unreadable: ReadonlySet<string> = new Set()
  let stated: { state: FolderWord; since: number } = { state: 'watching', since: now() }
  let failed: { looks: number; since: number } | null = null
  /** Device and inode of the folder; the empty folder below an unmounted mount point has others. */
  let identity: string | null = null
  let stuck = false

  /** Limits the wait for a mount, which may hang forever; meanwhile it is not accessed again. */
  const patiently = async <T>(work: () => Promise<T>): Promise<T> => {
    if (stuck) throw new Error('it does not respond')
    stuck = true
    const working = work().finally(() => {
      stuck = false
    })
    return await new Promise<T>((resolve, reject) => {
      const stop = deps.after(PATIENCE_MS, () => reject(new Error('it does not respond')))
      working.then(resolve, reject).finally(stop)
    })
  }

  const rootIsThere = async (isKnown: boolean): Promise<boolean> => {
    let [state, why]: [FolderWord, string] = ['watching', '']
    try {
      identity = await patiently(async () => {
        const { dev, ino } = await stat(path)
        await access(path, constants.R_OK | constants.X_OK)
        const here = `${dev}:${ino}`
        // a folder of many files is not listed twice in every scan
        const isOther = isKnown && identity !== here
        if (isOther && (await readdir(path)).length === 0) throw new Error('it is empty')
        return here
      })
      failed = null
    } catch (error) {
      const code = codeOf(error)
      failed = { looks: (failed?.looks ?? 0) + 1, since: failed?.since ?? now() }
      const isRefused = code === 'EACCES' || code === 'EPERM'
      // a folder that was never reached, or that refuses access, is not a mount that is briefly away
      if (!isRefused && identity !== null && failed.looks < FAILED_LOOKS) return false
      ;[state, why] = [isRefused ? 'unreadable' : 'unreachable', String(code ?? (error as Error).message)]
    }
    if (stated.state !== state) {
      stated = { state, since: failed?.since ?? now() }
      if (state === 'watching') log.info(`The watch folder ${path} can be read again`)
      else log.warn(`The watch folder ${path} cannot be ${state === 'unreadable' ? 'read' : 'reached'} (${why})`)
    }
    return failed === null
  }
  const listed = async (folder: string, time: number) => {
    const entries = await readdir(join(path, folder), { withFileTypes: true })
    const depth = folder === '' ? 0 : folder.split('/').length
    const files: string[] = []
    const folders: string[] = []
    for await (const entry of paced(entries)) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`
      // some file systems do not state the type of an entry
      const isNamed = entry.isFile() || entry.isSymbolicLink() || entry.isDirectory()
      const isFolder = entry.isDirectory() || (!isNamed && (await isFolderAt(join(path, name))))
      if (!isFolder) {
        if (isLookedAt(entry.name)) files.push(name)
      } else if (isWalked(entry.name) && depth < MOST_DEPTH) folders.push(name)
    }
    // the runtime puts this character for bytes that are not UTF-8; few names have it themselves
    const hasMisnamed = entries.some(({ name }) => name.includes('\ufffd'))
    const before = listings.get(folder)
    const isSame = before?.modifiedAt === time
    const listedAt = isSame ? before.listedAt : now()
    return {
      listing: {
        ...{ folders, modifiedAt: time, listedAt },
        isSure: isSame && (before.isSure || now() - listedAt >= COARSE_MS),
      },
      // neighbours of the index lie together: a commit writes a few of its pages instead of one for each name
      files: files.sort(),
      misnamed: hasMisnamed ? await misnamedIn(path, folder) : [],
    }
  }
  /** The files of a folder and those within it, in groups; what was visited is noted. */
  async function* walked(folder: string, isFull: boolean, visited: Visited): AsyncGenerator<readonly SeenFile[]> {
    const time = (await stat(join(path, folder)).catch(() => null))?.mtimeMs ?? Number.NaN
    let listing = listings.get(folder)
    if (isFull || listing === undefined || !listing.isSure || listing.modifiedAt !== time) {
      try {
        const found = await listed(folder, time)
        listing = found.listing
        for (let at = 0; at < found.files.length; at += AT_ONCE) {
          yield await seenFiles(path, found.files.slice(at, at + AT_ONCE))
        }
        if (found.misnamed.length > 0) yield found.misnamed
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return
        if (!unreadable.has(folder)) log.warn(`A folder in the watch folder cannot be read: ${folder}`)
        visited.unreadable.add(folder)
        return
      }
    }
    visited.listings.set(folder, listing)
    for (const name of listing.folders) yield* walked(name, isFull, visited)
  }

  return {
    path,
    state: () => ({
      path,
      /** `since`: Unix milliseconds since when it is in this state. */
      ...stated,
      /** Folders within it that cannot be read. */
      unreadable: [...unreadable].slice(0, MOST_LISTED),
    }),
    isThere: () => failed === null,
    /**
     * Yields its files in groups, without those that cannot be read; nothing when the whole cannot be reached.
     * @param isFull false: folders whose time has not changed are skipped
     * @param isKnown files of it were seen before, so an empty folder may mean that it is not mounted
     */
    walk: async function* (isFull: boolean, isKnown: boolean): AsyncGenerator<readonly SeenFile[]> {
      if (!(await rootIsThere(isKnown))) return
      const visited: Visited = { listings: new Map(), unreadable: new Set() }
      yield* walked('', isFull, visited)
      listings = visited.listings
      unreadable = visited.unreadable
    },
  }
}

async function seenFiles(folder: string, names: readonly string[]): Promise<SeenFile[]> {
  const states = await Promise.all(names.map((name) => fileAt(folder, name).catch(() => null)))
  return states.flatMap((state, k) => (state === null || state.size === 0 ? [] : [{ ...state, name: names[k]! }]))
}

async function isFolderAt(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isDirectory() === true
}

/** Main extensions, which the formats' own programs write; not every .txt in a folder is meant for this program. */
const ENDINGS = new Set([...FORMATS.flatMap(({ extensions }) => extensions.slice(0, 1)), 'json', 'zip'])
const FILES = new RegExp(`\\.(?:${[...ENDINGS].join('|')})(?:\\.gz)?$`, 'i')
/** Names of files that other programs are still writing. */
const UNFINISHED = /\.(?:part|partial|tmp|temp|crdownload|download|filepart)$/i
/** System folders of Synology and Windows: copies, thumbnails and recycle bins. */
const NO_FOLDERS: readonly string[] = ['@eaDir', '#recycle', '$RECYCLE.BIN', 'System Volume Information']

/** Whether a file with this name is examined. @param name without its folders */
function isLookedAt(name: string): boolean {
  return !isHidden(name) && !UNFINISHED.test(name) && FILES.test(name)
}

function isWalked(name: string): boolean {
  return !isHidden(name) && !NO_FOLDERS.includes(name)
}

/** Hidden files, backup copies of editors, and internal files of Syncthing and trash folders. */
function isHidden(name: string): boolean {
  return name.startsWith('.') || name.startsWith('~')
}

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

function sizeAndTime({ size, mtimeMs }: { readonly size: number; readonly mtimeMs: number }) {
  return { size, modifiedAt: Math.floor(mtimeMs) }
}

/** Why a file or folder is listed whose name the runtime cannot pass on: it only knows names in UTF-8. */
export const MISNAMED = 'Its name is not UTF-8, so it cannot be opened; rename it'

/**
 * Those files and folders to look at in a folder whose names are not UTF-8.
 * @param folder below the watched folder `root`; empty: itself
 */
async function misnamedIn(root: string, folder: string): Promise<SeenFile[]> {
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
