import { constants } from 'node:fs'
import { access, lstat, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../../base/errors.ts'
import { paced } from '../../base/pace.ts'
import type { Deps } from '../../library/deps.ts'
import { fileAt, misnamedIn, type SeenFile } from './files.ts'
import { isLookedAt, isWalked, MOST_DEPTH } from './names.ts'

type FolderWord = 'watching' | 'unreachable' | 'unreadable'

export interface FolderState {
  /** As configured. */
  readonly path: string
  readonly state: FolderWord
  /** Unix milliseconds since when it is in this state. */
  readonly since: number
  /** Folders within it that cannot be read, at most `MOST_TOLD`. */
  readonly unreadable: readonly string[]
}

/** One of the watched folders, with the state that is kept between scans. */
interface WatchedFolder {
  readonly path: string
  state(): FolderState
  isThere(): boolean
  /** Its files and folders whose names are not UTF-8. */
  misnamed(): readonly SeenFile[]
  /**
   * Yields its files in groups, without those that cannot be read; nothing when the whole cannot be reached.
   * @param isFull false: folders whose time has not changed are skipped
   * @param isKnown files of it were seen before, so an empty folder may mean that it is not mounted
   */
  walk(isFull: boolean, isKnown: boolean): AsyncGenerator<readonly SeenFile[]>
}

interface Listing {
  readonly modifiedAt: number
  readonly listedAt: number
  /** Its time was the same in an earlier scan, long enough ago that any change since would have changed it. */
  readonly isSure: boolean
  /** Paths below the watched folder. */
  readonly folders: readonly string[]
  readonly misnamed: readonly SeenFile[]
}

/** Failed scans in a row before the state changes, since mounts come and go. */
const FAILED_LOOKS = 3
/** Files examined at once; between two such groups other work runs. */
const AT_ONCE = 128
const FOLDERS_AT_ONCE = 8
const A_PIECE = 512
/** Resolution of folder times on some file systems. */
const COARSE_MS = 2500
/** After this time without an answer a mount counts as unreachable. */
const PATIENCE_MS = 20_000
const MOST_LISTED = 20

export function watchedFolder(deps: Pick<Deps, 'now' | 'after' | 'log'>, path: string): WatchedFolder {
  const { now, log } = deps
  const listings = new Map<string, Listing>()
  const unreadable = new Set<string>()
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
  const forget = (folder: string) => {
    for (const known of listings.keys()) {
      if (known === folder || known.startsWith(`${folder}/`)) listings.delete(known)
    }
  }
  const changed = async (): Promise<string[]> => {
    const found: string[] = []
    for (const some of pieces([...listings], AT_ONCE)) {
      const times = await Promise.all(some.map(([folder]) => modifiedAt(join(path, folder))))
      for (const [place, [folder, { modifiedAt: before, isSure }]] of some.entries()) {
        if (times[place] === null) forget(folder)
        else if (!isSure || times[place] !== before) found.push(folder)
      }
    }
    return found
  }
  const list = async (folder: string): Promise<Listing & { readonly files: readonly string[] }> => {
    const time = await modifiedAt(join(path, folder))
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
    const isSame = before !== undefined && before.modifiedAt === time
    const listedAt = isSame ? before.listedAt : now()
    return {
      // neighbours of the index lie together: a commit writes a few of its pages instead of one for each name
      files: files.sort(),
      folders,
      misnamed: hasMisnamed ? await misnamedIn(path, folder) : [],
      modifiedAt: time ?? Number.NaN,
      listedAt,
      isSure: isSame && (before.isSure || now() - listedAt >= COARSE_MS),
    }
  }
  /** @returns its files, none when it cannot be read, which is noted; subfolders to examine are added to `waiting` */
  const listed = async (folder: string, waiting: string[], isFull: boolean): Promise<readonly string[]> => {
    try {
      const { files, ...listing } = await list(folder)
      for (const gone of listings.get(folder)?.folders ?? []) if (!listing.folders.includes(gone)) forget(gone)
      waiting.push(...listing.folders.filter((name) => isFull || !listings.has(name)))
      listings.set(folder, listing)
      unreadable.delete(folder)
      return files
    } catch (error) {
      listings.delete(folder)
      if (codeOf(error) === 'ENOENT') return []
      if (!unreadable.has(folder)) log.warn(`A folder in the watch folder cannot be read: ${folder}`)
      unreadable.add(folder)
      return []
    }
  }

  const misnamed = () => [...listings.values()].flatMap((listing) => listing.misnamed)

  return {
    path,
    state: () => ({ path, ...stated, unreadable: [...unreadable].slice(0, MOST_LISTED) }),
    isThere: () => failed === null,
    misnamed,
    walk: async function* (isFull, isKnown) {
      if (!(await rootIsThere(isKnown))) return
      const isAll = isFull || !listings.has('')
      const waiting = isAll ? [''] : await changed()
      // files of several small folders form one group
      let names: string[] = []
      while (waiting.length > 0) {
        const some = waiting.splice(-FOLDERS_AT_ONCE)
        names = names.concat(...(await Promise.all(some.map((name) => listed(name, waiting, isAll)))))
        while (names.length >= (waiting.length > 0 ? A_PIECE : 1)) {
          yield await seenFiles(path, names.splice(0, A_PIECE))
        }
      }
      yield misnamed()
    },
  }
}

/** Those that are files and not empty. */
async function seenFiles(path: string, names: readonly string[]): Promise<SeenFile[]> {
  const seen: SeenFile[] = []
  for (const some of pieces(names, AT_ONCE)) {
    const states = await Promise.all(some.map((name) => fileAt(path, name).catch(() => null)))
    for (const [place, name] of some.entries()) {
      const state = states[place]
      if (state && state.size > 0) seen.push({ name, size: state.size, modifiedAt: state.modifiedAt })
    }
  }
  return seen
}

/** null: it does not exist or cannot be accessed. */
async function modifiedAt(path: string): Promise<number | null> {
  const found = await stat(path).catch(() => null)
  return found === null ? null : found.mtimeMs
}

async function isFolderAt(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isDirectory() === true
}

function pieces<T>(all: readonly T[], length: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / length) }, (_, at) => all.slice(at * length, (at + 1) * length))
}
