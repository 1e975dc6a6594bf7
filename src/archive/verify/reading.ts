import { isObject } from '../../base/json-object.ts'
import { ZipError } from '../../zip/zip-error.ts'
import { BadDataFile, dataRows, type LeftOutRow, type OpenArchive, settingsValue } from '../format/data-rows.ts'
import { type Row, rowReader, uuidOf } from '../format/fields.ts'
import { DATA_FILES, type DataFile } from '../format/manifest.ts'
import { ownerOf } from '../restore/files.ts'
import { openedArchive } from '../restore/restore.ts'
import { otherCounts } from './findings.ts'

/** Result of reading an archive once. */
interface ReadFindings {
  /** What it contains, as a sentence. */
  readonly summary: string
  /** Reasons why it would not be restored completely, one sentence each; empty: it would. */
  readonly problems: readonly string[]
}

/** Kinds whose rows are counted; workouts come before their parts. */
const LISTS = DATA_FILES.filter((kind) => kind !== 'settings')
const MOST_PROBLEMS = 100

/**
 * Reads every byte of an archive that was just written and checks checksums, the form of the data files, their counts
 * against the manifest, and that each listed photo and original exists. It takes seconds and no disk space;
 * `verifyArchive` checks what a restore would make of it. Memory grows only with the ids of workouts.
 * @throws Error when it is not an archive that could be restored
 */
export async function readArchive(path: string): Promise<ReadFindings> {
  await using archive = await openedArchive(path, 2)
  const { paths, statistics } = archive.manifest
  const owners = [...archive.zip.entries()].map(ownerOf).filter((owner) => owner !== null)
  const files = new Set(owners.map(({ workoutId, kind, id }) => `${workoutId}/${kind}/${id}`))
  const work: Reading = { archive, counts: new Map(), problems: [], workouts: new Set(), files }
  const { counts, problems } = work
  try {
    const settings = await settingsValue(archive)
    if (settings !== null && !isObject(settings)) problems.push('The settings are not an object')
    for (const kind of LISTS) counts.set(kind, await countRows(work, kind))
    const stated = LISTS.map((kind) => [kind === 'mediaMetadata' ? 'mediaFiles' : kind, counts.get(kind) ?? 0] as const)
    problems.push(...otherCounts(statistics, stated))
  } catch (error) {
    if (!(error instanceof BadDataFile)) throw error
    problems.push(error.message)
  }
  const bytes = await readOthers(work)
  const rows = LISTS.filter((kind) => paths[kind] !== undefined).map((kind) => `${counts.get(kind) ?? 0} ${kind}`)
  return {
    summary: `${rows.join(', ')}; ${owners.length} originals and photos, ${bytes} bytes beside the data`,
    problems: problems.slice(0, MOST_PROBLEMS),
  }
}

interface Reading {
  readonly archive: OpenArchive
  readonly counts: Map<DataFile, number>
  readonly problems: string[]
  /** Ids of the workouts read so far. */
  readonly workouts: Set<string>
  /**
   * `workout id/media/id` of every photo, `workout id/raw/` and `workout id/recording/id` of every original in the
   * archive.
   */
  readonly files: ReadonlySet<string>
}

/** Reads the entries that are not data files. @returns their bytes */
async function readOthers({ archive: { zip, manifest }, problems }: Reading): Promise<number> {
  const dataFiles = new Set(DATA_FILES.map((kind) => manifest.paths[kind]))
  let bytes = 0
  for (const entry of zip.entries()) {
    if (entry.isFolder || dataFiles.has(entry.name)) continue
    try {
      for await (const piece of zip.read(entry, { maxBytes: Number.POSITIVE_INFINITY })) bytes += piece.length
    } catch (error) {
      if (!(error instanceof ZipError)) throw error
      problems.push(`${entry.name}: ${error.message}`)
    }
  }
  return bytes
}

const KEYS = rowReader(['id', 'workoutId', 'rawFileName', 'rawFileData', 'filename', 'hasOriginal'])

async function countRows({ archive, problems, workouts, files }: Reading, kind: DataFile): Promise<number> {
  const isPart = kind !== 'shoes' && kind !== 'workouts'
  let [rowsCount, orphans, fileless] = [0, 0, 0]
  const leftOut = new Map<string, { readonly which: string; count: number }>()
  const countLeftOut = ({ what, which }: LeftOutRow) => {
    const known = leftOut.get(what) ?? { which, count: 0 }
    leftOut.set(what, { ...known, count: known.count + 1 })
  }
  for await (const rows of dataRows(archive, kind, countLeftOut)) {
    rowsCount += rows.length
    for (const value of rows) {
      const row = KEYS(value)
      const id = uuidOf(isPart ? row?.workoutId : row?.id)
      if (kind === 'workouts' && id !== null) workouts.add(id)
      if (row !== null && lacksFile(row, kind, files)) fileless += 1
      if (id === null || (isPart && !workouts.has(id))) orphans += 1
    }
  }
  if (orphans > 0) problems.push(`${orphans} rows of ${kind} ${isPart ? 'belong to no workout' : 'have no id'}`)
  if (fileless > 0) problems.push(`${fileless} rows of ${kind} name a file that is not in the archive`)
  for (const [what, { which, count }] of leftOut) {
    problems.push(`${what}: ${which}${count > 1 ? ` and ${count - 1} more` : ''}`)
    rowsCount += count
  }
  return rowsCount
}

function lacksFile(row: Row, kind: DataFile, files: ReadonlySet<string>): boolean {
  if (kind === 'mediaMetadata') return !files.has(`${uuidOf(row.workoutId)}/media/${uuidOf(row.id)}`)
  if (kind === 'recordings') {
    const places = ['raw/', `recording/${uuidOf(row.id)}`]
    return row.hasOriginal === true && !places.some((place) => files.has(`${uuidOf(row.workoutId)}/${place}`))
  }
  const isNamed = typeof row.rawFileName === 'string' && row.rawFileName !== ''
  return kind === 'workouts' && isNamed && !row.rawFileData && !files.has(`${uuidOf(row.id)}/raw/`)
}
