/** Most code points of stored texts (for runs see docs/api.md 1.5). */
export const LENGTHS = {
  name: 200,
  notes: 10_000,
  source: 50,
  device: 100,
  shoe: 100,
  caption: 1000,
  username: 50,
  /** Of a key of the API. */
  label: 200,
} as const

/** Limits of passwords: code points, and bytes in UTF-8. */
export const PASSWORD = { least: 16, most: 64, mostBytes: 72 } as const

/** Longest texts of a file that are kept as raw data, code points. */
export const RAW_LENGTHS = { name: 500, description: 10_000, other: 2000 } as const

/** Most characters of notes that the runner writes; bounded by the size of a request. */
export const MOST_OF_NOTES = 1_048_576

/** The first code points of a text, without splitting it into a list, since it may have millions. */
export function cutText(text: string, mostCharacters: number): string {
  // a code point has at least one UTF-16 unit
  if (text.length <= mostCharacters) return text
  let end = 0
  for (let count = 0; count < mostCharacters && end < text.length; count += 1) {
    end += text.codePointAt(end)! > 0xffff ? 2 : 1
  }
  return text.slice(0, end)
}

/**
 * Case folding and Unicode normalisation for comparing texts: `É` finds `é`, however either was typed. SQLite folds
 * ASCII only.
 */
export function folded(text: string): string {
  return text.normalize('NFC').toLowerCase()
}

/** The text that the list's keyword searches. A keyword cannot contain the line break, so no match spans two fields. */
export function searchText(name: string | null, device: string | null, source: string | null): string {
  return folded([name ?? '', device ?? '', source ?? ''].join('\n'))
}

/** Sort key of names: ignores case; runs without a name come first. */
export function nameKey(name: string | null): string {
  return folded(name ?? '')
}

/**
 * A file name without control characters and without characters that reverse the direction of text, which display
 * `gpj.exe` as `exe.jpg` (Unicode TR 36).
 */
export function printableName(name: string): string {
  return name.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '').trim()
}

/**
 * A text as it is shown to people, on the page and by the log: without these characters, except tabs and line breaks. It
 * is stored and exported with them.
 */
export function printable(text: string): string {
  return text.replace(/(?![\t\n])[\p{Cc}\p{Bidi_Control}]/gu, '')
}
