import { FormatError } from './format.ts'

/** Whole texts, and brackets; a quote alone begins a text that does not end yet. */
const IN_ROW = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|["[\]{}]/g
/** Whatever is not blank, so that only a list right behind its name counts. */
const AROUND = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|["[\]{}:]|[^\s"[\]{}:]+/g
/** Characters of one row; a run of a day with a point each second has 5 million. */
const MOST_LENGTH = 16_777_216

/**
 * The objects in the lists that a member of that name has, wherever it is in the JSON, one at a time while it arrives;
 * memory holds one of them. What they hold is left to JSON.parse.
 * @param member null: the outermost list
 * @param passed called for each row that is not JSON
 * @throws FormatError after the last whole row when the text is cut or a row is too long, or when it has no such list
 */
export async function* arrivingRows(
  pieces: AsyncIterable<Uint8Array>,
  member: string | null,
  passed: () => void,
): AsyncGenerator<unknown, void> {
  const decoder = new TextDecoder()
  let text = ''
  /** Where the search goes on, and where the row begins. */
  let [at, begin] = [0, 0]
  /** Brackets open around the list, and within it; 0: not in one. */
  let [around, depth] = [0, 0]
  let hasList = false
  // as if the outermost list were a member that was just named
  let [isNamed, isNext] = [false, member === null]
  for await (const piece of pieces) {
    const kept = depth < 2 ? at : begin
    text = text.slice(kept) + decoder.decode(piece, { stream: true })
    if (text.length > MOST_LENGTH) throw new FormatError('A row is too long: only what is before that was read')
    at -= kept
    begin = 0
    for (;;) {
      const tokens = depth === 0 ? AROUND : IN_ROW
      tokens.lastIndex = at
      const found = tokens.exec(text)
      const token = found?.[0] ?? '"'
      at = found?.index ?? text.length
      if (token === '"') break
      const [isOpening, isClosing] = [token === '[' || token === '{', token === ']' || token === '}']
      if (depth > 0) {
        if (isOpening && depth === 1) begin = at
        depth += isOpening ? 1 : isClosing ? -1 : 0
      } else if (token === '[' && isNext) {
        depth = 1
        hasList = true
      } else around += isOpening ? 1 : isClosing ? -1 : 0
      isNext = token === ':' && isNamed
      isNamed = member !== null && token === `"${member}"`
      at += token.length
      if (!isClosing || depth !== 1) continue
      const row = parsed(text.slice(begin, at))
      if (row === undefined) passed()
      else yield row
    }
  }
  const isWhole = depth === 0 && around === 0 && at === text.length
  if (!isWhole) throw new FormatError('The file is cut off: only what is before that was read')
  if (!hasList) throw new FormatError('The file does not have its list')
}

/** undefined: it is not JSON. */
function parsed(row: string): unknown {
  try {
    return JSON.parse(row)
  } catch {
    return undefined
  }
}
