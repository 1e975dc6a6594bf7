const MAX_NAME_LENGTH = 1024
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

const LENIENT = new TextDecoder('utf-8', { ignoreBOM: true })
const STRICT = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true })

/** Names without the mark are usually UTF-8 as well; bytes that are not valid UTF-8 are read as code page 437. */
export function decodeName(bytes: Uint8Array, { isUtf8 }: { isUtf8: boolean }): string {
  try {
    return (isUtf8 ? LENIENT : STRICT).decode(bytes)
  } catch {
    return Array.from(bytes, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : CP437.charAt(byte - 0x80))).join('')
  }
}
