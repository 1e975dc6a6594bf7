import { FORMATS } from '../formats/registry.ts'
/** How far below a watched folder is looked. */
export const MOST_DEPTH = 8

/** Of each format the ending that its own programs write: every .txt of a folder is not for us. */
const ENDINGS = new Set([...FORMATS.flatMap(({ extensions }) => extensions.slice(0, 1)), 'json', 'zip'])
const FILES = new RegExp(`\\.(?:${[...ENDINGS].join('|')})(?:\\.gz)?$`, 'i')
/** What is still being written, by whom of whatever program. */
const UNFINISHED = /\.(?:part|partial|tmp|temp|crdownload|download|filepart)$/i
/** Of Synology, of Windows: copies, pictures and what was thrown away. */
const NO_FOLDERS: readonly string[] = ['@eaDir', '#recycle', '$RECYCLE.BIN', 'System Volume Information']

/** Whether a file of that name is looked at. @param name without its folders */
export function isLookedAt(name: string): boolean {
  return !isHidden(name) && !UNFINISHED.test(name) && FILES.test(name)
}

/** Whether a folder of that name is looked into. */
export function isWalked(name: string): boolean {
  return !isHidden(name) && !NO_FOLDERS.includes(name)
}

/** Hidden files, copies of editors, and what Syncthing and trash cans keep to themselves. */
function isHidden(name: string): boolean {
  return name.startsWith('.') || name.startsWith('~')
}

/** Whether content that nobody here knows may well be somebody else's: tables and JSON are of all sorts. */
export function isOfAllSorts(name: string): boolean {
  return /\.(?:csv|json)(?:\.gz)?$/i.test(name)
}
