import { invalid } from '../../base/errors.ts'
import { isObject, valueOfKey } from '../../base/json-object.ts'
import type { ZipArchive } from '../../zip/reader.ts'
import { ZipError } from '../../zip/zip-error.ts'
import { textOf } from './fields.ts'
import { parsedJson } from './json-rows.ts'

/** Version of the archive format (docs/api.md 12), not of the application. */
export const FORMAT_VERSION = '1.0.0'

export const DATA_PATHS = {
  settings: 'data/settings.json',
  shoes: 'data/shoes.json',
  workouts: 'data/workouts.json',
  routes: 'data/routes.json',
  splits: 'data/splits.json',
  timeSeries: 'data/time-series.json',
  mediaMetadata: 'data/media-metadata.json',
  bestEfforts: 'data/best-efforts.json',
} as const

/** What came in and what was decided, as the tables have it (docs/archive.md); other readers ignore it. */
export const LIBRARY_PATH = 'data/library.json'

type ListedFile = keyof typeof DATA_PATHS
export type DataFile = ListedFile | 'library'
const DATA_FILES = Object.keys(DATA_PATHS) as readonly ListedFile[]

/** Counts that accumulate while an archive is written. */
export type ArchiveCounts = Record<Exclude<ListedFile, 'mediaMetadata'> | 'mediaFiles' | 'totalSizeBytes', number>

export interface Manifest {
  /** The data files of the archive; those that it does not have count as empty. */
  readonly paths: Readonly<Partial<Record<DataFile, string>>>
  /** Number of workouts that the manifest states; null: it states none. */
  readonly workoutsCount: number | null
  readonly statistics: Readonly<Record<string, unknown>>
  /** Harrier's version; null: another program wrote the archive. */
  readonly harrierVersion: string | null
  readonly exportDate: string | null
  /** SHA-256 of every data file by its path, as it was written; null: the archive states none, or has no library. */
  readonly sums: Readonly<Record<string, string>> | null
}

const MAX_MANIFEST_BYTES = 1_048_576
/** Largest own archive, unpacked (docs/api.md 1.5). */
export const MAX_UNPACKED_BYTES = 100 * 2 ** 30

/**
 * Reads and validates the manifest, which decides whether an archive can be restored, before anything is written
 * (docs/api.md 7.5).
 * @throws AppError 400
 */
export async function readManifest(zip: ZipArchive): Promise<Manifest> {
  if (zip.declaredBytes > MAX_UNPACKED_BYTES) throw invalid('The archive holds more than 100 GiB unpacked')
  for (const entry of zip.entries()) {
    if (entry.problem === 'unsafe') throw invalid('The archive has an entry whose name points out of it, or a link')
  }
  const manifest = await manifestObject(zip)
  const version = valueOfKey(manifest, 'version')
  if (version !== FORMAT_VERSION) {
    throw invalid(`The archive is of format version ${shown(version)}, supported is ${FORMAT_VERSION}`)
  }
  const dataFormat = valueOfKey(manifest, 'dataFormat')
  if (!isObject(dataFormat)) throw invalid('The manifest of the archive has no dataFormat')
  const paths: Partial<Record<DataFile, string>> = {}
  for (const kind of DATA_FILES) {
    const path = listedPath(zip, kind, valueOfKey(dataFormat, kind))
    if (path !== null) paths[kind] = path
  }
  const sums = valueOfKey(manifest, 'sums')
  if (zip.find(LIBRARY_PATH)?.isFolder === false) paths.library = LIBRARY_PATH
  if (paths.shoes === undefined || paths.workouts === undefined) {
    throw invalid('The dataFormat of the manifest must list shoes and workouts')
  }
  const statistics = valueOfKey(manifest, 'statistics')
  const workouts = isObject(statistics) ? valueOfKey(statistics, 'workouts') : null
  return {
    paths,
    workoutsCount: Number.isSafeInteger(workouts) ? Number(workouts) : null,
    statistics: isObject(statistics) ? statistics : {},
    harrierVersion: textOf(valueOfKey(manifest, 'harrierVersion'), 50),
    exportDate: textOf(valueOfKey(manifest, 'exportDate'), 50),
    sums: isObject(sums) ? Object.fromEntries(Object.entries(sums).map(([path, sum]) => [path, String(sum)])) : null,
  }
}

async function manifestObject(zip: ZipArchive): Promise<Readonly<Record<string, unknown>>> {
  const entry = zip.find('manifest.json')
  if (entry === null || entry.isFolder)
    throw invalid('The archive has no manifest.json: it is not an export of Harrier or Tempo')
  try {
    const manifest = parsedJson(await zip.bytes(entry, MAX_MANIFEST_BYTES))
    if (isObject(manifest)) return manifest
  } catch (error) {
    if (!(error instanceof ZipError) && !(error instanceof SyntaxError)) throw error
  }
  throw invalid('The manifest.json of the archive is not a JSON object')
}

/** Path of a data file; null: the manifest does not list it. */
function listedPath(zip: ZipArchive, kind: DataFile, listed: unknown): string | null {
  if (listed === undefined || listed === null) return null
  if (typeof listed !== 'string') throw invalid(`The dataFormat of the manifest has no path for ${kind}`)
  const entry = zip.find(listed)
  if (entry === null || entry.isFolder) {
    throw invalid(`The data file that the manifest lists for ${kind} is not in the archive`)
  }
  if (entry.problem === 'tooLarge') throw invalid(`The data file for ${kind} is larger unpacked than is allowed`)
  if (entry.problem !== null) throw invalid(`The data file for ${kind} cannot be unpacked`)
  return listed
}

function shown(version: unknown): string {
  return typeof version === 'string' && version.length <= 20 ? version.replace(/\p{Cc}/gu, '') : 'unknown'
}
