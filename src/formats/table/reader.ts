import { FormatError } from '../format.ts'

export type Separator = ',' | ';' | '\t'

/** Possible separators, the most usual first: in many countries spreadsheets save tables with semicolons. */
export const SEPARATORS: readonly Separator[] = [',', ';', '\t']

/** Columns of the widest spreadsheet row; a table of separators alone would become an array of its own size. */
const MOST_CELLS = 16_384
/** Most that is kept of a cell and a row, UTF-16 units: twice the longest stored text, and three such cells. */
const CELL_LENGTH = 20_000
const ROW_LENGTH = 65_536
const CHUNK_BYTES = 262_144
/** Most parts of a text in which a header is looked for. */
const MOST_PARTS = 16

/**
 * Decodes a CSV in chunks of at most 256 KiB: UTF-8, or UTF-16 with a byte-order mark; from the first byte that is not
 * UTF-8 on, windows-1252.
 */
export function* csvText(pieces: Iterable<Uint8Array>): Generator<string, void> {
  let decoder: TextDecoder | null = null
  let open = new Uint8Array(0)
  for (const chunk of chunksOf(pieces)) {
    const isFirst = decoder === null
    decoder ??= new TextDecoder(utf16Of(chunk) ?? 'utf-8', { fatal: utf16Of(chunk) === null, ignoreBOM: true })
    if (!decoder.fatal) {
      yield withoutMark(decoder.decode(chunk, { stream: true }), isFirst)
      continue
    }
    const bytes: Uint8Array = open.length === 0 ? chunk : Buffer.concat([open, chunk])
    const end = bytes.length - openBytes(bytes)
    open = bytes.slice(end)
    try {
      yield withoutMark(decoder.decode(bytes.subarray(0, end)), isFirst)
    } catch {
      decoder = new TextDecoder('windows-1252')
      open = new Uint8Array(0)
      yield decoder.decode(bytes)
    }
  }
  if (open.length > 0) yield new TextDecoder('windows-1252').decode(open)
}

function* chunksOf(pieces: Iterable<Uint8Array>): Generator<Uint8Array, void> {
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += CHUNK_BYTES) yield piece.subarray(at, at + CHUNK_BYTES)
  }
}

function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null
}

function withoutMark(text: string, isFirst: boolean): string {
  return isFirst && text.startsWith('\ufeff') ? text.slice(1) : text
}

/** Number of bytes at the end that begin an incomplete UTF-8 character. */
function openBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0
  }
  return 0
}

/** Before the first character of a cell, within it, between quotes, or after a quote that may be doubled. */
type Place = 'start' | 'plain' | 'quoted' | 'quote'

/** As `csvSteps`, rows alone. */
export function* csvRows(text: Iterable<string>, separator: Separator): Generator<string[], void> {
  for (const row of csvSteps(text, separator)) if (row !== null) yield row
}

/**
 * The rows of a CSV by RFC 4180, of any length; lines end in LF, CRLF or CR, blank ones are skipped. Text after a
 * closing quote belongs to the cell, since some writers put it there. At most 20,000 characters of a cell and 65,536 in
 * 16,384 cells of a row are kept, so that a long one neither fills memory nor ends the reading.
 * @param text in order, divided anywhere; after each part null is given, since a row may have many: time for others
 * @throws FormatError when a quote is never closed
 */
export function* csvSteps(text: Iterable<string>, separator: Separator): Generator<string[] | null, void> {
  let row: string[] = []
  let cell = ''
  let place: Place = 'start'
  let room = ROW_LENGTH
  let endsWithReturn = false
  const endCell = () => {
    if (row.length < MOST_CELLS) row.push(cell)
    cell = ''
    place = 'start'
  }
  for (const chunk of text) {
    const end = chunk.length
    let at: number = endsWithReturn && chunk[0] === '\n' ? 1 : 0
    if (end > 0) endsWithReturn = false
    while (at < end) {
      const from = at
      if (place === 'start' && chunk[at] === '"') {
        place = 'quoted'
        at++
        continue
      }
      if (place === 'quote' && chunk[at] === '"') {
        // the quote is kept together with the text after it
        place = 'quoted'
        at++
      } else if (place !== 'quoted') {
        place = 'plain'
      }
      const stop = place === 'quoted' ? chunk.indexOf('"', at) : cellEnd(chunk, at, separator)
      at = stop < 0 ? end : stop
      const kept = Math.min(at, from + CELL_LENGTH - cell.length, from + room)
      if (kept > from) {
        cell += chunk.slice(from, kept)
        room -= kept - from
      }
      if (at === end) break
      at++
      if (place === 'quoted') {
        place = 'quote'
        continue
      }
      endCell()
      if (chunk[at - 1] === separator) continue
      if (chunk[at - 1] === '\r') {
        if (chunk[at] === '\n') at++
        endsWithReturn = at === end && chunk[at - 1] === '\r'
      }
      if (!isBlank(row)) yield row
      row = []
      room = ROW_LENGTH
    }
    yield null
  }
  if (place === 'quoted') throw new FormatError('The CSV is cut off or damaged: a quote is not closed')
  if (place !== 'start' || row.length > 0) endCell()
  if (row.length > 0 && !isBlank(row)) yield row
}

/** The first row, or null when none ends in the first few parts of the text; nothing after it is read. */
export function firstRow(text: Iterable<string>, separator: Separator): string[] | null {
  let parts = 0
  for (const row of csvSteps(text, separator)) {
    if (row !== null) return row
    parts += 1
    if (parts === MOST_PARTS) break
  }
  return null
}

function isBlank(row: readonly string[]): boolean {
  return row.length === 1 && row[0] === ''
}

function cellEnd(text: string, start: number, separator: Separator): number {
  const divider = separator.charCodeAt(0)
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === divider || code === 10 || code === 13) return at
  }
  return text.length
}
