import { gathered, rowsWith } from '../gather.ts'
import { emptyColumns, GRID, MAX_INT32 } from '../grid.ts'
import { quantise } from '../quantise.ts'
import { distanceBetweenM } from '../route/geo.ts'
import type { Positions, Track } from '../track.ts'

// An archive may hold a route whose points have no times. These functions estimate them.

/** Elapsed time and distance of a run at each point of a route. */
interface PlacedRoute {
  /** Whole milliseconds since the start of the run. */
  readonly elapsedMs: Float64Array
  /** Cumulative metres as recorded. */
  readonly distanceM: Float64Array
}

/**
 * When each point of a route was reached, from distances recorded beside it: a point at one third of the route is
 * placed where one third of the recorded distance was covered.
 * @param recorded elapsed milliseconds in order, and cumulative metres; NaN where a row has none
 * @returns null for a route without length, or fewer than two distances
 */
export function placedRoute(route: Positions, recorded: PlacedRoute): PlacedRoute | null {
  const known = risingDistances(recorded)
  const routeM = metresAlong(route)
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

/** Rows whose distance is not below that of the rows before them, beginning with the start of the run. */
function risingDistances({ elapsedMs, distanceM }: PlacedRoute): { readonly atMs: number; readonly atM: number }[] {
  const known: { atMs: number; atM: number }[] = []
  for (let i = 0; i < elapsedMs.length; i += 1) {
    const [atMs, atM] = [elapsedMs[i]!, distanceM[i]!]
    if (known.length === 0 && atM > 0 && atMs > 0) known.push({ atMs: 0, atM: 0 })
    if (atM >= (known.at(-1)?.atM ?? 0)) known.push({ atMs, atM })
  }
  return known
}

/**
 * Each point gets a time in proportion to the distance (docs/api.md 7.9); such a track has no best efforts.
 * @param route degrees; points without a position (NaN) are left out
 * @returns null for fewer than two positions
 */
export function untimedTrack(
  route: Positions,
  run: { readonly startMs: number; readonly durationS: number },
): Track | null {
  const rows = rowsWith(route.latDeg, route.lonDeg)
  if (rows.length < 2) return null
  const latDeg = quantise(gathered(route.latDeg, rows), GRID.e7)
  const lonDeg = quantise(gathered(route.lonDeg, rows), GRID.e7)
  const distanceM = metresAlong({ latDeg, lonDeg })
  return {
    ...emptyColumns(rows.length),
    n: rows.length,
    startMs: run.startMs,
    tS: proportionalTimes(distanceM, run.durationS),
    latDeg,
    lonDeg,
    distanceM: quantise(distanceM, GRID.textDistance),
    off: [],
    distanceSource: 'device',
    elevationSource: 'unknown',
    indoor: false,
    positionUnit: 'e7',
    hasEstimatedTimes: true,
  }
}

/** Whole milliseconds from 0 to the duration, strictly ascending: points on one spot are a millisecond apart. */
function proportionalTimes(distanceM: Float64Array, durationS: number): Float64Array {
  const n = distanceM.length
  const totalM = distanceM[n - 1]!
  // the millisecond grid ends at 24 days
  const lastMs = Math.min(MAX_INT32, Math.max(n - 1, Math.round(durationS * 1000)))
  let previousMs = -1
  return distanceM.map((metres, i) => {
    const share = totalM > 0 ? metres / totalM : i / (n - 1)
    const atMs = Math.max(previousMs + 1, Math.min(Math.round(share * lastMs), lastMs - (n - 1 - i)))
    previousMs = atMs
    return atMs / 1000
  })
}

/** Cumulative metres of every point. */
function metresAlong({ latDeg, lonDeg }: Positions): Float64Array {
  const metres = new Float64Array(latDeg.length)
  for (let i = 1; i < metres.length; i += 1) {
    metres[i] = metres[i - 1]! + distanceBetweenM(latDeg[i - 1]!, lonDeg[i - 1]!, latDeg[i]!, lonDeg[i]!)
  }
  return metres
}
