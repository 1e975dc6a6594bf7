import { isObject } from '../json-object.ts'
/** The three raw objects of CONTRACT 11, each null when the workout has none. */
export interface RawData {
  readonly rawGpxData: unknown
  readonly rawFitData: unknown
  readonly rawStravaData: unknown
}

const MEMBERS: readonly (keyof RawData)[] = ['rawGpxData', 'rawFitData', 'rawStravaData']

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
    if (isObject(parsed) && MEMBERS.every((name) => Object.hasOwn(parsed, name))) return text
    whenDamaged(new SyntaxError('The file holds no raw data'))
  } catch (error) {
    whenDamaged(error)
  }
  return null
}

/** What is stored, with the members it lacks taken from a later import; zstd again. */
export async function mergeRawData(path: string, fresh: Uint8Array): Promise<Uint8Array> {
  // what is damaged is of no use to anybody, and this replaces it
  const stored = await rawDataText(path, () => {})
  if (stored === null) return fresh
  const old: RawData = JSON.parse(stored)
  const added: RawData = JSON.parse(new TextDecoder().decode(Bun.zstdDecompressSync(fresh)))
  const merged: RawData = {
    rawGpxData: old.rawGpxData ?? added.rawGpxData,
    rawFitData: old.rawFitData ?? added.rawFitData,
    rawStravaData: old.rawStravaData ?? added.rawStravaData,
  }
  return Bun.zstdCompressSync(new TextEncoder().encode(JSON.stringify(merged)), { level: 3 })
}
