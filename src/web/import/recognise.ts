import { EXTENSIONS } from './formats.ts'

export type FileKind = 'run' | 'strava' | 'archive' | 'unknown'

/** The longest end of a ZIP archive that is looked through for names; 100,000 entries need about as much. */
const TAIL_BYTES = 8 * 1024 * 1024
const RUN_NAME = new RegExp(`\\.(${EXTENSIONS.join('|')})(\\.gz)?$`, 'i')

/**
 * What a dropped file is, by its first bytes and, for a ZIP archive, by the names in its directory, which stands at
 * its end. Only the service decides in the end; this chooses the call.
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
