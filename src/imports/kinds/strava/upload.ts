import { join } from 'node:path'
import { receiveZip } from '../../../archive/received-zip.ts'
import type { Turns } from '../../../base/turns.ts'
import { byOf } from '../../../http/author.ts'
import { slowJson } from '../../../http/slow-json.ts'
import type { Deps } from '../../../library/deps.ts'
import { announceDone, announceRefused } from '../../../library/progress.ts'
import { leaveRefusal } from '../../../library/receipts/record.ts'
import { splitUnitM, unitPreference } from '../../../library/settings.ts'
import { sentUnits } from '../../files/upload.ts'
import { importStrava } from './import.ts'
import type { BulkSummary } from './schemas.ts'
import { endedEarly, tallyOf } from './tally.ts'
import { openStravaZip } from './zip.ts'

/** Reason given to listeners, since the client no longer receives the answer. */
const STOPPED = 'The client disconnected; the rest of the export was not imported'

/**
 * Receives a Strava export, which is validated before anything is stored, and imports it when its turn comes; when the
 * client disconnects, it ends before the next row.
 * @throws AppError 400 when it is not a Strava export, 413
 */
export async function importStravaUpload(deps: Deps, turns: Turns, request: Request): Promise<Response> {
  const { events, config, log } = deps
  const refused = (error: unknown) => {
    announceRefused(events, 'bulk', error)
    throw error
  }
  const authored = { ...deps, ...byOf(request) }
  const needs = {
    config,
    log,
    events,
    maxBytes: config.maxUploadBytes,
    refused: (filename: string, reason: string) =>
      leaveRefusal(authored, { origin: 'strava_archive', filename, reason }),
  }
  const received = await receiveZip(request, needs, (path, fields) => openedExport(deps, path, fields)).catch(refused)
  const { source, unitM } = received.opened
  const { signal } = request
  const work = turns
    .take(() => importStrava(authored, source, { unitM, signal, title: received.filename }))
    .finally(received.dispose)
    .then((summary: BulkSummary) => {
      const isStopped = signal.aborted && summary.totalProcessed < source.runs
      announceDone(events, 'bulk', { ...summary, ...(isStopped ? { stopped: STOPPED } : {}) })
      return summary
    }, refused)
  const whenFailed = (error: unknown) => endedEarly(deps, tallyOf(source, null), error).summary(deps.db)
  return await slowJson(work, { whenFailed })
}

/** Validates the other fields first, so that an error in them does not leave the archive open. */
async function openedExport({ db, config }: Deps, path: string, fields: ReadonlyMap<string, string>) {
  const unitM = splitUnitM(sentUnits(fields.get('unitPreference')) ?? unitPreference(db))
  const source = await openStravaZip(path, join(config.dataDir, 'tmp'))
  return { source, unitM, close: () => source.close() }
}
