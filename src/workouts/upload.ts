import { join } from 'node:path'
import type { Deps } from '../deps.ts'
import { invalid } from '../errors.ts'
import { readUpload } from '../http/multipart.ts'
import { slowJson } from '../http/slow-json.ts'
import type { UnitPreference } from '../settings/queries.ts'
import { type ImportSummary, importFiles, type SingleImport } from './import.ts'

/**
 * The upload of workout files: received whole, then read file by file; a client that goes away does not end it.
 * @throws AppError 400 without a file or with another unit, 413
 */
export async function importUpload(deps: Deps, request: Request): Promise<Response> {
  const { config, log } = deps
  const upload = await readUpload(request, { maxBytes: config.maxUploadBytes, tmpDir: join(config.dataDir, 'tmp') })
  let work: Promise<SingleImport | ImportSummary>
  try {
    if (upload.files.length === 0) throw invalid('The upload has no file')
    const units = sentUnits(upload.fields.get('unitPreference'))
    work = importFiles(deps, upload.files, units).finally(() => upload.dispose())
  } catch (error) {
    await upload.dispose()
    throw error
  }
  // One file may still be answered with 400, several always end in a summary.
  if (upload.files.length === 1) return Response.json(await work)
  const whenFailed = (error: unknown) => {
    log.error('An import of several files failed', error)
    return { error: 'Internal server error' }
  }
  const answer = await slowJson(work, { whenFailed })
  return answer instanceof Response ? answer : Response.json(answer)
}

/** null: not sent or blank. */
function sentUnits(sent: string | undefined): UnitPreference | null {
  const units = sent?.trim() ?? ''
  if (units === '') return null
  if (units !== 'metric' && units !== 'imperial') throw invalid('unitPreference must be metric or imperial')
  return units
}
