import { printableName } from '../texts.ts'

/** The last segment of what the client calls its file; browsers write a quote in it as %22, .NET encodes by RFC 2047. */
export function baseName(filename: string | undefined): string {
  const encoded = /^=\?utf-8\?B\?([A-Za-z0-9+/=]+)\?=$/i.exec(filename ?? '')?.[1]
  const name = encoded === undefined ? (filename ?? '') : Buffer.from(encoded, 'base64').toString('utf8')
  return printableName(name.replaceAll('%22', '"').split(/[\\/]/).at(-1) ?? '')
}

/** Of one body that is a file: `X-Filename`, else `Content-Disposition` (RFC 6266); null: neither names it. */
export function nameInHeaders(headers: Headers): string | null {
  const plain = headers.get('x-filename')
  return (plain === null ? null : decoded(plain)) ?? nameInDisposition(headers.get('content-disposition') ?? '')
}

function nameInDisposition(disposition: string): string | null {
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1]
  if (extended !== undefined) return decoded(extended)
  const quoted = /;\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(disposition)?.[1]
  if (quoted !== undefined) return utf8(quoted.replace(/\\(.)/g, '$1'))
  const token = /;\s*filename\s*=\s*([^";\s]+)/i.exec(disposition)?.[1]
  return token === undefined ? null : utf8(token)
}

/** Names in headers are percent-encoded by careful clients, since a header has no letters beyond Latin. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(utf8(text))
  } catch {
    return utf8(text)
  }
}

/** Most clients put UTF-8 into a header as it is, which arrives as one letter a byte; what is no UTF-8 is Latin then. */
export function utf8(text: string): string {
  if (!/[\x80-\xff]/.test(text) || /[^\0-\xff]/.test(text)) return text
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'))
  } catch {
    return text
  }
}
