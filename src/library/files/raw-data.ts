import { and, asc, eq } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { recordings } from '../../db/schema.ts'
import { isObject } from '../../json-object.ts'
import { rawDataPath } from './paths.ts'
/** The three raw objects of CONTRACT 11, each null when the workout has none. */
export interface RawData {
  readonly rawGpxData: unknown
  readonly rawFitData: unknown
  readonly rawStravaData: unknown
}

export const RAW_MEMBERS: readonly (keyof RawData)[] = ['rawGpxData', 'rawFitData', 'rawStravaData']

/**
 * The stored JSON text of a workout's raw data, which an answer can take in as it is.
 * @param whenDamaged called when there is a file that cannot be read, or holds something else
 * @returns null when the workout has none, or the file is lost or damaged: nothing else of the workout is
 */
export async function rawDataText(path: string, whenDamaged: (cause: unknown) => void): Promise<string | null> {
  const file = Bun.file(path)
  if (!(await file.exists())) return null
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Bun.zstdDecompressSync(await file.bytes()))
    // one wrong character in it would make the whole answer, or a whole data file of an archive, unreadable
    const parsed: unknown = JSON.parse(text)
    if (isObject(parsed) && RAW_MEMBERS.every((name) => Object.hasOwn(parsed, name))) return text
    whenDamaged(new SyntaxError('The file holds no raw data'))
  } catch (error) {
    whenDamaged(error)
  }
  return null
}

/**
 * The raw data of a workout as JSON text: of each member the first that one of its recordings has.
 * @param whenDamaged as for `rawDataText`
 * @returns null when it has none
 */
export async function workoutRawData(
  { db, dataDir }: { readonly db: Tx; readonly dataDir: string },
  workoutId: string,
  whenDamaged: (cause: unknown) => void,
): Promise<string | null> {
  const ids = db
    .select({ id: recordings.id })
    .from(recordings)
    .where(and(eq(recordings.workoutId, workoutId), eq(recordings.hasRaw, true)))
    .orderBy(asc(recordings.seq))
    .all()
  const texts: string[] = []
  for (const { id } of ids) {
    const text = await rawDataText(rawDataPath(dataDir, id), whenDamaged)
    if (text !== null) texts.push(text)
  }
  if (texts.length < 2) return texts[0] ?? null
  const all = texts.map((text) => JSON.parse(text) as RawData)
  const first = (name: keyof RawData) => all.map((raw) => raw[name]).find((member) => member !== null) ?? null
  return JSON.stringify(Object.fromEntries(RAW_MEMBERS.map((name) => [name, first(name)])))
}
