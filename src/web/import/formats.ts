// The file formats that the service reads; it writes them into the page (src/page/build.ts).
const stated = document.querySelector<HTMLMetaElement>('meta[name="formats"]')

/** `GPX, FIT, TCX or CSV` */
export const FORMAT_NAMES = stated?.content ?? ''

/** File extensions of these formats, without the dot, in lower case. */
export const EXTENSIONS: readonly string[] = (stated?.dataset.extensions ?? '').split(' ')

/** `export`: of any service, which the service of this page recognises by its content. */
export type FileKind = 'run' | 'strava' | 'archive' | 'export' | 'unknown'

/** Bytes at the end of a ZIP that are searched for names; enough for 100,000 entries. */
const TAIL_BYTES = 8 * 1024 * 1024
const HEAD_BYTES = 65_536
/** The export.xml of Apple Health. */
const HEALTH_DATA = /<!DOCTYPE HealthData|<HealthData[\s>]/
const RUN_NAME = new RegExp(`\\.(${EXTENSIONS.join('|')})(\\.gz)?$`, 'i')

/**
 * Guesses the kind of a dropped file by its first bytes and, for a ZIP, by the names in its directory at its end. It
 * only determines the call; the service checks the content.
 */
export async function fileKind(file: File): Promise<FileKind> {
  const start = new TextDecoder('latin1').decode(await file.slice(0, HEAD_BYTES).arrayBuffer())
  if (!start.startsWith('PK')) {
    if (HEALTH_DATA.test(start) || start.startsWith('SQLite format 3')) return 'export'
    return RUN_NAME.test(file.name) || !file.name.includes('.') ? 'run' : 'unknown'
  }
  const tail = await file.slice(Math.max(0, file.size - TAIL_BYTES)).arrayBuffer()
  const names = new TextDecoder('latin1').decode(tail)
  if (names.includes('activities.csv')) return 'strava'
  return names.includes('manifest.json') && names.includes('data/workouts.json') ? 'archive' : 'export'
}
