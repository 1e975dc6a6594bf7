import { join } from 'node:path'
import type { Static } from '@sinclair/typebox'
import type { Deps } from '../deps.ts'
import { reasonOf } from '../disk-full.ts'
import { invalid } from '../errors.ts'
import type { ImportCounts } from '../events/emitter.ts'
import { tellDone, tellRefused } from '../events/progress.ts'
import { authorOf } from '../http/author.ts'
import { readUpload } from '../http/multipart.ts'
import { slowJson } from '../http/slow-json.ts'
import type { UnitPreference } from '../library/settings.ts'
import { importFiles, importSummary } from './import.ts'
import type { ImportAnswer } from './schemas.ts'

type Answer = Static<typeof ImportAnswer>

interface Running {
  readonly filesCount: number
  readonly work: Promise<Answer>
}

/**
 * The upload of workout files: received whole, then read file by file; a client that goes away does not end it.
 * @throws AppError 400 without a file or with another unit, 413
 */
export async function importUpload(deps: Deps, request: Request): Promise<Response> {
  const { events, log } = deps
  const refused = (error: unknown) => {
    tellRefused(events, 'files', error)
    throw error
  }
  const { filesCount, work } = await received({ ...deps, ...authorOf(request) }, request).catch(refused)
  const told = work.then((answer) => {
    tellDone(events, 'files', countsOf(answer))
    return answer
  }, refused)
  // One file may still be answered with 400, several always end in a summary.
  if (filesCount === 1) return Response.json(await told)
  const whenFailed = (error: unknown): Answer => {
    log.error('An import of several files ended early', error)
    const reason = reasonOf(error, 'The import ended early because of an unexpected error; it can be repeated')
    return importSummary([{ filename: '', outcome: { error: reason } }], { skippedOther: 0, receiptId: null })
  }
  const answer = await slowJson(told, { whenFailed })
  return answer instanceof Response ? answer : Response.json(answer)
}

/** The import begins as soon as all files are there. */
async function received(deps: Deps, request: Request): Promise<Running> {
  const { maxUploadBytes, dataDir } = deps.config
  const upload = await readUpload(request, { maxBytes: maxUploadBytes, tmpDir: join(dataDir, 'tmp') })
  try {
    if (upload.files.length === 0) throw invalid('The upload has no file')
    const units = sentUnits(upload.fields.get('unitPreference'))
    const work = importFiles(deps, upload.files, units).finally(() => upload.dispose())
    return { filesCount: upload.files.length, work }
  } catch (error) {
    await upload.dispose()
    throw error
  }
}

/** null: not sent or blank. */
export function sentUnits(sent: string | undefined): UnitPreference | null {
  const units = sent?.trim() ?? ''
  if (units === '') return null
  if (units !== 'metric' && units !== 'imperial') throw invalid('unitPreference must be metric or imperial')
  return units
}

function countsOf(answer: Answer): ImportCounts {
  if (!('action' in answer)) return answer
  const { action } = answer
  const count = (counted: typeof action) => (action === counted ? 1 : 0)
  return { successful: count('created'), skipped: count('skipped'), updated: count('updated'), errors: 0 }
}
