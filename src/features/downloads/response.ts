import type { Static } from '@sinclair/typebox'
import { invalid, notFound } from '../../base/errors.ts'
import type { Heavy } from '../../http/heavy.ts'
import type { Deps } from '../../library/deps.ts'
import { downloadHeaders, originalResponse } from '../workouts/sources/original-file.ts'
import { originalExtension, runFileStem } from './names.ts'
import { askedTrimming, originalOf, runRow, type StatedRow, writtenFile } from './run-file.ts'
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
  const nameOf = ({ startedAt, utcOffsetMinutes, name }: StatedRow) => runFileStem(startedAt, utcOffsetMinutes, name)
  if (format === 'original') {
    const original = originalOf(deps.db, id)
    if (original === null) throw invalid('This run has no original file')
    const name = nameOf(row) + originalExtension(original.fileName, original.fileType)
    return await originalResponse(deps, { ...original, name }, request.headers.get('range'))
  }
  return await deps.heavy.made(request, async () => {
    const { pieces, row: shown } = await writtenFile(deps, { tx: deps.db, row, format, trim: trimmed })
    return new Response(new Blob(pieces), { headers: downloadHeaders(TYPES[format], `${nameOf(shown)}.${format}`) })
  })
}
