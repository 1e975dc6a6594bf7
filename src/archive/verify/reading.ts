import { isObject, valueOfKey } from '../../json-object.ts'
import { openZip } from '../../zip/reader.ts'
import { ZipError } from '../../zip/zip-error.ts'
import { BadDataFile, dataRows, type LeftOutRow, type OpenArchive, settingsValue } from '../format/data-rows.ts'
import { type Row, rowReader, uuidOf } from '../format/fields.ts'
import { DATA_FILES, type DataFile, MAX_UNPACKED_BYTES, readManifest } from '../format/manifest.ts'
import { ownerOf } from '../restore/files.ts'

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
  const zip = await openZip(path, { maxUnpackedBytes: 2 * MAX_UNPACKED_BYTES })
  try {
    const archive: OpenArchive = { zip, manifest: await readManifest(zip) }
    const problems: string[] = []
    const listed = new Set<string>(Object.values(archive.manifest.paths))
    const files = new Set<string>()
    for (const entry of zip.entries()) {
      const owner = ownerOf(entry)
      if (owner !== null) files.add(`${owner.workoutId}/${owner.kind}/${owner.id}`)
    }
    const counts = await countRows(archive, { files, problems })
    let filesCount = 0
    let bytes = 0
    for (const entry of zip.entries()) {
      if (entry.isFolder || listed.has(entry.name)) continue
      try {
        for await (const piece of zip.read(entry, { maxBytes: Number.POSITIVE_INFINITY })) bytes += piece.length
        if (ownerOf(entry) !== null) filesCount += 1
      } catch (error) {
        if (!(error instanceof ZipError)) throw error
        problems.push(`${entry.name}: ${error.message}`)
      }
    }
    const present = LISTS.filter((kind) => archive.manifest.paths[kind] !== undefined)
    const rows = present.map((kind) => `${counts.get(kind) ?? 0} ${kind}`).join(', ')
    return {
      summary: `${rows}; ${filesCount} originals and photos, ${bytes} bytes beside the data`,
      problems: problems.slice(0, MOST_PROBLEMS),
    }
  } finally {
    await zip.close()
  }
}

interface Findings {
  /**
   * `workout id/media/id` of every photo, `workout id/raw/` and `workout id/recording/id` of every original in the
   * archive.
   */
  readonly files: ReadonlySet<string>
  readonly problems: string[]
}

async function countRows(archive: OpenArchive, { files, problems }: Findings): Promise<ReadonlyMap<DataFile, number>> {
  const counts = new Map<DataFile, number>()
  const workouts = new Set<string>()
  try {
    const settings = await settingsValue(archive)
    if (settings !== null && !isObject(settings)) problems.push('The settings are not an object')
    for (const kind of LISTS) counts.set(kind, await countKind(archive, kind, { workouts, files, problems }))
  } catch (error) {
    if (!(error instanceof BadDataFile)) throw error
    problems.push(error.message)
    return counts
  }
  const { statistics } = archive.manifest
  for (const kind of LISTS) {
    const name = kind === 'mediaMetadata' ? 'mediaFiles' : kind
    const stated = valueOfKey(statistics, name)
    const found = counts.get(kind)
    if (stated !== undefined && stated !== found)
      problems.push(`The manifest says ${stated} ${name}, found are ${found}`)
  }
  return counts
}

async function countKind(
  archive: OpenArchive,
  kind: DataFile,
  { workouts, files, problems }: Findings & { readonly workouts: Set<string> },
): Promise<number> {
  const read = rowReader(['id', 'workoutId', 'rawFileName', 'rawFileData', 'filename', 'hasOriginal'])
  const isPart = kind !== 'shoes' && kind !== 'workouts'
  let [rowsCount, orphans, fileless] = [0, 0, 0]
  const leftOut = new Map<string, { readonly which: string; count: number }>()
  const countLeftOut = ({ what, which }: LeftOutRow) => {
    const known = leftOut.get(what) ?? { which, count: 0 }
    known.count += 1
    leftOut.set(what, known)
  }
  for await (const rows of dataRows(archive, kind, countLeftOut)) {
    rowsCount += rows.length
    for (const value of rows) {
      const row = read(value)
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
