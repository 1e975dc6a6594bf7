/** Signature before each file of a ZIP: `PK` 3 4 (APPNOTE 4.3.7). */
const SIGNATURE = [0x50, 0x4b, 3, 4] as const

/**
 * Counts the files of a ZIP while it arrives. Compressed bytes equal the signature about once in 4 GB, so the count is
 * not exact.
 * @returns a function that takes the next piece and returns the number of files begun so far
 */
export function zipFileCounter(): (piece: Uint8Array) => number {
  let count = 0
  /** Length of the part of a signature that the bytes so far end with. */
  let matched = 0
  return (piece) => {
    for (let at = matched === 0 ? piece.indexOf(SIGNATURE[0]) : 0; at !== -1 && at < piece.length; at += 1) {
      if (piece[at] === SIGNATURE[matched]) matched += 1
      else matched = piece[at] === SIGNATURE[0] ? 1 : 0
      if (matched === SIGNATURE.length) {
        count += 1
        matched = 0
      }
      if (matched === 0) {
        const next = piece.indexOf(SIGNATURE[0], at + 1)
        if (next === -1) break
        at = next - 1
      }
    }
    return count
  }
}
