import { stat } from 'node:fs/promises'
import type { Static } from '@sinclair/typebox'
import { codeOf, notFound } from '../../base/errors.ts'
import type { Turns } from '../../base/turns.ts'
import { contentDisposition, fileResponse, isTagKnown } from '../../http/file-response.ts'
import type { Deps } from '../../library/deps.ts'
import { mediaFilePath } from '../../library/files/paths.ts'
import { mediaRow } from './queries.ts'
import type { FileHeaders } from './schemas.ts'
import type { MediaType } from './sniff.ts'

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
    if (isTagKnown(sent['if-none-match'], headers.ETag)) return new Response(null, { status: 304, headers })
    const picture = await smallPicture(path, mimeType, turns)
    if (picture !== null) return new Response(new Uint8Array(picture), { headers })
  }
  if (isTagKnown(sent['if-none-match'], etag)) return new Response(null, { status: 304, headers: validators })

  const ifRange = sent['if-range']
  const range = ifRange === undefined || ifRange === etag ? (sent.range ?? null) : null
  const headers = {
    ...validators,
    'Content-Type': mimeType,
    'Content-Disposition': contentDisposition('inline', filename),
  }
  return fileResponse({ path, size, range, headers })
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

/** Longer side of a small picture, px; enough for a thumbnail on a phone. */
const SIDE_PX = 480
const QUALITY = 78
/** Files up to this size are not made smaller, bytes. */
const SMALL_FILE_BYTES = 60_000

/**
 * Most pixels that are decoded: about 100 MB for a progressive JPEG, a fifth of that for others, 60 MB for the rest.
 * Larger pictures, and types that cannot be decoded here, have no small version.
 */
const MOST_PIXELS: Readonly<Partial<Record<MediaType, number>>> = {
  'image/jpeg': 30e6,
  'image/png': 8e6,
  'image/webp': 8e6,
  'image/gif': 8e6,
}

function mayBeSmaller(type: MediaType): boolean {
  return MOST_PIXELS[type] !== undefined
}

/**
 * A picture as a WebP of at most 480 px a side, upright, of an animation the first frame; made off the main thread. The
 * same file always gives the same bytes; null: it cannot be decoded or is too large.
 */
async function smallPicture(path: string, type: MediaType, turns: Turns): Promise<Uint8Array | null> {
  const maxPixels = MOST_PIXELS[type]
  if (maxPixels === undefined) return null
  try {
    return await turns.take(() =>
      new Bun.Image(path, { maxPixels })
        .resize(SIDE_PX, SIDE_PX, { fit: 'inside', withoutEnlargement: true })
        .webp({ quality: QUALITY })
        .bytes(),
    )
  } catch {
    // damaged, or more pixels than are decoded: the file itself is sent
    return null
  }
}
