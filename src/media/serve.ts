import { stat } from 'node:fs/promises'
import type { Static } from '@sinclair/typebox'
import type { Deps } from '../deps.ts'
import { notFound } from '../errors.ts'
import { contentDisposition } from '../http/content-disposition.ts'
import { errorResponse } from '../http/errors.ts'
import { mediaFilePath } from '../workouts/media-files.ts'
import { mediaRow } from './queries.ts'
import type { FileHeaders } from './schemas.ts'

/**
 * The bytes of a photo or video, whole or in part (RFC 9110 13 and 14). Bun cuts the range out of a file response by
 * itself; here stands what it leaves to others: conditions, refusals with a body, and the headers.
 * @throws AppError 404 for an unknown workout, media of another one, or a file lost on disk
 */
export async function serveMedia(
  { db, config, log }: Pick<Deps, 'db' | 'config' | 'log'>,
  { id, mediaId }: { readonly id: string; readonly mediaId: string },
  sent: Static<typeof FileHeaders>,
): Promise<Response> {
  const { filename, mimeType } = mediaRow(db, id, mediaId)
  const path = mediaFilePath(config.dataDir, mediaId)
  const size = await sizeOf(path)
  if (size === 0) {
    log.warn(`The file of the media ${mediaId} is lost`)
    throw notFound('Media')
  }
  // the bytes of an id never change
  const etag = `"${mediaId}-${size.toString(16)}"`
  const validators = { ETag: etag, 'Cache-Control': 'private, no-cache', 'X-Content-Type-Options': 'nosniff' }
  if (matches(sent['if-none-match'], etag)) return new Response(null, { status: 304, headers: validators })

  const ifRange = sent['if-range']
  const wanted = ifRange === undefined || ifRange === etag ? wantedOf(sent.range, size) : 'whole'
  if (wanted === 'unsatisfiable') {
    return errorResponse(416, 'The range lies outside of the file', {
      'Accept-Ranges': 'bytes',
      'Content-Range': `bytes */${size}`,
    })
  }
  const headers = {
    ...validators,
    'Content-Type': mimeType,
    'Content-Disposition': contentDisposition('inline', filename),
    // Bun adds its own to a part
    ...(wanted === 'part' ? {} : { 'Accept-Ranges': 'bytes' }),
  }
  const file = Bun.file(path)
  // Bun takes some backward ranges for unsatisfiable ones; it looks at no range when the body is not a file
  return new Response(wanted === 'backward' ? await file.bytes() : file, { headers })
}

/** Bytes; 0 when there is no file. An upload is never empty, so an empty file has lost its bytes too. */
async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0
    throw error
  }
}

/** If-None-Match: a list of tags, weak ones the same as strong ones, or `*`. */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.split(',').some((tag) => {
    const sent = tag.trim()
    return sent === '*' || sent.replace(/^W\//, '') === etag
  })
}

/** What a Range header asks for; one that is malformed, of another unit or of several ranges counts as none. */
function wantedOf(range: string | undefined, size: number): 'whole' | 'part' | 'unsatisfiable' | 'backward' {
  const [, first = '', last = ''] = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(range ?? '') ?? []
  if (first === '') {
    if (last === '') return 'whole'
    return Number(last) === 0 ? 'unsatisfiable' : 'part'
  }
  if (last !== '' && Number(last) < Number(first)) return 'backward'
  return Number(first) >= size ? 'unsatisfiable' : 'part'
}
