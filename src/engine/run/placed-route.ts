import { distanceBetweenM } from '../route/geo.ts'

/** Where along a route a run was when. */
export interface PlacedRoute {
  /** Whole milliseconds since the start of the run. */
  readonly elapsedMs: Float64Array
  /** Cumulative metres as they were recorded. */
  readonly distanceM: Float64Array
}

/**
 * When each point of a route without times was reached, by distances that were recorded beside it: a point at a third of
 * the route lies where a third of the recorded distance was run.
 * @param route degrees of every point
 * @param recorded elapsed milliseconds in order, and cumulative metres; NaN where a row has none
 * @returns null for a route without length, or fewer than two distances
 */
export function placedRoute(
  { latDeg, lonDeg }: { readonly latDeg: Float64Array; readonly lonDeg: Float64Array },
  recorded: PlacedRoute,
): PlacedRoute | null {
  const known = risingDistances(recorded)
  const routeM = new Float64Array(latDeg.length)
  for (let i = 1; i < routeM.length; i += 1) {
    routeM[i] = routeM[i - 1]! + distanceBetweenM(latDeg[i - 1]!, lonDeg[i - 1]!, latDeg[i]!, lonDeg[i]!)
  }
  const lengthM = routeM.at(-1) ?? 0
  const totalM = known.at(-1)?.atM ?? 0
  if (!(lengthM > 0 && totalM > 0) || known.length < 2) return null
  const distanceM = routeM.map((metres) => (metres / lengthM) * totalM)
  let next = 1
  const elapsedMs = distanceM.map((metres) => {
    while (next < known.length - 1 && known[next]!.atM < metres) next += 1
    const [from, to] = [known[next - 1]!, known[next]!]
    const share = to.atM > from.atM ? Math.min(1, (metres - from.atM) / (to.atM - from.atM)) : 0
    return Math.round(from.atMs + share * (to.atMs - from.atMs))
  })
  return { elapsedMs, distanceM }
}

/** Rows that do not fall behind those before them, from the start of the run on. */
function risingDistances({ elapsedMs, distanceM }: PlacedRoute): { readonly atMs: number; readonly atM: number }[] {
  const known: { atMs: number; atM: number }[] = []
  for (let i = 0; i < elapsedMs.length; i += 1) {
    const [atMs, atM] = [elapsedMs[i]!, distanceM[i]!]
    if (known.length === 0 && atM > 0 && atMs > 0) known.push({ atMs: 0, atM: 0 })
    if (atM >= (known.at(-1)?.atM ?? 0)) known.push({ atMs, atM })
  }
  return known
}
