const MAX_NAME_LENGTH = 1024

/** The upper half of code page 437, in which names are written that are not marked as UTF-8 (APPNOTE D.1). */
const CP437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

/**
 * A name as a relative path inside the archive: `/` between segments, no empty and no `.` segments, Unicode NFC (macOS
 * packs decomposed letters); a folder keeps its slash at the end. Old Windows packers write `\` between segments.
 * @returns null for what could point out of the archive, and for names of no use: absolute, with a drive letter, with a
 *   `..` segment, with control characters, empty or longer than 1024 characters
 */
export function safeName(name: string): string | null {
  if (name.length > MAX_NAME_LENGTH || hasControlCharacters(name) || /^[a-z]:/i.test(name)) return null
  const path = name.replaceAll('\\', '/')
  if (path.startsWith('/')) return null
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.')
  if (segments.length === 0 || segments.includes('..')) return null
  return segments.join('/').normalize('NFC') + (path.endsWith('/') ? '/' : '')
}

/** Unmarked names are mostly UTF-8 all the same; what is not valid as such is code page 437. */
export function decodeName(bytes: Uint8Array, { isUtf8 }: { isUtf8: boolean }): string {
  try {
    return new TextDecoder('utf-8', { fatal: !isUtf8, ignoreBOM: true }).decode(bytes)
  } catch {
    return Array.from(bytes, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : CP437.charAt(byte - 0x80))).join('')
  }
}

function hasControlCharacters(name: string): boolean {
  for (let i = 0; i < name.length; i += 1) {
    const code = name.charCodeAt(i)
    if (code < 0x20 || code === 0x7f) return true
  }
  return false
}
