import { stat } from 'node:fs/promises'
import type { Deps } from '../../deps.ts'
import { valueOfKey } from '../../json-object.ts'
import { openZip } from '../../zip/reader.ts'
import type { OpenArchive } from '../format/data-rows.ts'
import { DATA_FILES, MAX_UNPACKED_BYTES, readManifest } from '../format/manifest.ts'
import { restoreArchive } from '../restore/restore.ts'
import { verifyFiles } from './files.ts'
import { Findings, type KindCounts } from './findings.ts'
import { verifyGoals } from './goals.ts'
import { verifyHashes } from './hashes.ts'
import { ROW_KINDS, verifyRows } from './rows.ts'

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
 * @throws Error with one sentence when it is not an archive that could be restored, or too damaged to compare
 */
export async function verifyArchive(deps: Deps, path: string): Promise<Verified> {
  const { config, db } = deps
  const { size: bytes } = await stat(path)
  const findings = new Findings()
  if (bytes > config.maxArchiveBytes) {
    findings.differ('archive', `The archive has ${bytes} bytes, MAX_ARCHIVE_BYTES allows ${config.maxArchiveBytes}`)
  }
  const by = { actor: 'command_line', left: () => {} }
  const summary = await opened(path, 1, (archive) => restoreArchive({ ...deps, by }, archive))
  const origin = await opened(path, READINGS, async (archive) => {
    const { harrierVersion, exportDate } = archive.manifest
    const isOwn = harrierVersion !== null
    const work = { archive, library: { db, dataDir: config.dataDir }, isOwn, findings }
    await verifyRows(work)
    await verifyGoals(work)
    const filesBytes = await verifyFiles(work)
    verifyStatistics(archive, findings, isOwn ? filesBytes : null)
    await verifyHashes(work)
    return `written ${exportDate ?? 'at an unknown time'} by ${isOwn ? `Harrier ${harrierVersion}` : 'another program'}`
  })
  for (const error of summary.errors) findings.differ('restore', error)
  return {
    bytes,
    origin,
    kinds: findings.kinds,
    notes: [...summary.warnings, ...findings.notes],
    differences: findings.sentences(),
    differencesCount: findings.differencesCount,
  }
}

async function opened<T>(path: string, readings: number, use: (archive: OpenArchive) => Promise<T>): Promise<T> {
  const zip = await openZip(path, { maxUnpackedBytes: readings * MAX_UNPACKED_BYTES })
  try {
    return await use({ zip, manifest: await readManifest(zip) })
  } finally {
    await zip.close()
  }
}

/** Statistics of the manifest, and the kinds that they count. */
const STATISTICS: readonly (readonly [name: string, kind: string])[] = [
  ...DATA_FILES.filter((name) => name !== 'mediaMetadata').map((name) => [name, ROW_KINDS[name]] as const),
  ['mediaFiles', 'media files'],
]

/** @param filesBytes null: not compared, since programs differ in which files they add up */
function verifyStatistics({ manifest }: OpenArchive, findings: Findings, filesBytes: number | null): void {
  const found = STATISTICS.map(([name, kind]) => {
    return [name, findings.kinds.find((counts) => counts.kind === kind)?.inArchive ?? 0] as const
  })
  const all = filesBytes === null ? found : [...found, ['totalSizeBytes', filesBytes] as const]
  for (const [name, count] of all) {
    const stated = valueOfKey(manifest.statistics, name)
    if (stated === undefined || stated === count) continue
    findings.differ('manifest', `The manifest says ${JSON.stringify(stated)} ${name}, the archive has ${count}`)
  }
}
