import type { media } from '../../db/schema.ts'

export type MediaType = (typeof media.$inferSelect)['mimeType']

const EXTENSIONS: Readonly<Record<string, MediaType>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  heic: 'image/heic',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  avi: 'video/x-msvideo',
  webm: 'video/webm',
  m4v: 'video/x-m4v',
}

export const MEDIA_EXTENSIONS: readonly string[] = Object.keys(EXTENSIONS)
export const MEDIA_TYPES: readonly MediaType[] = [...new Set(Object.values(EXTENSIONS))]

/** Bytes from which the type is determined; more than the longest list of brands or EBML header seen. */
export const HEAD_BYTES = 512

/** Type by extension; null for one that is not listed. */
export function typeOfName(filename: string): MediaType | null {
  const extension = /\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(EXTENSIONS, extension) ? (EXTENSIONS[extension] ?? null) : null
}

export function kindOf(type: MediaType): 'image' | 'video' {
  return type.startsWith('image/') ? 'image' : 'video'
}

/**
 * Type by the first `HEAD_BYTES`, by the signatures of JPEG (ITU T.81 B.1.1.3), PNG (RFC 2083), GIF, RIFF, ISO base
 * media (ISO/IEC 14496-12, brands as registered at mp4ra.org), QuickTime, EBML (RFC 8794); null: none of the listed
 * types.
 */
export function typeOfContent(head: Uint8Array, fileSize: number): MediaType | null {
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return 'image/jpeg'
  const start = text(head, 0, 12)
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'image/gif'
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'image/webp'
  if (start.startsWith('RIFF') && start.endsWith('AVI ')) return 'video/x-msvideo'
  if (start.startsWith('\x1a\x45\xdf\xa3')) return docType(head) === 'webm' ? 'video/webm' : null
  // prose may contain ftyp at this position, but its first letters are then no length that fits into the file
  if (start.slice(4, 8) === 'ftyp') return uint32(head, 0) <= fileSize ? typeOfBrands(brandsOf(head)) : null
  return isBareQuickTime(head, fileSize) ? 'video/quicktime' : null
}

/** Major brand first, then the compatible ones; between them is a version. */
function brandsOf(head: Uint8Array): string[] {
  const end = Math.min(uint32(head, 0), head.length)
  const brands = [text(head, 8, 12)]
  for (let at = 16; at + 4 <= end; at += 4) brands.push(text(head, at, at + 4))
  return brands
}

function typeOfBrands(brands: readonly string[]): MediaType | null {
  const [major = '', ...compatible] = brands
  // container brand of both HEIC and AVIF
  if (major === 'mif1' || major === 'msf1') {
    return compatible.some((brand) => /^avi[fs]$/.test(brand)) ? null : 'image/heic'
  }
  // cameras write their own brands and list the standard one among the compatible ones
  for (const brand of brands) {
    const type = typeOfBrand(brand)
    if (type !== undefined) return type
  }
  return null
}

/** null: known but not listed (audio, AVIF, camera raw, JPEG 2000); undefined: unknown. */
function typeOfBrand(brand: string): MediaType | null | undefined {
  if (/^he(ic|ix|im|is|vc|vx|vm|vs)$/.test(brand)) return 'image/heic'
  if (brand === 'qt  ') return 'video/quicktime'
  if (/^M4V[ HP]$/.test(brand)) return 'video/x-m4v'
  if (/^(avi[fs]|M4[ABP] |F4[AB] |crx |jp[2mx] |mjp2)$/.test(brand)) return null
  if (/^(iso[m2-9a-c]|mp4[12]|mp71|avc1|hvc1|hev1|av01|dash|msdh|MSNV|mmp4|XAVC|f4v |F4V |3g[p2].)$/.test(brand)) {
    return 'video/mp4'
  }
  return undefined
}

/** QuickTime of older cameras has no brand: it begins with one of its atoms, no longer than the file. */
function isBareQuickTime(head: Uint8Array, fileSize: number): boolean {
  if (!/^(moov|mdat|wide|free|skip|pnot)$/.test(text(head, 4, 8))) return false
  const size = uint32(head, 0)
  // 1: the length follows in 64 bits; 0: up to the end of the file
  if (size < 2) return text(head, 4, 8) === 'mdat' && fileSize > 16
  return size >= 8 && size <= fileSize
}

/** The DocType of an EBML header, `webm` or `matroska`; null when it has none. */
function docType(head: Uint8Array): string | null {
  let at = 4 + vintLength(head[4])
  while (at + 2 < head.length) {
    const idLength = vintLength(head[at])
    const sizeAt = at + idLength
    const dataAt = sizeAt + vintLength(head[sizeAt])
    const size = vint(head, sizeAt)
    // padded with zeros where an encoder left room
    if (head[at] === 0x42 && head[at + 1] === 0x82) return text(head, dataAt, dataAt + size).replace(/\0+$/, '')
    at = dataAt + size
  }
  return null
}

/** An EBML number begins with as many zero bits as further bytes follow. */
function vintLength(first = 0): number {
  return first === 0 ? 1 : Math.clz32(first) - 23
}

function vint(bytes: Uint8Array, at: number): number {
  const length = vintLength(bytes[at])
  let value = (bytes[at] ?? 0) & (0xff >> length)
  for (let index = at + 1; index < at + length; index += 1) value = value * 256 + (bytes[index] ?? 0)
  return value
}

function uint32(bytes: Uint8Array, at: number): number {
  return bytes.length < at + 4 ? 0 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(at)
}

function text(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, Math.min(to, from + HEAD_BYTES)))
}
