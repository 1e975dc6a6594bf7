import { stat } from 'node:fs/promises'
import { isObject } from '../../base/json-object.ts'
import { DISK_FULL } from '../../db/disk-full.ts'
import type { Deps, DepsBy } from '../../library/deps.ts'
import { dataRows, type OpenArchive } from '../format/data-rows.ts'
import { oneOf, textOf } from '../format/fields.ts'
import { HASHED, type Hashed, hashedIds, hashOf } from '../format/hashes.ts'
import { DATA_FILES } from '../format/manifest.ts'
import { openedArchive, restoreArchive } from '../restore/restore.ts'
import type { RestoreSummary } from '../restore/schemas.ts'
import { verifyFiles } from './files.ts'
import { Findings, type KindCounts, otherCounts } from './findings.ts'
import { restoredLibrary } from './restored.ts'
import { ROW_KINDS, type RowsToVerify, verifyRows } from './rows.ts'

/** Result of restoring and comparing an archive. */
export interface Verified {
  readonly bytes: number
  /** Which program wrote it and when, by its manifest. */
  readonly origin: string
  readonly kinds: readonly KindCounts[]
  /** The first differences of each kind, one sentence each; empty: everything was restored unchanged. */
  readonly differences: readonly string[]
  readonly differencesCount: number
  /** Values that the restore left out or computed again, as it may. */
  readonly notes: readonly string[]
}

/** The comparison reads each entry once more, and the rows of workouts twice. */
const READINGS = 3

/**
 * Restores an archive with the server's own code and compares the result with the archive: rows value by value,
 * originals and media byte by byte. Values are taken as they are (docs/api.md 12.2), so one that was changed in the
 * archive is equal unless a restore computes it. Memory does not grow with the archive.
 * @param deps with an empty library that is thrown away afterwards
 * @throws Error with one sentence when it is not an archive that could be restored, or too damaged to compare; one that
 * `isDiskFull` knows
 */
export async function verifyArchive(deps: Deps, path: string): Promise<Verified> {
  const { config, db } = deps
  const { size: bytes } = await stat(path)
  const findings = new Findings()
  if (bytes > config.maxArchiveBytes) {
    findings.differ('archive', `The archive has ${bytes} bytes, MAX_ARCHIVE_BYTES allows ${config.maxArchiveBytes}`)
  }
  const by = { actor: 'command_line', left: () => {} }
  const summary = await restored({ ...deps, by }, path)
  await using archive = await openedArchive(path, READINGS)
  const { harrierVersion, exportDate } = archive.manifest
  const isOwn = harrierVersion !== null
  const work = { archive, library: restoredLibrary(db, config.dataDir), isOwn, findings }
  await verifyRows(work)
  const filesBytes = await verifyFiles(work)
  verifyStatistics(archive, findings, isOwn ? filesBytes : null)
  await verifyHashes(work)
  for (const error of summary.errors) findings.differ('restore', error)
  return {
    bytes,
    origin: `written ${exportDate ?? 'at an unknown time'} by ${isOwn ? `Harrier ${harrierVersion}` : 'another program'}`,
    kinds: findings.kinds,
    notes: [...summary.warnings, ...findings.notes],
    differences: findings.sentences(),
    differencesCount: findings.differencesCount,
  }
}

async function restored(deps: DepsBy, path: string): Promise<RestoreSummary> {
  await using archive = await openedArchive(path)
  const summary = await restoreArchive(deps, archive)
  // what found no space would be reported as a difference
  const full = summary.errors.find((error) => error.startsWith(DISK_FULL))
  if (full !== undefined) throw Object.assign(new Error(full), { code: 'ENOSPC' })
  return summary
}

/** Statistics of the manifest, and the kinds that they count. */
const STATISTICS: readonly (readonly [name: string, kind: string])[] = [
  ...DATA_FILES.filter((name) => name !== 'mediaMetadata').map((name) => [name, ROW_KINDS[name]] as const),
  ['mediaFiles', 'media files'],
]

/** @param filesBytes null: not compared, since programs differ in which files they add up */
function verifyStatistics({ manifest }: OpenArchive, findings: Findings, filesBytes: number | null): void {
  const inArchive = (kind: string) => findings.kinds.find((counts) => counts.kind === kind)?.inArchive ?? 0
  const found = STATISTICS.map(([name, kind]) => [name, inArchive(kind)] as const)
  const all = filesBytes === null ? found : [...found, ['totalSizeBytes', filesBytes] as const]
  for (const sentence of otherCounts(manifest.statistics, all)) findings.differ('manifest', sentence)
}

/**
 * Compares recordings with their samples, documents and settings with those that the library had when it wrote the archive,
 * once the rows were found equal: what both the writing and the reading of rows leave out is not seen otherwise. An archive
 * of another program has no such hashes.
 * @throws BadDataFile
 */
async function verifyHashes({ archive, library, findings }: RowsToVerify): Promise<void> {
  if (findings.differencesCount > 0 || archive.manifest.paths.hashes === undefined) return
  const listed = new Map<Hashed, number>()
  for await (const rows of dataRows(archive, 'hashes', () => {})) {
    for (const row of rows.filter(isObject)) {
      const [kind, id] = [oneOf(row.kind, HASHED), textOf(row.id) ?? '']
      if (kind === null) continue
      listed.set(kind, (listed.get(kind) ?? 0) + 1)
      const isEqual = hashOf(library, kind, id) === row.sha256
      if (!isEqual) findings.differ(kind, `${kind} ${id}: restored differently from the library`)
    }
  }
  for (const kind of HASHED) {
    const more = [...hashedIds(library.db, kind)].length - (listed.get(kind) ?? 0)
    if (more > 0) findings.differ(kind, `${kind}: ${more} restored that the library did not have`)
  }
}
