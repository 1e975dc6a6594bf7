import { FORMATS } from '../../formats/registry.ts'
export const MOST_DEPTH = 8

/** Main extensions, which the formats' own programs write; not every .txt in a folder is meant for this program. */
const ENDINGS = new Set([...FORMATS.flatMap(({ extensions }) => extensions.slice(0, 1)), 'json', 'zip'])
const FILES = new RegExp(`\\.(?:${[...ENDINGS].join('|')})(?:\\.gz)?$`, 'i')
/** Names of files that other programs are still writing. */
const UNFINISHED = /\.(?:part|partial|tmp|temp|crdownload|download|filepart)$/i
/** System folders of Synology and Windows: copies, thumbnails and recycle bins. */
const NO_FOLDERS: readonly string[] = ['@eaDir', '#recycle', '$RECYCLE.BIN', 'System Volume Information']

/** Whether a file with this name is examined. @param name without its folders */
export function isLookedAt(name: string): boolean {
  return !isHidden(name) && !UNFINISHED.test(name) && FILES.test(name)
}

export function isWalked(name: string): boolean {
  return !isHidden(name) && !NO_FOLDERS.includes(name)
}

/** Hidden files, backup copies of editors, and internal files of Syncthing and trash folders. */
function isHidden(name: string): boolean {
  return name.startsWith('.') || name.startsWith('~')
}

/** Whether unknown content is expected under this name, since tables and JSON are used for many purposes. */
export function isOfAllSorts(name: string): boolean {
  return /\.(?:csv|json)(?:\.gz)?$/i.test(name)
}
