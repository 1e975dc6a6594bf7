import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { openedArchive, restoreArchive } from '../../archive/restore/restore.ts'
import { AppError, STOPPING } from '../../base/errors.ts'
import type { ImportCounts } from '../../base/events.ts'
import { DISK_FULL } from '../../db/disk-full.ts'
import { FormatError } from '../../formats/format.ts'
import type { DepsBy } from '../../library/deps.ts'
import { announceDone } from '../../library/progress.ts'
import { splitUnitM, unitPreference } from '../../library/settings.ts'
import { ZipError } from '../../zip/zip-error.ts'
import { importTakeout } from '../kinds/import.ts'
import type { TakeoutKind, TakeoutSource } from '../kinds/kind.ts'
import { recognised } from '../kinds/recognise.ts'
import { openSource } from '../kinds/source.ts'

export interface ZipResult extends ImportCounts {
  readonly firstError: string | null
  /** Why the import ended before the last run, such as a full disk; repeated, it continues there. null: it did not. */
  readonly endedEarly: string | null
}

interface ZipWork {
  readonly title: string
  /** When aborted, the import ends before its next run. */
  readonly signal?: AbortSignal
}

/**
 * Imports an archive of Harrier or Tempo, or the export of any service, which leaves its own receipt.
 * @param source a path, or an open file, which the caller closes
 * @throws FormatError for an archive that cannot be read; with problem `unknown` when it is of no known kind
 */
export async function importZip(deps: DepsBy, source: string | FileHandle, work: ZipWork): Promise<ZipResult> {
  const filename = work.title
  try {
    const opened = await openSource(source, { filename, tmpDir: join(deps.config.dataDir, 'tmp') })
    try {
      const kind = await recognised(opened)
      if (kind === 'archive') return await restored(deps, source, work)
      return await takenOut(deps, opened, kind, work)
    } finally {
      await opened.close()
    }
  } catch (error) {
    if (error instanceof FormatError && error.problem === 'unknown') {
      throw new FormatError('This ZIP is not an export that Harrier can read, and has no workout files', {
        problem: 'unknown',
      })
    }
    if (error instanceof ZipError || (error instanceof AppError && error.kind !== 'unavailable'))
      throw new FormatError(error.message, { cause: error })
    throw error
  }
}

async function takenOut(
  deps: DepsBy,
  source: TakeoutSource,
  kind: TakeoutKind,
  { title, signal = deps.events.closed }: ZipWork,
): Promise<ZipResult> {
  const counted = await kind.table?.counted(source)
  const how = { createShoes: true, includeDeleted: false, signal, title, counted }
  const summary = await importTakeout(deps, source, kind, { ...how, unitM: splitUnitM(unitPreference(deps.db)) })
  return ended(deps, summary, signal)
}

/** Announces the end of an import; one that was stopped with the service continues with the next start. */
function ended({ events }: DepsBy, summary: Imported, signal: AbortSignal): ZipResult {
  announceDone(events, 'bulk', summary)
  const reasons = summary.errorDetails.map(({ error }) => error)
  const result = complete(summary, reasons)
  return signal.aborted ? { ...result, endedEarly: 'The service was stopped' } : result
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

interface Imported extends ImportCounts {
  readonly errorDetails: readonly { readonly error: string }[]
}

function complete({ successful, skipped, updated, errors }: ImportCounts, reasons: readonly string[]): ZipResult {
  const endedEarly =
    reasons.find(
      (error) => [DISK_FULL, STOPPING].some((start) => error.startsWith(start)) || /ended early/.test(error),
    ) ?? null
  return { successful, skipped, updated, errors, firstError: reasons[0] ?? null, endedEarly }
}
