/** Most points in raw data, more than a day at 1 Hz has. Ten times as many would take half a gigabyte as objects. */
const MOST_RAW_POINTS = 100_000

/** At most `most` items made from as many rows, evenly spaced from the first row on; of fewer rows, all. */
export function thinned<T>(rows: number, made: (row: number) => T, most = MOST_RAW_POINTS): T[] {
  const things: T[] = []
  const n = Math.min(rows, most)
  for (let i = 0; i < n; i++) things.push(made(n === rows ? i : Math.floor((i * rows) / n)))
  return things
}

/** The member that says how many points there were, when some were left out; empty otherwise. */
export function thinning(rows: number): { readonly thinnedFrom?: number } {
  return rows > MOST_RAW_POINTS ? { thinnedFrom: rows } : {}
}
