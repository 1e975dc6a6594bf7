const MAX_NAME_LENGTH = 1024
const SLASH = 0x2f
const DOT = 0x2e
const CONTROL_CHARACTER = /[^ -~\u0080-\uffff]/

/** The upper half of code page 437, which encodes names that are not marked as UTF-8 (APPNOTE D.1). */
const CP437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

/**
 * A name as a relative path in Unicode NFC (macOS packs decomposed letters), without empty and `.` segments; a folder
 * keeps its final slash. Old Windows packers write `\` between segments.
 * @returns null when it could point out of the archive (absolute, drive letter, `..`), has control characters, or is
 * empty or longer than 1024 characters
 */
export function safeName(name: string): string | null {
  if (name.length > MAX_NAME_LENGTH || CONTROL_CHARACTER.test(name) || /^[a-z]:/i.test(name)) return null
  const path = name.replaceAll('\\', '/')
  if (path.startsWith('/')) return null
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.')
  if (segments.length === 0 || segments.includes('..')) return null
  return segments.join('/').normalize('NFC') + (path.endsWith('/') ? '/' : '')
}

/** Whether `safeName` would return these bytes unchanged, judged without decoding: letters, digits and `-_. /` only. */
export function isPlainName(bytes: Uint8Array): boolean {
  if (bytes.length === 0 || bytes.length > MAX_NAME_LENGTH) return false
  let last = SLASH
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i] ?? 0
    // a segment must not be empty; one that begins with a dot needs the full check
    if (last === SLASH && (byte === SLASH || byte === DOT)) return false
    const isLetter = (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a
    const isDigit = byte >= 0x30 && byte <= 0x39
    if (!isLetter && !isDigit && byte !== SLASH && byte !== DOT && byte !== 0x2d && byte !== 0x5f && byte !== 0x20)
      return false
    last = byte
  }
  return true
}

/** Names without the mark are usually UTF-8 as well; bytes that are not valid UTF-8 are read as code page 437. */
export function decodeName(bytes: Uint8Array, { isUtf8 }: { isUtf8: boolean }): string {
  try {
    return new TextDecoder('utf-8', { fatal: !isUtf8, ignoreBOM: true }).decode(bytes)
  } catch {
    return Array.from(bytes, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : CP437.charAt(byte - 0x80))).join('')
  }
}
