/** An export that is known but cannot be read, with what to do instead. */
interface RefusedKind {
  /** Judges a file by its first bytes. */
  begins(head: Uint8Array): boolean
  readonly refusal: string
}

export const REFUSED_KINDS: readonly RefusedKind[] = [
  {
    begins: (head) => /^\s*\[\s*\{\s*"name"\s*:[^{]*\}\s*,\s*\{\s*"sport"\s*:/.test(textOf(head)),
    refusal: 'Endomondo exports are not read; the GPX or TCX files that came with them are',
  },
  {
    begins: (head) => /^version=[\d.]+\s+\{"TABLE":"runalyze_/.test(textOf(head)),
    refusal: 'Backups of Runalyze are not read; import the original files that it keeps, as a ZIP',
  },
  {
    begins: (head) => /^\s*\{\s*"DeviceLog"\s*:/.test(textOf(head)),
    refusal: 'This is the log of one Suunto workout, not an export: import it as a single file',
  },
]

function textOf(head: Uint8Array): string {
  return new TextDecoder().decode(head)
}
