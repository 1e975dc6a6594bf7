import { wrappedDeg } from './geo.ts'

/** Metres of one degree of latitude on the mean sphere; only shapes are compared here, so an ellipsoid adds nothing. */
const METRES_PER_DEGREE = 111_195
/** Metres: what floating point makes of a straight line. */
const STRAIGHT_M = 1e-6
/** Distance computations per vertex before `significance` stops splitting; ordinary routes need about 20. */
const WORK_PER_VERTEX = 200

/**
 * Douglas-Peucker for every tolerance at once (Douglas & Peucker 1973; ALGORITHMS 11): the significance of a vertex is
 * the largest tolerance in metres at which it is still kept, so {i: significance[i] > eps} is the line simplified at eps.
 * Distances are to the segment, not to the infinite line: a spur that returns on itself keeps its turn.
 *
 * Shapes that make every split lopsided (spirals) would cost n^2; past a budget the rest is ranked by its distance to
 * the segments reached so far.
 * @param xM metres on a plane; @param yM same length
 * @returns one value a vertex, Infinity at both ends
 */
export function significance(xM: Float64Array, yM: Float64Array): Float64Array {
  const n = xM.length
  const result = new Float64Array(n)
  if (n === 0) return result
  result[0] = Number.POSITIVE_INFINITY
  result[n - 1] = Number.POSITIVE_INFINITY
  const line = { xM, yM }
  const stack = [0, n - 1]
  const limits = [Number.POSITIVE_INFINITY]
  let work = 0
  while (limits.length > 0) {
    const limit = limits.pop()!
    const last = stack.pop()!
    const first = stack.pop()!
    if (last - first < 2) continue
    work += last - first
    if (work > WORK_PER_VERTEX * n) {
      for (let i = first + 1; i < last; i += 1) result[i] = Math.min(limit, segmentDistance(line, first, last, i))
      continue
    }
    const far = farthest(line, first, last)
    const rank = Math.min(far.distanceM, limit)
    result[far.index] = rank
    // The longer half first: the stack never holds more than log2(n) open ones.
    if (far.index - first > last - far.index) stack.push(first, far.index, far.index, last)
    else stack.push(far.index, last, first, far.index)
    limits.push(rank, rank)
  }
  return result
}

/**
 * The vertices of a route that matter most, for a preview: first, last and the most significant between them, ascending.
 * Only as many splits are made as points are asked for, best first, so the cost stays below maxPoints * n.
 * @param latDeg degrees, all finite; @param lonDeg same length, may cross the antimeridian
 * @param maxPoints at least 2; fewer come back when the rest lies on straight lines
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

/** An open segment with the vertex that would split it; rank 0 when nothing lies between its ends. */
function splitOf(line: Line, { first, last, limitM }: { first: number; last: number; limitM: number }) {
  const far = farthest(line, first, last)
  return { first, last, index: far.index, rankM: Math.min(far.distanceM, limitM) }
}

function farthest({ xM, yM }: Line, first: number, last: number): { index: number; distanceM: number } {
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
  return { index, distanceM: Math.sqrt(most) }
}

function segmentDistance({ xM, yM }: Line, first: number, last: number, i: number): number {
  const dx = xM[last]! - xM[first]!
  const dy = yM[last]! - yM[first]!
  const px = xM[i]! - xM[first]!
  const py = yM[i]! - yM[first]!
  const square = dx * dx + dy * dy
  const along = square > 0 ? Math.min(1, Math.max(0, (px * dx + py * dy) / square)) : 0
  const ox = px - along * dx
  const oy = py - along * dy
  return Math.sqrt(ox * ox + oy * oy)
}

/** Longitudes count from the first point the short way round, so a route over the antimeridian stays in one piece. */
function localMetres(latDeg: Float64Array, lonDeg: Float64Array): Line {
  let lowest = Number.POSITIVE_INFINITY
  let highest = Number.NEGATIVE_INFINITY
  for (let i = 0; i < latDeg.length; i += 1) {
    lowest = Math.min(lowest, latDeg[i]!)
    highest = Math.max(highest, latDeg[i]!)
  }
  const perDegreeEast = METRES_PER_DEGREE * Math.cos((((lowest + highest) / 2) * Math.PI) / 180)
  const xM = new Float64Array(latDeg.length)
  const yM = new Float64Array(latDeg.length)
  for (let i = 0; i < latDeg.length; i += 1) {
    xM[i] = wrappedDeg(lonDeg[i]! - lonDeg[0]!) * perDegreeEast
    yM[i] = (latDeg[i]! - latDeg[0]!) * METRES_PER_DEGREE
  }
  return { xM, yM }
}
