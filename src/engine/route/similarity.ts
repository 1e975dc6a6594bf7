import { extent } from '../gather.ts'
import { CORRIDOR_M, corridorGrid, type Passes, passes } from './corridor.ts'
import type { RoutePath } from './path.ts'
/** Score from which a route counts as similar (docs/algorithms.md 6). */
export const SIMILAR_SCORE = 75
/** Full credit up to this many metres; the credit falls to nothing at the edge of the corridor. */
const FULL_CREDIT_M = 20
/** Weight of ground that was covered in the opposite direction. */
const REVERSE_WORTH = 0.9

export type RouteDirection = 'same' | 'reverse' | 'mixed'

export interface Similarity {
  /** 0 to 100, not rounded. */
  readonly score: number
  readonly direction: RouteDirection
}

/** West and east in degrees may be outside -180..180. */
export interface RouteBounds {
  readonly southDeg: number
  readonly northDeg: number
  readonly westDeg: number
  readonly eastDeg: number
}

/**
 * Scores routes against one: the share of the longer route that is on ground which the other covered as well, as
 * often and in the same direction; the opposite one counts nine tenths (docs/algorithms.md 6). Symmetric, and at most
 * the ratio of the lengths, because neither route gets credit for more than its own length.
 */
export function similarTo(query: RoutePath): (candidate: RoutePath) => Similarity {
  const queryGrid = corridorGrid(query)
  return (candidate) => {
    const ofQuery = covered(query, passes(queryGrid, candidate))
    const ofCandidate = covered(candidate, passes(corridorGrid(candidate), query))
    const sharedM = Math.min(worth(ofQuery), worth(ofCandidate))
    const longerM = Math.max(query.lengthM, candidate.lengthM)
    const sameM = ofQuery.sameM + ofCandidate.sameM
    const reverseM = ofQuery.reverseM + ofCandidate.reverseM
    return {
      score: longerM > 0 ? Math.min(100, (100 * sharedM) / longerM) : 0,
      direction: sameM >= 2 * reverseM ? 'same' : reverseM >= 2 * sameM ? 'reverse' : 'mixed',
    }
  }
}

/** Bounds of a path; their middle is within -180..180, so a path across the antimeridian extends beyond one end. */
export function routeBounds({ latDeg, lonDeg }: RoutePath): RouteBounds {
  const lat = extent(latDeg)
  const lon = extent(lonDeg)
  const shiftDeg = 360 * Math.round((lon.least + lon.most) / 720)
  return { southDeg: lat.least, northDeg: lat.most, westDeg: lon.least - shiftDeg, eastDeg: lon.most - shiftDeg }
}

/**
 * Boxes such that the stored bounds of every route with common ground overlap one of them: the route's own bounds,
 * widened by the corridor, and their copies shifted by 360 degrees as far as bounds can reach.
 */
export function searchBoxes(path: RoutePath): RouteBounds[] {
  const own = routeBounds(path)
  // One metre more, for the rounding of stored positions.
  const northDeg = (CORRIDOR_M + 1) / path.northMPerDeg
  const leastEastM = extent(path.eastMPerDeg).least
  const eastDeg = (CORRIDOR_M + 1) / leastEastM
  // A match is at most 4/3 as long, so its bounds extend beyond either end by at most half that length.
  const reachDeg = 180 + path.lengthM / leastEastM
  return [0, -360, 360]
    .map((turnDeg) => ({
      southDeg: own.southDeg - northDeg,
      northDeg: own.northDeg + northDeg,
      westDeg: own.westDeg - eastDeg + turnDeg,
      eastDeg: own.eastDeg + eastDeg + turnDeg,
    }))
    .filter((box) => box.eastDeg >= -reachDeg && box.westDeg <= reachDeg)
}

interface Covered {
  readonly sameM: number
  readonly reverseM: number
}

function covered(path: RoutePath, by: Passes): Covered {
  let same = 0
  let reverse = 0
  for (let k = 0; k < path.n; k += 1) {
    const own = path.selfSame[k]!
    const share = Math.min(1, by.same[k]! / own)
    same += share * credit(by.nearestSameM[k]!)
    // Opposite passes that the route's own opposite passes account for are not credited twice.
    const spare = Math.max(0, by.opposite[k]! - path.selfOpposite[k]!) / own
    reverse += Math.min(1 - share, spare) * credit(by.nearestOppositeM[k]!)
  }
  const stepM = path.lengthM / path.n
  return { sameM: same * stepM, reverseM: reverse * stepM }
}

function credit(distanceM: number): number {
  if (distanceM <= FULL_CREDIT_M) return 1
  return distanceM < CORRIDOR_M ? (CORRIDOR_M - distanceM) / (CORRIDOR_M - FULL_CREDIT_M) : 0
}

function worth({ sameM, reverseM }: Covered): number {
  return sameM + REVERSE_WORTH * reverseM
}
