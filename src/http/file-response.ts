import { errorResponse } from './errors.ts'

export interface ServedFile {
  readonly path: string
  /** Bytes, not 0. */
  readonly size: number
  /** As sent; null: the whole file. */
  readonly range: string | null
  /** Content-Type and whatever else belongs to the file, whole or in part. */
  readonly headers: Readonly<Record<string, string>>
}

/** A file up to this size may be answered out of memory, bytes. */
const SMALL_BYTES = 65_536

/**
 * The bytes of a file, whole or one range of them (RFC 9110, 14). Bun cuts the range out of a file response by itself, and
 * out of a stream of a file too; here stands what it leaves to others: refusals with a body, and ranges that run backward
 * from beyond the end, which it refuses although they are malformed.
 */
export async function fileResponse({ path, size, range, headers }: ServedFile): Promise<Response> {
  const wanted = range === null ? 'whole' : wantedOf(range, size)
  if (wanted === 'unsatisfiable') {
    return errorResponse(416, 'The range lies outside of the file', {
      'Accept-Ranges': 'bytes',
      'Content-Range': `bytes */${size}`,
    })
  }
  const file = Bun.file(path)
  return new Response(wanted === 'backward' ? await pastRanges(file, size) : file, {
    // Bun adds its own to a part
    headers: { ...headers, ...(wanted === 'part' ? {} : { 'Accept-Ranges': 'bytes' }) },
  })
}

/** Bun looks at no range when the body is neither file nor its stream. A body made of pieces goes without a length. */
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

/** What a Range header asks for; one that is malformed, of another unit or of several ranges counts as none. */
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
