import { stat } from 'node:fs/promises'
import type { Static } from '@sinclair/typebox'
import { codeOf, notFound } from '../../base/errors.ts'
import type { Turns } from '../../base/turns.ts'
import { contentDisposition } from '../../http/content-disposition.ts'
import { fileResponse } from '../../http/file-response.ts'
import type { Deps } from '../../library/deps.ts'
import { mediaFilePath } from '../../library/files/paths.ts'
import { mediaRow } from './queries.ts'
import type { FileHeaders } from './schemas.ts'
import { mayBeSmaller, SMALL_FILE_BYTES, smallPicture } from './small-picture.ts'

interface Asked {
  readonly sent: Static<typeof FileHeaders>
  /** Whether a small version of a picture is sent where one can be made; else the file. */
  readonly isSmall: boolean
  readonly turns: Turns
}

/**
 * The bytes of a photo or video, whole or in part, respecting conditional headers (RFC 9110, 13).
 * @throws AppError 404 for an unknown workout, media of another one, or a missing file
 */
export async function serveMedia(
  { db, config, log }: Pick<Deps, 'db' | 'config' | 'log'>,
  { id, mediaId }: { readonly id: string; readonly mediaId: string },
  { sent, isSmall, turns }: Asked,
): Promise<Response> {
  const { filename, mimeType } = mediaRow(db, id, mediaId)
  const path = mediaFilePath(config.dataDir, mediaId)
  const size = await sizeOf(path)
  if (size === 0) {
    log.warn(`The file of the media ${mediaId} is missing`)
    throw notFound('Media')
  }
  // the bytes of an id never change
  const etag = `"${mediaId}-${size.toString(16)}"`
  const validators = { ETag: etag, 'Cache-Control': 'private, no-cache', 'X-Content-Type-Options': 'nosniff' }
  if (isSmall && size > SMALL_FILE_BYTES && mayBeSmaller(mimeType)) {
    const headers = { ...validators, ETag: `"${mediaId}-small"`, 'Content-Type': 'image/webp' }
    if (matches(sent['if-none-match'], headers.ETag)) return new Response(null, { status: 304, headers })
    const picture = await smallPicture(path, mimeType, turns)
    if (picture !== null) return new Response(new Uint8Array(picture), { headers })
  }
  if (matches(sent['if-none-match'], etag)) return new Response(null, { status: 304, headers: validators })

  const ifRange = sent['if-range']
  const range = ifRange === undefined || ifRange === etag ? (sent.range ?? null) : null
  const headers = {
    ...validators,
    'Content-Type': mimeType,
    'Content-Disposition': contentDisposition('inline', filename),
  }
  return await fileResponse({ path, size, range, headers })
}

/** Size in bytes; 0 when the file does not exist. Uploads are never empty, so an empty file counts as missing too. */
async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 0
    throw error
  }
}

/** Evaluates If-None-Match: a list of tags, weak ones equal to strong ones, or `*`. */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.split(',').some((tag) => {
    const sent = tag.trim()
    return sent === '*' || sent.replace(/^W\//, '') === etag
  })
}
