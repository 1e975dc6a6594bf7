import { join } from 'node:path'
import type { Deps } from '../deps.ts'
import { invalid } from '../errors.ts'
import { tellDone, tellRefused } from '../events/progress.ts'
import { FormatError } from '../formats/format.ts'
import { readUpload, type UploadedFile } from '../http/multipart.ts'
import { slowJson } from '../http/slow-json.ts'
import { splitUnitM, unitPreference } from '../settings/queries.ts'
import { temporaryFile } from '../workouts/raw-files.ts'
import { sentUnits } from '../workouts/upload.ts'
import { ZipError } from '../zip/zip-error.ts'
import { endedEarly, importStrava, tallyOf } from './strava.ts'
import type { BulkSummary } from './strava-schemas.ts'
import { openStravaZip, type StravaZip } from './strava-zip.ts'
import type { Turns } from './turns.ts'

/** An export that is on the disk and can be read. */
interface Received {
  readonly source: StravaZip
  readonly unitM: number
  /** Removes all that the upload left. */
  dispose(): Promise<void>
}

/**
 * The upload of a Strava export: received whole and looked at, so that what can be refused is refused before anything is
 * stored; then imported when its turn comes, whether or not the client is still there.
 * @throws AppError 400 for what is no export of Strava, 413
 */
export async function importStravaUpload(deps: Deps, turns: Turns, request: Request): Promise<Response> {
  const { events, log } = deps
  const refused = (error: unknown) => {
    tellRefused(events, 'bulk', error)
    throw error
  }
  const received = await receive(deps, request).catch(refused)
  const work = turns
    .take(() => importStrava(deps, received.source, received.unitM))
    .finally(() => received.dispose().catch((error: unknown) => log.error('An upload could not be removed', error)))
    .then((summary: BulkSummary) => {
      tellDone(events, 'bulk', summary)
      return summary
    }, refused)
  const whenFailed = (error: unknown) => endedEarly(deps, tallyOf(received.source), error).summary()
  const answer = await slowJson(work, { whenFailed })
  return answer instanceof Response ? answer : Response.json(answer)
}

async function receive({ config, db }: Deps, request: Request): Promise<Received> {
  const tmpDir = join(config.dataDir, 'tmp')
  const upload = await readUpload(request, { maxBytes: config.maxUploadBytes, tmpDir })
  try {
    const units = sentUnits(upload.fields.get('unitPreference'))
    // before the archive is opened: what fails here must not leave it open
    const unitM = splitUnitM(units ?? unitPreference(db))
    const file = (await firstZip(upload.files)) ?? upload.files[0]
    if (file === undefined) throw invalid('The upload has no file')
    // a small upload is kept in memory, archives are read from the disk
    const path = file.path ?? (await temporaryFile(config.dataDir, await file.bytes()))
    const dispose = async () => {
      if (path !== file.path) await Bun.file(path).delete()
      await upload.dispose()
    }
    const source = await openStravaZip(path).catch(async (error: unknown) => {
      await dispose()
      throw refusalOf(error)
    })
    return { source, unitM, dispose: () => source.close().finally(dispose) }
  } catch (error) {
    await upload.dispose()
    throw error
  }
}

/** Content decides, not the name: of several parts the first that begins as archives do. */
async function firstZip(files: readonly UploadedFile[]): Promise<UploadedFile | null> {
  for (const file of files) {
    const head = file.path === null ? await file.bytes() : await Bun.file(file.path).slice(0, 2).bytes()
    if (head[0] === 0x50 && head[1] === 0x4b) return file
  }
  return null
}

function refusalOf(error: unknown): unknown {
  return error instanceof ZipError || error instanceof FormatError ? invalid(error.message) : error
}
