import type { Turns } from '../../base/turns.ts'
import type { MediaType } from './sniff.ts'

/** Longer side of a small picture, px; enough for a thumbnail on a phone. */
const SIDE_PX = 480
const QUALITY = 78
/** Files up to this size are not made smaller, bytes. */
export const SMALL_FILE_BYTES = 60_000

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

export function mayBeSmaller(type: MediaType): boolean {
  return MOST_PIXELS[type] !== undefined
}

/**
 * A picture as a WebP of at most 480 px a side, upright, of an animation the first frame; made off the main thread. The
 * same file always gives the same bytes; null: it cannot be decoded or is too large.
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
    // damaged, or more pixels than are decoded: the file itself is sent
    return null
  }
}
