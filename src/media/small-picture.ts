import type { Turns } from '../turns.ts'
import type { MediaType } from './sniff.ts'

/** The longer side of a small picture, px: sharp as a thumb on a phone. */
const SIDE_PX = 480
const QUALITY = 78
/** A file of at most so many bytes is small enough as it is. */
export const SMALL_FILE_BYTES = 60_000

/**
 * The most pixels that a picture is unpacked of: about 100 MB for a progressive JPEG, of which others take a fifth, and 60
 * for the rest. What has more, and what cannot be read here, has no small picture.
 */
const MOST_PIXELS: Readonly<Partial<Record<MediaType, number>>> = {
  'image/jpeg': 30e6,
  'image/png': 8e6,
  'image/webp': 8e6,
  'image/gif': 8e6,
}

/** Whether a file of this type may have a small picture. */
export function mayBeSmaller(type: MediaType): boolean {
  return MOST_PIXELS[type] !== undefined
}

/**
 * A picture as a WebP of at most 480 px a side, upright, the first frame of one that moves; read and written beside the
 * requests, one at a time. The same bytes for the same file.
 * @returns null for a file that cannot be read or is too large
 */
export async function smallPicture(path: string, type: MediaType, turns: Turns): Promise<Uint8Array | null> {
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
    // damaged, or a claim of more pixels than are unpacked: whoever asks gets the file as it is
    return null
  }
}
