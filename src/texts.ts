/** The longest texts that are stored, code points (of runs: CONTRACT 1.5). */
export const LENGTHS = { name: 200, notes: 10_000, source: 50, device: 100, shoe: 100 } as const

/** The first code points of a text. No list of them is made: a text may have millions. */
export function cutText(text: string, mostCharacters: number): string {
  // a code point has one unit at least
  if (text.length <= mostCharacters) return text
  let end = 0
  for (let count = 0; count < mostCharacters && end < text.length; count += 1) {
    end += text.codePointAt(end)! > 0xffff ? 2 : 1
  }
  return text.slice(0, end)
}
