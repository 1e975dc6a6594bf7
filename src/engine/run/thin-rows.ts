/**
 * Chooses rows that still show the run, O(n): the first and last, those with the least and greatest value of every
 * column in as many equal stretches as fit, and evenly spaced ones for the rest.
 * @param columns NaN is a gap; all of length n
 * @returns row numbers, ascending, at most `most`
 * @throws RangeError when `most` is below 2 + 2 * columns, too few for the extremes of the whole
 */
export function thinRows(n: number, columns: readonly Float64Array[], most: number): Uint32Array {
  const perStretch = 2 * columns.length
  if (!(most >= 2 + perStretch))
    throw new RangeError(`${most} rows cannot hold the extremes of ${columns.length} columns`)
  if (n <= most) return Uint32Array.from({ length: n }, (_, i) => i)
  const isKept = new Uint8Array(n)
  isKept[0] = 1
  isKept[n - 1] = 1
  const stretches = perStretch === 0 ? 0 : Math.floor((most - 2) / perStretch)
  for (let k = 0; k < stretches; k += 1) {
    const from = Math.floor((k * n) / stretches)
    const to = Math.floor(((k + 1) * n) / stretches)
    for (const column of columns) keepExtremes(column, { from, to, isKept })
  }
  fillEvenly(isKept, most)
  const rows = new Uint32Array(most)
  let size = 0
  for (let i = 0; i < n; i += 1) if (isKept[i] === 1) rows[size++] = i
  return rows.subarray(0, size)
}

function keepExtremes(
  column: Float64Array,
  { from, to, isKept }: { readonly from: number; readonly to: number; readonly isKept: Uint8Array },
): void {
  let least = -1
  let greatest = -1
  for (let i = from; i < to; i += 1) {
    const value = column[i]!
    if (Number.isNaN(value)) continue
    if (least === -1 || value < column[least]!) least = i
    if (greatest === -1 || value > column[greatest]!) greatest = i
  }
  if (least !== -1) isKept[least] = 1
  if (greatest !== -1) isKept[greatest] = 1
}

/** Marks more rows as kept, evenly spaced, until `most` are. */
function fillEvenly(isKept: Uint8Array, most: number): void {
  const kept = isKept.reduce((sum, one) => sum + one, 0)
  const free = isKept.length - kept
  const wanted = Math.min(most - kept, free)
  let seen = 0
  for (let i = 0; i < isKept.length; i += 1) {
    if (isKept[i] === 1) continue
    if (Math.floor(((seen + 1) * wanted) / free) > Math.floor((seen * wanted) / free)) isKept[i] = 1
    seen += 1
  }
}
