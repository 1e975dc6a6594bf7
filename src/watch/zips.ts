import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { restoreArchive } from '../archive/restore/restore.ts'
import { openedArchive } from '../archive/restore/upload.ts'
import type { Deps } from '../deps.ts'
import { DISK_FULL } from '../disk-full.ts'
import { AppError } from '../errors.ts'
import type { ImportCounts } from '../events/emitter.ts'
import { tellDone } from '../events/progress.ts'
import { FormatError } from '../formats/format.ts'
import { splitUnitM, unitPreference } from '../library/settings.ts'
import { createPace } from '../pace.ts'
import { type BulkWork, importStrava } from '../strava/import.ts'
import { openStravaZip } from '../strava/zip.ts'
import { openZip, type ZipArchive } from '../zip/reader.ts'
import { ZipError } from '../zip/zip-error.ts'
import { EndedEarly } from './words.ts'

/** Result of importing an archive. */
export interface ZipResult extends ImportCounts {
  /** Message of the first run that could not be stored. */
  readonly firstError: string | null
}

/**
 * Imports a Strava export, or an archive of Harrier or Tempo.
 * @param file open; the caller closes it
 * @param how.title of its receipt
 * @param how.signal aborted: ends before the next run
 * @throws FormatError for an archive that cannot be read; with problem `unknown` when it is of neither kind
 * @throws EndedEarly
 */
export async function importZip(
  deps: Deps,
  file: FileHandle,
  { title, signal }: { readonly title: string; readonly signal: AbortSignal },
): Promise<ZipResult> {
  try {
    switch (await kindOf(file)) {
      case 'archive':
        return await restored(deps, file, title)
      case 'strava':
        return await imported(deps, file, { title, signal })
      case null: {
        const refusal = 'This ZIP is no Strava export and no archive of Harrier or Tempo; unpack it into the folder'
        throw new FormatError(refusal, { problem: 'unknown' })
      }
    }
  } catch (error) {
    if (error instanceof ZipError || error instanceof AppError) throw new FormatError(error.message, { cause: error })
    throw error
  }
}

/** Determines the kind by the names of entries. */
async function kindOf(file: FileHandle): Promise<'archive' | 'strava' | null> {
  const zip = await openZip(file, { maxUnpackedBytes: 0 })
  if (zip.find('manifest.json') !== null && zip.find('data/workouts.json') !== null) return 'archive'
  return (await hasTable(zip)) ? 'strava' : null
}

/** Looks at the root, and in the folder of a repacked export. */
async function hasTable(zip: ZipArchive): Promise<boolean> {
  const pace = createPace()
  for (const { name } of zip.entries()) {
    if (/^([^/]+\/)?activities\.csv$/.test(name)) return true
    if (pace.needsRest()) await pace.rest()
  }
  return false
}

async function imported(
  deps: Deps,
  file: FileHandle,
  { title, signal }: Pick<BulkWork, 'signal'> & { readonly title: string },
): Promise<ZipResult> {
  const source = await openStravaZip(file, join(deps.config.dataDir, 'tmp'))
  try {
    const unitM = splitUnitM(unitPreference(deps.db))
    const summary = await importStrava(deps, source, { unitM, signal, title })
    tellDone(deps.events, 'bulk', summary)
    if (signal.aborted) throw new EndedEarly('The service was stopped')
    const { successful, skipped, updated, errors, errorDetails } = summary
    return complete(
      { successful, skipped, updated, errors },
      errorDetails.map(({ error }) => error),
    )
  } finally {
    await source.close()
  }
}

async function restored(deps: Deps, file: FileHandle, title: string): Promise<ZipResult> {
  const archive = await openedArchive(file)
  try {
    const { statistics, errors: sentences } = await restoreArchive(deps, archive, title)
    const { imported: successful, skipped, errors } = statistics.workouts
    const counts = { successful, skipped, updated: 0, errors: Math.max(errors, sentences.length) }
    tellDone(deps.events, 'restore', counts)
    return complete(counts, sentences)
  } finally {
    await archive.close()
  }
}

/** @throws EndedEarly when it was interrupted for a reason other than its content */
function complete(counts: ImportCounts, errors: readonly string[]): ZipResult {
  const ours = errors.find((error) => error.startsWith(DISK_FULL) || /ended early/.test(error))
  if (ours !== undefined) throw new EndedEarly(ours)
  return { ...counts, firstError: errors[0] ?? null }
}
