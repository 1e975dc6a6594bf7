import { join } from 'node:path'
import type { Deps } from '../deps.ts'
import { invalid } from '../errors.ts'
import { tellDone, tellRefused } from '../events/progress.ts'
import { readUpload } from '../http/multipart.ts'
import { slowJson } from '../http/slow-json.ts'
import { temporaryFile } from '../workouts/raw-files.ts'
import { openZip } from '../zip/reader.ts'
import { ZipError } from '../zip/zip-error.ts'
import type { OpenArchive } from './data-rows.ts'
import { MAX_UNPACKED_BYTES, readManifest } from './manifest.ts'
import { restoreArchive } from './restore.ts'
import { RestoreReport, type RestoreSummary } from './restore-report.ts'
import type { Turns } from './turns.ts'

interface Received {
  readonly archive: OpenArchive
  /** Removes all that the upload left. */
  dispose(): Promise<void>
}

/**
 * The upload of an own archive, or of Tempo's: received whole and judged, then restored when its turn comes, whether or
 * not the client is still there.
 * @throws AppError 400 for what is no such archive, before anything is written; 413
 */
export async function restoreUpload(deps: Deps, turns: Turns, request: Request): Promise<Response> {
  const { events, log, now } = deps
  const received = await receive(deps, request).catch((error: unknown) => {
    tellRefused(events, 'restore', error)
    throw error
  })
  const whenFailed = (error: unknown): RestoreSummary => {
    log.error('A restore failed', error)
    const report = new RestoreReport()
    report.broken('The restore failed because of an unexpected error; it can be repeated')
    return report.summary(now())
  }
  const work = turns
    .take(() => restoreArchive(deps, received.archive))
    .finally(() => received.dispose())
    .catch(whenFailed)
    .then((summary) => {
      const { imported, skipped, errors } = summary.statistics.workouts
      tellDone(events, 'restore', { successful: imported, skipped, updated: 0, errors })
      return summary
    })
  const answer = await slowJson(work, { whenFailed })
  return answer instanceof Response ? answer : Response.json(answer)
}

async function receive({ config }: Deps, request: Request): Promise<Received> {
  const tmpDir = join(config.dataDir, 'tmp')
  const upload = await readUpload(request, { maxBytes: config.maxArchiveBytes, tmpDir })
  let spooled: string | null = null
  const dispose = async () => {
    if (spooled !== null) await Bun.file(spooled).delete()
    await upload.dispose()
  }
  try {
    const [file] = upload.files
    if (file === undefined) throw invalid('The upload has no file')
    // a small upload is kept in memory, archives are read from the disk
    if (file.path === null) spooled = await temporaryFile(config.dataDir, await file.bytes())
    const zip = await openZip(file.path ?? spooled ?? '', { maxUnpackedBytes: MAX_UNPACKED_BYTES })
    try {
      const archive = { zip, manifest: await readManifest(zip) }
      return { archive, dispose: () => zip.close().finally(dispose) }
    } catch (error) {
      await zip.close()
      throw error
    }
  } catch (error) {
    await dispose()
    throw error instanceof ZipError ? invalid(error.message) : error
  }
}
