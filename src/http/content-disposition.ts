import { printableName } from '../base/texts.ts'

/** Header by RFC 6266: the name in ASCII for old clients, and in UTF-8 (RFC 8187) for all others. */
export function contentDisposition(kind: 'inline' | 'attachment', filename: string): string {
  const name = printableName(filename.toWellFormed())
  const ascii = name.replace(/[^\x20-\x7e]/gu, '_').replace(/["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, percentEncoded)
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
