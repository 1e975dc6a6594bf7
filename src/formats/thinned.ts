/** Points of the raw data at most, more than a day at 1 Hz has: as objects ten times as many would take half a gigabyte. */
export const MOST_RAW_POINTS = 100_000

/** So many things made of so many rows at most, evenly spread from the first row on; all of them where they are fewer. */
export function thinned<T>(rows: number, made: (row: number) => T, most = MOST_RAW_POINTS): T[] {
  const things: T[] = []
  const n = Math.min(rows, most)
  for (let i = 0; i < n; i++) things.push(made(n === rows ? i : Math.floor((i * rows) / n)))
  return things
}

/** What raw data says of points that were left out; nothing where all are there. */
export function thinning(rows: number): { readonly thinnedFrom?: number } {
  return rows > MOST_RAW_POINTS ? { thinnedFrom: rows } : {}
}
