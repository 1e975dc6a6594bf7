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
