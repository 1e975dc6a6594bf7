import type { Turns } from '../../base/turns.ts'
import type { MediaType } from './sniff.ts'

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

const QUALITY = 78

export function mayBeSmaller(type: MediaType): boolean {
  return MOST_PIXELS[type] !== undefined
}

/**
 * A picture as a WebP of at most so many px a side, upright, of an animation the first frame, without what the file says
 * of place and time; made off the main thread. The same file always gives the same bytes; null: it cannot be decoded or is
 * too large.
 */
export async function pictureOf(
  path: string,
  type: MediaType,
  { sidePx, turns }: { readonly sidePx: number; readonly turns: Turns },
): Promise<Uint8Array<ArrayBuffer> | null> {
  const maxPixels = MOST_PIXELS[type]
  if (maxPixels === undefined) return null
  try {
    const bytes = await turns.take(() =>
      new Bun.Image(path, { maxPixels })
        .resize(sidePx, sidePx, { fit: 'inside', withoutEnlargement: true })
        .webp({ quality: QUALITY })
        .bytes(),
    )
    return new Uint8Array(bytes)
  } catch {
    // damaged, or more pixels than are decoded
    return null
  }
}
