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

/**
 * The bytes of a file, whole or one range of them (RFC 9110, 14). Bun cuts the range out of a file response by itself, and
 * out of a stream of a file too; here stands what it leaves to others: refusals with a body, and backward ranges.
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
  // Bun takes some backward ranges for unsatisfiable ones; it looks at no range when the body is not a file
  return new Response(wanted === 'backward' ? await file.bytes() : file, {
    // Bun adds its own to a part
    headers: { ...headers, ...(wanted === 'part' ? {} : { 'Accept-Ranges': 'bytes' }) },
  })
}

/** What a Range header asks for; one that is malformed, of another unit or of several ranges counts as none. */
function wantedOf(range: string, size: number): 'whole' | 'part' | 'unsatisfiable' | 'backward' {
  const [, first = '', last = ''] = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(range) ?? []
  if (first === '') {
    if (last === '') return 'whole'
    return Number(last) === 0 ? 'unsatisfiable' : 'part'
  }
  if (last !== '' && Number(last) < Number(first)) return 'backward'
  return Number(first) >= size ? 'unsatisfiable' : 'part'
}
