import { stat } from 'node:fs/promises'
import type { Static } from '@sinclair/typebox'
import type { Deps } from '../deps.ts'
import { AppError, invalid, notFound } from '../errors.ts'
import { contentDisposition } from '../http/content-disposition.ts'
import { fileResponse } from '../http/file-response.ts'
import { rawFilePath } from '../library/files/paths.ts'
import { bytesOf } from '../workers/written-file.ts'
import { originalExtension, runFileStem } from './names.ts'
import { originalOf, type RunRow, runRow, writtenFile } from './run-file.ts'
import type { RunFileParameters } from './schemas.ts'

/** Content types by format; an original is sent as bytes, whatever its name. */
const TYPES = {
  fit: 'application/vnd.ant.fit',
  gpx: 'application/gpx+xml',
  tcx: 'application/vnd.garmin.tcx+xml',
} as const

type Needs = Pick<Deps, 'db' | 'config' | 'log' | 'analyzer'>

/**
 * One run as a download.
 * @param range Range header for an original, as sent; null: the whole file
 * @throws AppError 400 for a run that the format cannot represent, 404 for an unknown run or a missing original
 */
export async function runFileResponse(
  deps: Needs,
  { id, format, trim = false }: { readonly id: string } & Static<typeof RunFileParameters>,
  range: string | null,
): Promise<Response> {
  const row = runRow(deps.db, id)
  if (row === null) throw notFound('Workout')
  // ignoring it would send a run with the runner's home although it was asked to be cut
  if (trim) throw invalid('trim is not possible yet: there are no privacy zones')
  if (format === 'original') return await originalResponse(deps, row, range)
  const file = await writtenFile(deps, { tx: deps.db, row, format })
  const headers = headersOf(row, TYPES[format], `.${format}`)
  if (!file.isPacked) return new Response(new Blob([...file.pieces]), { headers })
  return new Response(streamOf(bytesOf(file)), { headers: { ...headers, 'Content-Length': String(file.size) } })
}

function streamOf(pieces: AsyncGenerator<Uint8Array, void>): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        const next = await pieces.next()
        if (next.done) controller.close()
        else controller.enqueue(next.value)
      },
      async cancel() {
        await pieces.return()
      },
    },
    { highWaterMark: 0 },
  )
}

async function originalResponse({ db, config, log }: Needs, row: RunRow, range: string | null): Promise<Response> {
  const original = originalOf(db, row.id)
  if (original === null) throw invalid('This run has no original file')
  const path = rawFilePath(config.dataDir, original.storedAs)
  const found = await stat(path).catch(() => null)
  if (found === null) {
    log.warn(`The original file of the recording ${original.recordingId} is lost`)
    throw new AppError('notFound', 'The original file of the workout is lost')
  }
  const extension = originalExtension(original.fileName, original.fileType)
  const headers = headersOf(row, 'application/octet-stream', extension)
  return await fileResponse({ path, size: found.size, range, headers })
}

function headersOf({ startedAt, utcOffsetMinutes, name }: RunRow, type: string, extension: string) {
  return {
    'Content-Type': type,
    'Content-Disposition': contentDisposition('attachment', runFileStem(startedAt, utcOffsetMinutes, name) + extension),
    'Cache-Control': 'private, no-cache',
    'X-Content-Type-Options': 'nosniff',
  }
}
