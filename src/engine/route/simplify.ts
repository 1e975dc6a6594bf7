import { extent } from '../gather.ts'
import { METRES_PER_DEGREE, wrappedDeg } from './geo.ts'

/** Metres: deviations below this are floating-point noise on a straight line. */
const STRAIGHT_M = 1e-6

/**
 * The most significant vertices of a route, ascending, with first and last: by the largest tolerance in metres at which
 * Douglas-Peucker still keeps them (Douglas & Peucker 1973; docs/algorithms.md 11). Distances are to the segment: a
 * spur that returns on itself keeps its turn. Only as many splits are made as points are asked for: below maxPoints *
 * n.
 * @param latDeg degrees, all finite; @param lonDeg same length, may cross the antimeridian
 * @param maxPoints at least 2; fewer come back when the rest is on straight lines
 * @throws RangeError for fewer than two points or columns of different lengths
 */
export function previewIndexes(latDeg: Float64Array, lonDeg: Float64Array, maxPoints: number): Uint32Array {
  if (!(maxPoints >= 2)) throw new RangeError(`A preview needs at least 2 points, not ${maxPoints}`)
  if (latDeg.length !== lonDeg.length) {
    throw new RangeError(`${latDeg.length} latitudes for ${lonDeg.length} longitudes`)
  }
  const n = latDeg.length
  if (n <= 2) return Uint32Array.from(latDeg, (_, i) => i)
  const line = localMetres(latDeg, lonDeg)
  const kept = [0, n - 1]
  const open = [splitOf(line, { first: 0, last: n - 1, limitM: Number.POSITIVE_INFINITY })]
  while (kept.length < maxPoints && open.length > 0) {
    let best = 0
    for (let k = 1; k < open.length; k += 1) if (open[k]!.rankM > open[best]!.rankM) best = k
    const { first, last, index, rankM } = open[best]!
    if (!(rankM > STRAIGHT_M)) break
    kept.push(index)
    open[best] = splitOf(line, { first, last: index, limitM: rankM })
    open.push(splitOf(line, { first: index, last, limitM: rankM }))
  }
  return Uint32Array.from(kept).sort()
}

interface Line {
  readonly xM: Float64Array
  readonly yM: Float64Array
}

/** An open segment with its farthest vertex, which would split it; rank 0 when there is none between its ends. */
function splitOf({ xM, yM }: Line, { first, last, limitM }: { first: number; last: number; limitM: number }) {
  const ax = xM[first]!
  const ay = yM[first]!
  const dx = xM[last]! - ax
  const dy = yM[last]! - ay
  const square = dx * dx + dy * dy
  const perSquare = square > 0 ? 1 / square : 0
  let index = first + 1
  let most = 0
  for (let i = first + 1; i < last; i += 1) {
    const px = xM[i]! - ax
    const py = yM[i]! - ay
    const along = Math.min(1, Math.max(0, (px * dx + py * dy) * perSquare))
    const ox = px - along * dx
    const oy = py - along * dy
    const away = ox * ox + oy * oy
    if (away > most) {
      most = away
      index = i
    }
  }
  return { first, last, index, rankM: Math.min(Math.sqrt(most), limitM) }
}

/** Longitudes relative to the first point, the short way round, keep a route over the antimeridian whole. */
function localMetres(latDeg: Float64Array, lonDeg: Float64Array): Line {
  const { least, most } = extent(latDeg)
  const perDegreeEast = METRES_PER_DEGREE * Math.cos((((least + most) / 2) * Math.PI) / 180)
  const xM = new Float64Array(latDeg.length)
  const yM = new Float64Array(latDeg.length)
  for (let i = 0; i < latDeg.length; i += 1) {
    xM[i] = wrappedDeg(lonDeg[i]! - lonDeg[0]!) * perDegreeEast
    yM[i] = (latDeg[i]! - latDeg[0]!) * METRES_PER_DEGREE
  }
  return { xM, yM }
}
