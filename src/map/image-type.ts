/** What tiles are made of. */
export const TILE_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const

/** What the first bytes say (RFC 2083, ITU T.81 B.1.1.3, RFC 9649); null for everything else, SVG included. */
export function imageType(bytes: Uint8Array): (typeof TILE_TYPES)[number] | null {
  const start = String.fromCharCode(...bytes.subarray(0, 12))
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'image/webp'
  return null
}
