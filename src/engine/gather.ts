/** The values of these rows, in their order. `Float64Array.from` walks an iterator and takes ten times as long. */
export function gathered(
  values: Float64Array | readonly number[],
  rows: Uint32Array | readonly number[],
): Float64Array {
  const result = new Float64Array(rows.length)
  for (let i = 0; i < rows.length; i += 1) result[i] = values[rows[i]!]!
  return result
}

export function rowNumbers(n: number): Uint32Array {
  const rows = new Uint32Array(n)
  for (let i = 0; i < n; i += 1) rows[i] = i
  return rows
}

/** The smallest and the greatest value; Infinity and -Infinity when there is none. NaN is ignored. */
export function extent(values: Float64Array): { readonly least: number; readonly most: number } {
  let least = Number.POSITIVE_INFINITY
  let most = Number.NEGATIVE_INFINITY
  for (let i = 0; i < values.length; i += 1) {
    if (values[i]! < least) least = values[i]!
    if (values[i]! > most) most = values[i]!
  }
  return { least, most }
}

/** Whether a column has a value in any row. A loop, since `some` and `every` call back out of native code with each value. */
export function hasValues(values: Float64Array): boolean {
  for (let i = 0; i < values.length; i += 1) if (!Number.isNaN(values[i]!)) return true
  return false
}

/** Rows that have a value in both columns. */
export function rowsWith(a: Float64Array, b: Float64Array): Uint32Array {
  const rows = new Uint32Array(a.length)
  let count = 0
  for (let i = 0; i < a.length; i += 1) {
    if (Number.isFinite(a[i]!) && Number.isFinite(b[i]!)) {
      rows[count] = i
      count += 1
    }
  }
  return rows.subarray(0, count)
}

/** Index of the first value at or above `from` in an ascending list, or its length. @param count of values that are looked at */
export function firstFrom(ascending: ArrayLike<number>, from: number, count = ascending.length): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ascending[middle]! < from) low = middle + 1
    else high = middle
  }
  return low
}

/** The place of a value in an ascending column, in rows and a share of the next; clamped to its ends. */
export function placed(ascending: Float64Array, value: number): number {
  const last = ascending.length - 1
  if (last <= 0 || value <= ascending[0]!) return 0
  if (value >= ascending[last]!) return last
  const row = firstFrom(ascending, value) - 1
  return row + (value - ascending[row]!) / (ascending[row + 1]! - ascending[row]!)
}

/** A column at a place, interpolated between its rows. */
export function valueAt(column: Float64Array, place: number): number {
  const row = Math.floor(place)
  const from = column[row]!
  return place === row ? from : from + (place - row) * (column[row + 1]! - from)
}

/** Reads a column at ascending values of an ascending one, interpolated between its rows and clamped to its ends. */
export function reader(ascending: Float64Array, column: Float64Array): (at: number) => number {
  const last = ascending.length - 1
  let row = 0
  return (at) => {
    let low = row
    while (low < last && ascending[low + 1]! <= at) low += 1
    row = low
    const value = column[low]!
    const aboveS = at - ascending[low]!
    if (low === last || aboveS <= 0) return value
    return value + (aboveS / (ascending[low + 1]! - ascending[low]!)) * (column[low + 1]! - value)
  }
}
