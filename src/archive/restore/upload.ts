import { AppError } from '../../base/errors.ts'
import type { Turns } from '../../base/turns.ts'
import { reasonOf } from '../../db/disk-full.ts'
import { FormatError } from '../../formats/format.ts'
import { byOf } from '../../http/author.ts'
import { slowJson } from '../../http/slow-json.ts'
import type { Deps } from '../../library/deps.ts'
import { announceDone, announceRefused } from '../../library/progress.ts'
import { leaveRefusal } from '../../library/receipts/record.ts'
import { receiveZip } from '../received-zip.ts'
import { RestoreReport } from './report.ts'
import { openedArchive, restoreArchive } from './restore.ts'
import type { RestoreSummary } from './schemas.ts'

/**
 * Receives an archive of Harrier or Tempo, validates it as a whole, and restores it when its turn comes, whether or not
 * the client is still connected.
 * @throws AppError 400 when it is no such archive, before anything is written; 413
 */
export async function restoreUpload(deps: Deps, turns: Turns, request: Request): Promise<Response> {
  const { config, events, log, now } = deps
  const authored = { ...deps, ...byOf(request) }
  const needs = {
    config,
    log,
    events,
    maxBytes: config.maxArchiveBytes,
    refused: (filename: string, reason: string) => leaveRefusal(authored, { origin: 'archive', filename, reason }),
  }
  const open = (path: string) => openedArchive(path).catch(asFormatError)
  const received = await receiveZip(request, needs, open).catch((error: unknown) => {
    announceRefused(events, 'restore', error)
    throw error
  })
  const whenFailed = (error: unknown): RestoreSummary => {
    const isRefused = error instanceof AppError
    if (!isRefused) log.error('A restore failed', error)
    const report = new RestoreReport()
    report.broken(reasonOf(error, 'The restore failed because of an unexpected error; it can be repeated', deps.damage))
    return { ...report.summary(now()), ...(isRefused ? { stopped: error.message } : {}) }
  }
  const work = turns
    .take(() => restoreArchive(authored, received.opened, received.filename))
    .finally(received.dispose)
    .catch(whenFailed)
    .then((summary) => {
      const { imported, skipped, errors } = summary.statistics.workouts
      const cut = summary.stopped === undefined ? {} : { stopped: summary.stopped }
      announceDone(events, 'restore', { successful: imported, skipped, updated: 0, errors, ...cut })
      return summary
    })
  return await slowJson(work, { whenFailed })
}

/** Turns the error of an invalid archive into a FormatError, since the file is at fault. */
function asFormatError(error: unknown): never {
  throw error instanceof AppError && error.kind === 'invalid' ? new FormatError(error.message, { cause: error }) : error
}
