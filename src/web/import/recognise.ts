import { EXTENSIONS } from './formats.ts'

export type FileKind = 'run' | 'strava' | 'archive' | 'unknown'

/** Bytes at the end of a ZIP that are searched for names; enough for 100,000 entries. */
const TAIL_BYTES = 8 * 1024 * 1024
const RUN_NAME = new RegExp(`\\.(${EXTENSIONS.join('|')})(\\.gz)?$`, 'i')

/**
 * Guesses the kind of a dropped file by its first bytes and, for a ZIP, by the names in its directory at its end. It
 * only determines the call; the service checks the content.
 */
export async function fileKind(file: File): Promise<FileKind> {
  const start = new Uint8Array(await file.slice(0, 4).arrayBuffer())
  const isZip = start[0] === 0x50 && start[1] === 0x4b
  if (!isZip) return RUN_NAME.test(file.name) || !file.name.includes('.') ? 'run' : 'unknown'
  const tail = await file.slice(Math.max(0, file.size - TAIL_BYTES)).arrayBuffer()
  const names = new TextDecoder('latin1').decode(tail)
  if (names.includes('activities.csv')) return 'strava'
  return names.includes('manifest.json') ? 'archive' : 'unknown'
}
