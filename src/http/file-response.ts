import { printableName } from '../base/texts.ts'
import { errorResponse } from './errors.ts'

interface ServedFile {
  readonly path: string
  /** Bytes, more than 0. */
  readonly size: number
  /** Range header as sent; null: the whole file. */
  readonly range: string | null
  /** Content-Type and other headers of the file, for the whole and for parts. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Sends a file, whole or one range of it (RFC 9110, 14). Bun cuts ranges out of file responses itself; refusals need a
 * body.
 */
export function fileResponse({ path, size, range, headers }: ServedFile): Response {
  const wanted = range === null ? 'whole' : wantedOf(range, size)
  if (wanted === 'unsatisfiable') {
    const answer = { error: 'The range is outside the file', code: 'range_not_satisfiable', field: 'Range' } as const
    return errorResponse(416, answer, { 'Accept-Ranges': 'bytes', 'Content-Range': `bytes */${size}` })
  }
  return new Response(Bun.file(path), {
    // Bun adds its own to partial responses
    headers: { ...headers, ...(wanted === 'part' ? {} : { 'Accept-Ranges': 'bytes' }) },
  })
}

/** Classifies a Range header; one that is malformed, in another unit or with several ranges counts as none. */
function wantedOf(range: string, size: number): 'whole' | 'part' | 'unsatisfiable' {
  const [, first = '', last = ''] = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(range) ?? []
  if (first === '') {
    if (last === '') return 'whole'
    return Number(last) === 0 ? 'unsatisfiable' : 'part'
  }
  if (Number(first) >= size) return 'unsatisfiable'
  return last !== '' && Number(last) < Number(first) ? 'whole' : 'part'
}

/** Evaluates If-None-Match: a list of tags, weak ones equal to strong ones, or `*`. */
export function isTagKnown(ifNoneMatch: string | null | undefined, etag: string): boolean {
  const plain = (tag: string) => tag.trim().replace(/^W\//, '')
  return (ifNoneMatch ?? '').split(',').some((tag) => plain(tag) === '*' || plain(tag) === plain(etag))
}

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
