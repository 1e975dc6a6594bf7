import { printableName } from '../base/texts.ts'

/**
 * The last segment of the file name that the client sends; browsers write a quote in it as %22, .NET encodes by RFC
 * 2047.
 */
export function baseName(filename: string | undefined): string {
  const encoded = /^=\?utf-8\?B\?([A-Za-z0-9+/=]+)\?=$/i.exec(filename ?? '')?.[1]
  const name = encoded === undefined ? (filename ?? '') : Buffer.from(encoded, 'base64').toString('utf8')
  return printableName(name.replaceAll('%22', '"').split(/[\\/]/).at(-1) ?? '')
}

/** Name of a body that is a single file: `X-Filename`, else `Content-Disposition` (RFC 6266); null: neither is sent. */
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

/** Decodes percent-encoding, which clients use because headers allow only Latin characters. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(utf8(text))
  } catch {
    return utf8(text)
  }
}

/**
 * Most clients send UTF-8 in headers unencoded, which arrives as one character per byte; text that is not valid UTF-8
 * is kept as Latin.
 */
export function utf8(text: string): string {
  if (!/[\x80-\xff]/.test(text) || /[^\0-\xff]/.test(text)) return text
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'))
  } catch {
    return text
  }
}
