import { type FileHandle, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DISK_FULL, isDiskFull, reasonOf } from '../../db/disk-full.ts'
import type { DepsBy } from '../../library/deps.ts'
import { type Progress, progressOf } from '../../library/progress.ts'
import { openReceipt } from '../../library/receipts/record.ts'
import { openZip } from '../../zip/reader.ts'
import { ZipError } from '../../zip/zip-error.ts'
import {
  BadDataFile,
  eachRow,
  editedFiles,
  MAX_UNPACKED_BYTES,
  type OpenArchive,
  readManifest,
} from '../format/data-rows.ts'
import { restoreSettings, restoreShoes, settingsOfRows, shoesOfRows } from './account.ts'
import { restoreEfforts } from './efforts.ts'
import { restoreLibrary } from './library.ts'
import { Parts, type RestoreWork, spoolParts } from './parts.ts'
import { RestoreReport, type RestoreSummary } from './report.ts'
import { restoreRow } from './rows.ts'

/**
 * Opens an archive of Harrier or Tempo and validates its manifest.
 * @param source a path, or an open file, which the caller closes
 * @param readings how often its entries may be read
 * @throws AppError 400, ZipError
 */
export async function openedArchive(source: string | FileHandle, readings = 2) {
  const zip = await openZip(source, { maxUnpackedBytes: readings * MAX_UNPACKED_BYTES })
  const close = () => zip.close()
  try {
    return { zip, manifest: await readManifest(zip), close, [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    throw error
  }
}

/** What an edited archive does not bring: what other programs do not know. */
const NOT_AS_WRITTEN =
  'Its rows were restored as those of another program, without repairs, further recordings, goals, races and places, since a data file is not as it was written'
const SETTINGS_LEFT_OUT = 'Its settings were not restored; import it on the page to restore them'

/**
 * Restores everything of an archive that is not stored yet: shoes, settings (unless it came by itself), each workout with
 * its parts in one transaction, best efforts. `library.json` counts while all data files are as they were written, else
 * the rows. When it ends early, as at a damaged data file, the summary says so; what was restored
 * stays, and restoring the archive again continues from there. Memory does not grow with the archive.
 */
export async function restoreArchive(deps: DepsBy, archive: OpenArchive, title = 'Archive'): Promise<RestoreSummary> {
  const { config, now, events } = deps
  const report = new RestoreReport()
  const tmpDir = join(config.dataDir, 'tmp')
  using progress = progressOf(deps, { kind: 'restore', total: () => archive.manifest.workoutsCount ?? 0 })
  const receipt = openReceipt(deps, { kind: 'import', origin: 'archive', title })
  let parts: Parts | null = null
  try {
    await mkdir(tmpDir, { recursive: true })
    parts = new Parts(join(tmpDir, crypto.randomUUID()))
    const work: RestoreWork = {
      ...{ deps, archive, parts, report, receipt },
      ...{ standIns: new Map(), stored: new Set(), whole: new Set(), originals: [] },
    }
    if (deps.by.isAutomatic) receipt?.warn({ filename: title, message: SETTINGS_LEFT_OUT })
    const edited = await editedFiles(archive, () => events.closed.throwIfAborted())
    if (edited !== null && edited.length > 0) report.warn(NOT_AS_WRITTEN, { which: edited.join(', ') })
    const runs = edited?.length === 0 ? await restoreLibrary(work, progress) : null
    // of a damaged library some runs may have rows alone
    if (runs === null || runs < (archive.manifest.workoutsCount ?? 0)) await restoreRows(work, runs === null, progress)
    await restoreEfforts(work)
    reportOrphans(work)
  } catch (error) {
    const { stopped } = progress.stopped()
    if (stopped !== undefined && error === events.closed.reason) {
      report.broken(stopped)
      receipt?.warn({ filename: title, message: stopped })
    } else if (error instanceof BadDataFile || error instanceof ZipError) report.broken(error.message)
    else if (isDiskFull(error)) {
      deps.log.error('A restore ended early: the disk is full')
      report.broken(`${DISK_FULL}: the restore ended early; make space and repeat it`)
    } else {
      deps.log.error('A restore ended early', error)
      const otherwise = 'The restore ended early because of an unexpected error; it can be repeated'
      report.broken(reasonOf(error, otherwise, deps.damage))
    }
  } finally {
    parts?.close()
    receipt?.finish()
  }
  return { ...report.summary(now()), receiptId: receipt?.id ?? null, ...progress.stopped() }
}

/** @param isWhole whether everything is restored by rows: shoes and settings as well */
async function restoreRows(work: RestoreWork, isWhole: boolean, progress: Progress): Promise<void> {
  const { deps, archive, report } = work
  if (isWhole) {
    await restoreShoes(work, await shoesOfRows(work))
    const settings = deps.by.isAutomatic ? null : await settingsOfRows(work)
    if (settings !== null) restoreSettings(work, settings)
  }
  await spoolParts(work)
  for await (const value of eachRow(archive, 'workouts', report.warn)) {
    deps.events.closed.throwIfAborted()
    progress(await restoreRow(work, value))
  }
}

function reportOrphans({ parts, report }: RestoreWork): void {
  const orphans = parts.orphans()
  for (const kind of ['routes', 'splits', 'timeSeries', 'media'] as const) {
    if (orphans[kind] === undefined) continue
    report.warn(`Rows of ${kind} whose workout is not in the archive, skipped: ${orphans[kind]}`)
  }
}
