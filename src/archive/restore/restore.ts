import { type FileHandle, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { gently } from '../../base/pace.ts'
import { DISK_FULL, damageIn, isDiskFull, reasonOf } from '../../db/disk-full.ts'
import type { DepsBy } from '../../library/deps.ts'
import { type Progress, progressOf } from '../../library/progress.ts'
import { openReceipt } from '../../library/receipts/record.ts'
import { openZip } from '../../zip/reader.ts'
import { ZipError } from '../../zip/zip-error.ts'
import { BadDataFile, dataRows, editedFiles, type OpenArchive } from '../format/data-rows.ts'
import { type Row, rowReader, uuidOf } from '../format/fields.ts'
import { MAX_UNPACKED_BYTES, readManifest } from '../format/manifest.ts'
import { WORKOUT_FIELDS } from '../format/workout-rows.ts'
import { restoreSettings, restoreShoes, settingsOfRows, shoesOfRows } from './account.ts'
import { restoreEfforts } from './efforts.ts'
import { indexEntries } from './files.ts'
import { restoreLibrary } from './library.ts'
import { Parts } from './parts.ts'
import { RestoreReport } from './report.ts'
import { calledRow, restoreWorkout } from './restore-workout.ts'
import type { RestoreSummary } from './schemas.ts'
import { spoolParts } from './spool.ts'
import type { RestoreWork } from './work.ts'

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
    const work = { deps, archive, parts, report, receipt, standIns: new Map<string, string>() }
    if (deps.by.isAutomatic) receipt?.warn({ filename: title, message: SETTINGS_LEFT_OUT })
    const edited = await editedFiles(archive, () => events.closed.throwIfAborted())
    if (edited !== null && edited.length > 0) report.warn(NOT_AS_WRITTEN, { which: edited.join(', ') })
    const runs = edited?.length === 0 ? await restoreLibrary(work, progress) : null
    // of a damaged library some runs may have rows alone
    if (runs === null || runs < (archive.manifest.workoutsCount ?? 0)) await restoreRows(work, runs === null, progress)
    await restoreEfforts(work)
    reportOrphans(parts, report)
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
  if (isWhole) {
    // rows that are left out are reported by the second reading
    for await (const { id } of shoesOfRows(work, () => {})) if (id !== null) work.parts.mark('shoe', id)
    await restoreShoes(work, shoesOfRows(work, work.report.leftOut))
    const settings = work.deps.by.isAutomatic ? null : await settingsOfRows(work)
    if (settings !== null) restoreSettings(work, settings)
  }
  await spoolParts(work)
  indexEntries(work)
  await restoreWorkouts(work, progress)
}

async function restoreWorkouts(work: RestoreWork, progress: Progress): Promise<void> {
  const { deps, archive } = work
  const read = rowReader(WORKOUT_FIELDS)
  for await (const rows of dataRows(archive, 'workouts', work.report.leftOut)) {
    for (const value of rows) {
      deps.events.closed.throwIfAborted()
      const row = read(value)
      await restoreRow(work, row)
      progress(calledRow(row) ?? '')
      await gently()
    }
  }
}

/** Restores one workout; parts that were not counted otherwise count as skipped. */
async function restoreRow(work: RestoreWork, row: Row | null): Promise<void> {
  const { deps, parts, report, receipt } = work
  const id = uuidOf(row?.id)
  report.read('workouts')
  if (row === null || id === null) {
    receipt?.note({ outcome: 'error', reason: 'A workout without an id' })
    return report.failed('workouts', 'Workouts without an id')
  }
  // parts of a workout that is repeated in the archive were counted with its first row
  if (parts.storedId(id) !== null) return
  try {
    await restoreWorkout(work, id, row)
  } catch (error) {
    // the workout itself is intact: what finds no space now is restored when the restore is repeated
    const isOurs = isDiskFull(error) || damageIn(error, deps.damage) !== null
    if (isOurs || (error instanceof ZipError && error.scope === 'archive')) throw error
    deps.log.error(`Restoring the workout ${id} failed`, error)
    report.failed('workouts', 'Workouts that could not be stored', { which: id })
    receipt?.note({ outcome: 'error', filename: calledRow(row), reason: 'It could not be stored' })
  } finally {
    if (parts.storedId(id) !== null) report.readParts(parts.counts(id))
  }
}

/** Reports parts without a workout, one message for each kind. */
function reportOrphans(parts: Parts, report: RestoreReport): void {
  const [orphans, unread] = [parts.orphans(), parts.unread()]
  for (const kind of ['routes', 'splits', 'timeSeries', 'media'] as const) {
    if (orphans[kind] > 0) {
      report.warn(`Rows of ${kind} whose workout is not in the archive, skipped: ${orphans[kind]}`)
    }
  }
  for (const lost of [orphans, unread]) report.readParts(lost)
}
