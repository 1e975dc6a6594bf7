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

/** Files up to this size may be sent from memory, bytes. */
const SMALL_BYTES = 65_536

/**
 * Sends a file, whole or one range of it (RFC 9110, 14). Bun cuts ranges out of file responses itself; handled here are
 * refusals with a body, and ranges that run backward from beyond the end, which Bun refuses although they are malformed
 * and must be ignored.
 */
export async function fileResponse({ path, size, range, headers }: ServedFile): Promise<Response> {
  const wanted = range === null ? 'whole' : wantedOf(range, size)
  if (wanted === 'unsatisfiable') {
    return errorResponse(416, 'The range is outside the file', {
      'Accept-Ranges': 'bytes',
      'Content-Range': `bytes */${size}`,
    })
  }
  const file = Bun.file(path)
  return new Response(wanted === 'backward' ? await pastRanges(file, size) : file, {
    // Bun adds its own to partial responses
    headers: { ...headers, ...(wanted === 'part' ? {} : { 'Accept-Ranges': 'bytes' }) },
  })
}

/** A body to which Bun applies no range: neither a file nor its stream. Such a body of pieces has no Content-Length. */
async function pastRanges(file: Bun.BunFile, size: number): Promise<Uint8Array<ArrayBuffer> | ReadableStream> {
  if (size <= SMALL_BYTES) return await file.bytes()
  let at = 0
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const piece = await file.slice(at, at + SMALL_BYTES).bytes()
      at += piece.byteLength
      if (piece.byteLength === 0) controller.close()
      else controller.enqueue(piece)
    },
  })
}

/** Classifies a Range header; one that is malformed, in another unit or with several ranges counts as none. */
function wantedOf(range: string, size: number): 'whole' | 'part' | 'unsatisfiable' | 'backward' {
  const [, first = '', last = ''] = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(range) ?? []
  if (first === '') {
    if (last === '') return 'whole'
    return Number(last) === 0 ? 'unsatisfiable' : 'part'
  }
  const isOutside = Number(first) >= size
  if (last !== '' && Number(last) < Number(first)) return isOutside ? 'backward' : 'whole'
  return isOutside ? 'unsatisfiable' : 'part'
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
