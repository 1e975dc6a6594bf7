import { stat } from 'node:fs/promises'
import type { Static } from '@sinclair/typebox'
import { AppError, invalid, notFound } from '../../base/errors.ts'
import { contentDisposition, fileResponse } from '../../http/file-response.ts'
import type { Heavy } from '../../http/heavy.ts'
import type { Deps } from '../../library/deps.ts'
import { rawFilePath } from '../../library/files/paths.ts'
import { originalExtension, runFileStem } from './names.ts'
import { askedTrimming, originalOf, type RunRow, runRow, type StatedRow, writtenFile } from './run-file.ts'
import type { RunFileParameters } from './schemas.ts'

/** Content types by format; an original is sent as bytes, whatever its name. */
const TYPES = {
  fit: 'application/vnd.ant.fit',
  gpx: 'application/gpx+xml',
  tcx: 'application/vnd.garmin.tcx+xml',
} as const

interface Needs extends Pick<Deps, 'db' | 'config' | 'log' | 'worker' | 'jwtSecret'> {
  readonly heavy: Heavy
}

/**
 * One run as a download; a Range header counts for an original.
 * @throws AppError 400 for a run that the format cannot represent, 404 for an unknown run or a missing original
 */
export async function runFileResponse(
  deps: Needs,
  { id, format, trim }: { readonly id: string } & Static<typeof RunFileParameters>,
  request: Request,
): Promise<Response> {
  const row = runRow(deps.db, id)
  if (row === null) throw notFound('Workout')
  const trimmed = askedTrimming(deps, { format, trim })
  if (format === 'original') return await originalResponse(deps, row, request.headers.get('range'))
  return await deps.heavy.made(request, async () => {
    const { pieces, row: shown } = await writtenFile(deps, { tx: deps.db, row, format, trim: trimmed })
    return new Response(new Blob(pieces), { headers: headersOf(shown, TYPES[format], `.${format}`) })
  })
}

async function originalResponse({ db, config, log }: Needs, row: RunRow, range: string | null): Promise<Response> {
  const original = originalOf(db, row.id)
  if (original === null) throw invalid('This run has no original file')
  const path = rawFilePath(config.dataDir, original.storedAs)
  const found = await stat(path).catch(() => null)
  if (found === null) {
    log.warn(`The original file of the recording ${original.recordingId} is missing`)
    throw new AppError('notFound', 'The original file of the workout is lost')
  }
  const extension = originalExtension(original.fileName, original.fileType)
  const headers = headersOf(row, 'application/octet-stream', extension)
  return fileResponse({ path, size: found.size, range, headers })
}

function headersOf({ startedAt, utcOffsetMinutes, name }: StatedRow, type: string, extension: string) {
  return {
    'Content-Type': type,
    'Content-Disposition': contentDisposition('attachment', runFileStem(startedAt, utcOffsetMinutes, name) + extension),
    'Cache-Control': 'private, no-cache',
    'X-Content-Type-Options': 'nosniff',
  }
}
