import { FormatError } from '../format.ts'

const CHUNK_BYTES = 1 << 20
const MOST_BYTES = 100 * CHUNK_BYTES
const SPACE = 32

/**
 * The bytes of an XML document as UTF-8 without byte-order mark, by its mark, else by its declaration; UTF-8 is not
 * copied. Invalid bytes are kept or become U+FFFD.
 * @throws FormatError when it has more than 100 MiB as UTF-8
 */
export function utf8Document(bytes: Uint8Array): Uint8Array {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return bytes.subarray(3)
  const encoding = documentEncoding(bytes)
  return encoding === 'utf-8' ? bytes : transcoded(bytes, encoding)
}

/** Decodes one text; invalid UTF-8 as windows-1252, since wrong declarations are common and names matter. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** UTF-16 by its mark or by the zero byte next to the first character, else the declared encoding, else UTF-8. */
function documentEncoding(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (bytes[0] === 0 && bytes[1] !== 0) return 'utf-16be'
  if (bytes[1] === 0 && bytes[0] !== 0) return 'utf-16le'
  let start = 0
  while (start < bytes.length && bytes[start]! <= SPACE) start++
  const head = new TextDecoder('windows-1252').decode(bytes.subarray(start, start + 256))
  const declared = /^<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(head)?.[1]
  if (declared === undefined) return 'utf-8'
  try {
    const { encoding } = new TextDecoder(declared)
    // a declaration that was readable byte by byte is not UTF-16, even if it says so
    return encoding.startsWith('utf-16') ? 'utf-8' : encoding
  } catch {
    return 'utf-8'
  }
}

/** Converts into one large buffer; pages of it that are not written take no memory. */
function transcoded(bytes: Uint8Array, encoding: string): Uint8Array {
  const decoder = new TextDecoder(encoding)
  const encoder = new TextEncoder()
  // a character of one or two bytes in another encoding takes at most three in UTF-8
  const buffer = new Uint8Array(Math.min(3 * bytes.length, MOST_BYTES))
  let filled = 0
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    const text = decoder.decode(bytes.subarray(at, at + CHUNK_BYTES), { stream: at + CHUNK_BYTES < bytes.length })
    const { read, written } = encoder.encodeInto(text, buffer.subarray(filled))
    if (read < text.length) throw new FormatError('The file is larger than 100 MiB as UTF-8')
    filled += written
  }
  return buffer.subarray(0, filled)
}
