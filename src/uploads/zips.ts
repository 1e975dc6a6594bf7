import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { openedArchive, restoreArchive } from '../archive/restore/restore.ts'
import type { DepsBy } from '../deps.ts'
import { DISK_FULL } from '../disk-full.ts'
import { AppError } from '../errors.ts'
import type { ImportCounts } from '../events/emitter.ts'
import { announceDone } from '../events/progress.ts'
import { FormatError } from '../formats/format.ts'
import { splitUnitM, unitPreference } from '../library/settings.ts'
import { paced } from '../pace.ts'
import { importStrava } from '../strava/import.ts'
import { openStravaZip } from '../strava/zip.ts'
import { openZip, type ZipArchive } from '../zip/reader.ts'
import { ZipError } from '../zip/zip-error.ts'

export interface ZipResult extends ImportCounts {
  readonly firstError: string | null
  /** Why the import ended before the last run, such as a full disk; repeated, it continues there. null: it did not. */
  readonly endedEarly: string | null
}

interface ZipWork {
  readonly title: string
  /** Advice in the error for a ZIP of an unknown kind. */
  readonly advice: string
  /** When aborted, the import ends before its next run. */
  readonly signal?: AbortSignal
}

/**
 * Imports a Strava export, or an archive of Harrier or Tempo, which leaves its own receipt.
 * @param source a path, or an open file, which the caller closes
 * @throws FormatError for an archive that cannot be read; with problem `unknown` when it is of neither kind
 */
export async function importZip(deps: DepsBy, source: string | FileHandle, work: ZipWork): Promise<ZipResult> {
  try {
    switch (await kindOf(source)) {
      case 'archive':
        return await restored(deps, source, work)
      case 'strava':
        return await imported(deps, source, work)
      case null: {
        const refusal = `This ZIP is neither a Strava export nor an archive of Harrier or Tempo; ${work.advice}`
        throw new FormatError(refusal, { problem: 'unknown' })
      }
    }
  } catch (error) {
    if (error instanceof ZipError || error instanceof AppError) throw new FormatError(error.message, { cause: error })
    throw error
  }
}

/** Determines the kind by the names of the entries; null: unknown. */
async function kindOf(source: string | FileHandle): Promise<'archive' | 'strava' | null> {
  const zip = await openZip(source, { maxUnpackedBytes: 0 })
  try {
    if (zip.find('manifest.json') !== null && zip.find('data/workouts.json') !== null) return 'archive'
    return (await hasTable(zip)) ? 'strava' : null
  } finally {
    await zip.close()
  }
}

/** Whether activities.csv is in the root, or in the single folder of a repacked export. */
async function hasTable(zip: ZipArchive): Promise<boolean> {
  for await (const { name } of paced(zip.entries())) if (/^([^/]+\/)?activities\.csv$/.test(name)) return true
  return false
}

async function imported(deps: DepsBy, file: string | FileHandle, { title, signal }: ZipWork): Promise<ZipResult> {
  const source = await openStravaZip(file, join(deps.config.dataDir, 'tmp'))
  try {
    const unitM = splitUnitM(unitPreference(deps.db))
    const never = new AbortController().signal
    const summary = await importStrava(deps, source, { unitM, signal: signal ?? never, title })
    announceDone(deps.events, 'bulk', summary)
    const { successful, skipped, updated, errors, errorDetails } = summary
    const result = complete(
      { successful, skipped, updated, errors },
      errorDetails.map(({ error }) => error),
    )
    return signal?.aborted ? { ...result, endedEarly: 'The service was stopped' } : result
  } finally {
    await source.close()
  }
}

async function restored(deps: DepsBy, file: string | FileHandle, { title }: ZipWork): Promise<ZipResult> {
  const archive = await openedArchive(file)
  try {
    const { statistics, errors: sentences } = await restoreArchive(deps, archive, title)
    const { imported: successful, skipped, errors } = statistics.workouts
    const counts = { successful, skipped, updated: 0, errors: Math.max(errors, sentences.length) }
    announceDone(deps.events, 'restore', counts)
    return complete(counts, sentences)
  } finally {
    await archive.close()
  }
}

function complete(counts: ImportCounts, errors: readonly string[]): ZipResult {
  const endedEarly = errors.find((error) => error.startsWith(DISK_FULL) || /ended early/.test(error)) ?? null
  return { ...counts, firstError: errors[0] ?? null, endedEarly }
}
