/** Characters that XML 1.0 does not allow, and unpaired surrogates. */
const NOT_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu
const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** A text escaped as the content of an element; characters that XML does not allow are dropped. */
function xmlText(text: string): string {
  return text.replace(NOT_XML, '').replace(/[&<>"]/g, (character) => ESCAPED[character] ?? '')
}

/** An element without attributes; empty for no text. */
export function element(name: string, text: string | number | null): string {
  if (text === null || text === '') return ''
  return `<${name}>${typeof text === 'number' ? text : xmlText(text)}</${name}>`
}

/** UTF-16 units that are joined before encoding. */
const PIECE_UNITS = 262_144

/** Encodes texts as UTF-8 in pieces, since one joined text would be a second copy of a long run. */
export function* encodedPieces(texts: Iterable<string>): Generator<Uint8Array<ArrayBuffer>, void> {
  const encoder = new TextEncoder()
  let gathered = ''
  for (const text of texts) {
    gathered += text
    if (gathered.length < PIECE_UNITS) continue
    yield encoder.encode(gathered)
    gathered = ''
  }
  if (gathered !== '') yield encoder.encode(gathered)
}
