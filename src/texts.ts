/** The longest texts that are stored, code points (of runs: docs/api.md 1.5). */
export const LENGTHS = { name: 200, notes: 10_000, source: 50, device: 100, shoe: 100 } as const

/** Of notes that the runner writes: as much as one request holds. */
export const MOST_OF_NOTES = 1_048_576

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

/** The form in which texts are compared: `É` finds `é`, however either was typed. SQLite folds ASCII only. */
export function folded(text: string): string {
  return text.normalize('NFC').toLowerCase()
}

/** What the list's keyword looks into. The line break cannot be typed into a keyword, so no hit spans two fields. */
export function searchText(name: string | null, device: string | null, source: string | null): string {
  return folded([name ?? '', device ?? '', source ?? ''].join('\n'))
}

/** What the list sorts names by: case ignored, no name first. */
export function nameKey(name: string | null): string {
  return folded(name ?? '')
}

/**
 * A name of a file without control characters, and without those that turn the order of letters around, with which
 * `gpj.exe` is drawn as `exe.jpg` (Unicode TR 36).
 */
export function printableName(name: string): string {
  return name.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '').trim()
}
