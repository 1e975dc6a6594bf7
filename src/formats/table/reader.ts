import { FormatError } from '../format.ts'

export type Separator = ',' | ';' | '\t'

/** What divides cells, the usual one first: spreadsheets of many countries save a table with semicolons. */
export const SEPARATORS: readonly Separator[] = [',', ';', '\t']

/** The widest row of a spreadsheet; a table of nothing but separators would be an array of its size. */
const MOST_CELLS = 16_384

/** A CSV as a string: UTF-8 or UTF-16 with byte-order mark, UTF-8 without, else the Western code page of old spreadsheets. */
export function csvText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/**
 * The rows of a CSV by RFC 4180: quoted fields may hold separators, line breaks and doubled quotes; lines end in LF, CRLF or CR. Blank
 * lines are left out. Rows may differ in length.
 * @throws FormatError when a quote is never closed, or a row has more than 16,384 cells
 */
export function* csvRows(text: string, separator: Separator): Generator<string[], void> {
  const end = text.length
  let at = 0
  let row: string[] = []
  while (at < end) {
    let cell: string
    if (text[at] === '"') {
      const closed = quotedCell(text, at, separator)
      cell = closed.cell
      at = closed.at
    } else {
      const from = at
      while (at < end && !endsCell(text.charCodeAt(at), separator)) at++
      cell = text.slice(from, at)
    }
    if (row.length === MOST_CELLS) throw new FormatError(`The CSV has a row of more than ${MOST_CELLS} cells`)
    row.push(cell)
    if (at < end && text[at] === separator) {
      at++
      if (at === end) row.push('')
      continue
    }
    if (text[at] === '\r' && text[at + 1] === '\n') at++
    at++
    if (row.length > 1 || row[0] !== '') yield row
    row = []
  }
  if (row.length > 1 || (row.length === 1 && row[0] !== '')) yield row
}

/** What stands behind a closing quote before the separator belongs to the cell: some writers put it there. */
function quotedCell(text: string, start: number, separator: Separator): { cell: string; at: number } {
  let at = start + 1
  let isDoubled = false
  for (;;) {
    const quote = text.indexOf('"', at)
    if (quote < 0) throw new FormatError('The CSV is cut off or damaged: a quote is not closed')
    at = quote + 1
    if (text[at] !== '"') break
    isDoubled = true
    at++
  }
  const quoted = text.slice(start + 1, at - 1)
  const from = at
  while (at < text.length && !endsCell(text.charCodeAt(at), separator)) at++
  return { cell: (isDoubled ? quoted.replaceAll('""', '"') : quoted) + text.slice(from, at), at }
}

function endsCell(code: number, separator: Separator): boolean {
  return code === 10 || code === 13 || code === separator.charCodeAt(0)
}
