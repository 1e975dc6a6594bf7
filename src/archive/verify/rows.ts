import type { ExportedLibrary } from '../export/library.ts'
import { dataRows, type LeftOutRow, type OpenArchive, settingsValue } from '../format/data-rows.ts'
import { calledOf, numberOf, type Row, rowReader, uuidOf } from '../format/fields.ts'
import { DATA_FILES, type DataFile } from '../format/manifest.ts'
import { geoJsonPositions } from '../format/part-rows.ts'
import type { Findings, KindCounts } from './findings.ts'
import { type ComparedFile, restoredCount, restoredRows, restoredSampleRows } from './restored.ts'
import { type Difference, firstDifference, firstForeignDifference } from './values.ts'

export interface RowsToVerify {
  readonly archive: OpenArchive
  readonly library: ExportedLibrary
  /** false: another program wrote the archive; then only members that a restore takes are compared. */
  readonly isOwn: boolean
  readonly findings: Findings
}

/** Names of the rows of each data file in the report. */
export const ROW_KINDS: Readonly<Record<Exclude<DataFile, 'hashes'>, string>> = {
  settings: 'settings',
  shoes: 'shoes',
  workouts: 'workouts',
  routes: 'routes',
  splits: 'splits',
  timeSeries: 'samples',
  mediaMetadata: 'media',
  bestEfforts: 'best efforts',
  recordings: 'recordings',
  repairs: 'repairs',
  goals: 'goals',
  races: 'races',
  places: 'places',
}

const KEYS = rowReader(['id', 'workoutId', 'idx', 'distance', 'timeS', 'elapsedSeconds', 'routeGeoJson'])

/**
 * Compares every row of every data file with the one that an export of the restored library would write.
 * @throws BadDataFile
 */
export async function verifyRows(work: RowsToVerify): Promise<void> {
  for (const kind of [...DATA_FILES, 'goals', 'races', 'places'] as const) {
    // a restore creates recordings automatically when the archive has no such file
    if (LATER.includes(kind) && work.archive.manifest.paths[kind] === undefined) continue
    const counts = work.findings.kind(ROW_KINDS[kind], {
      inArchive: 0,
      restored: restoredCount(work.library, kind),
      equal: isRebuilt(kind, work) ? null : 0,
    })
    if (isRebuilt(kind, work)) await verifyRebuilt(work, kind as 'routes' | 'timeSeries', counts)
    else if (kind === 'timeSeries') await verifySamples(work, counts)
    else await verifyKind(work, kind, counts)
    // additional rows mean an error; for other programs' archives many rows are rebuilt, so only own ones are checked
    if (work.isOwn && counts.restored > counts.inArchive) {
      const more = counts.restored - counts.inArchive
      work.findings.differ(counts.kind, `${counts.kind}: ${more} restored that the archive does not have`)
    }
  }
}

/** Data files that archives of other programs do not have. */
const LATER: readonly DataFile[] = ['recordings', 'repairs', 'goals', 'races', 'places']

/** Positions and samples of another program's archive are rebuilt from its original files (docs/api.md 12.2). */
function isRebuilt(kind: DataFile, { isOwn }: RowsToVerify): boolean {
  return !isOwn && (kind === 'routes' || kind === 'timeSeries')
}

async function verifyKind(work: RowsToVerify, kind: ComparedFile, counts: KindCounts): Promise<void> {
  const { library, isOwn, findings } = work
  const restoredRow = restoredRows(library, kind)
  for await (const rows of batchesOf(work, kind, counts)) {
    for (const value of rows) {
      counts.inArchive += 1
      const keys = KEYS(value)
      const restored = keys === null ? null : await restoredRow(keys)
      const name = `${counts.kind} ${nameOf(kind, keys)}`
      if (keys === null || restored === null) {
        findings.differ(counts.kind, `${name}: not restored`)
        continue
      }
      const difference = isOwn ? firstDifference(value, restored) : firstForeignDifference(kind, value, restored)
      const isFaster = kind === 'bestEfforts' && Number(restored.timeS) < (numberOf(keys.timeS) ?? 0)
      if (difference === null || isOwn || !isFaster) note(findings, counts, { name, difference })
      else findings.note(`${name}: ${keys.timeS} s in the archive, ${restored.timeS} s in its samples`)
    }
  }
}

function note(
  findings: Findings,
  counts: KindCounts,
  { name, difference }: { readonly name: string; readonly difference: Difference | null },
): void {
  if (difference === null) counts.equal = (counts.equal ?? 0) + 1
  else findings.differ(counts.kind, `${name}: ${sentenceOf(difference)}`)
}

/** Both sides are ordered by time; a row that exists on one side only does not shift the others. */
async function verifySamples(work: RowsToVerify, counts: KindCounts): Promise<void> {
  const { library, findings } = work
  let workoutId = ''
  let rest: Generator<Row> = restoredSampleRows(library, workoutId)
  let next: Row | undefined
  for await (const rows of batchesOf(work, 'timeSeries', counts)) {
    for (const value of rows) {
      const row = value as Row
      counts.inArchive += 1
      if (calledOf(row?.workoutId) !== workoutId) {
        workoutId = calledOf(row?.workoutId)
        rest = restoredSampleRows(library, workoutId)
        next = rest.next().value
      }
      const elapsedMs = numberOf(row?.elapsedMs) ?? Number.NaN
      while (next !== undefined && Number(next.elapsedMs) < elapsedMs) next = rest.next().value
      const name = `samples of ${workoutId} at ${elapsedMs / 1000} s`
      if (next?.elapsedMs !== elapsedMs) {
        findings.differ(counts.kind, `${name}: not restored`)
        continue
      }
      note(findings, counts, { name, difference: firstDifference(row, next) })
      next = rest.next().value
    }
  }
}

/** Rebuilt parts must exist for every workout for which the archive has some. */
async function verifyRebuilt(work: RowsToVerify, kind: 'routes' | 'timeSeries', counts: KindCounts): Promise<void> {
  const { library, findings } = work
  const restoredRow = restoredRows(library, 'routes')
  let asked = ''
  for await (const rows of batchesOf(work, kind, counts)) {
    counts.inArchive += rows.length
    for (const value of rows) {
      const row = KEYS(value)
      const workoutId = uuidOf(row?.workoutId) ?? 'unknown'
      if (workoutId === asked || (kind === 'routes' && geoJsonPositions(row?.routeGeoJson) === null)) continue
      asked = workoutId
      const samples = kind === 'timeSeries' ? restoredSampleRows(library, workoutId) : null
      const isThere = samples === null ? (await restoredRow(row ?? {})) !== null : samples.next().done === false
      if (!isThere) findings.differ(counts.kind, `${counts.kind} of ${workoutId}: none restored`)
    }
  }
}

/**
 * The rows of a data file; those that a restore leaves out are reported as differences.
 */
async function* batchesOf(
  { archive, findings }: RowsToVerify,
  kind: DataFile,
  counts: KindCounts,
): AsyncGenerator<readonly unknown[]> {
  const leftOut = ({ what, which }: LeftOutRow) => {
    counts.inArchive += 1
    findings.differ(counts.kind, `${what}: ${which}`)
  }
  for await (const rows of kind === 'settings' ? settingsRows(archive) : dataRows(archive, kind, leftOut)) {
    yield rows
  }
}

async function* settingsRows(archive: OpenArchive): AsyncGenerator<readonly unknown[]> {
  const value = await settingsValue(archive)
  if (archive.manifest.paths.settings !== undefined) yield Array.isArray(value) ? value.slice(0, 1) : [value]
}

function nameOf(kind: DataFile, keys: Row | null): string {
  if (kind === 'splits') return `${shown(keys?.idx)} of ${calledOf(keys?.workoutId)}`
  if (kind === 'routes') return `of ${calledOf(keys?.workoutId)}`
  return calledOf(kind === 'bestEfforts' ? keys?.distance : keys?.id)
}

function sentenceOf({ field, archived, restored }: Difference): string {
  return `${field} is ${shown(archived)} in the archive, ${shown(restored)} restored`
}

const MOST_SHOWN = 60

function shown(value: unknown): string {
  const text = JSON.stringify(value ?? null)
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}…`
}
