import type { Position } from '../track.ts'
import { PASS_CORRIDOR_M } from './passes.ts'
import type { Stretch } from './stretch.ts'

/** Most metres between a path and its positions, which are 5 m apart, may begin 10 m past an end, and are rounded. */
const PATH_OFF_M = 8
/** Samples of a path are at most this far apart. */
const WIDEST_SPACING_M = 30
const REACH_M = PASS_CORRIDOR_M + PATH_OFF_M + WIDEST_SPACING_M / 2
/** A degree of longitude at the ends of a long stretch may be shorter than in its middle; by at most this factor. */
const NARROWER = 0.9

/** Two areas, degrees. A route whose bounds exclude either area cannot pass the stretch between them. */
export interface StretchEnds {
  readonly start: Position
  readonly end: Position
  readonly reachNorthDeg: number
  readonly reachEastDeg: number
}

export function stretchEnds(stretch: Stretch): StretchEnds {
  const { plane, n } = stretch
  return {
    start: placeOf(stretch, 0),
    end: placeOf(stretch, n - 1),
    reachNorthDeg: REACH_M / plane.northMPerDeg,
    reachEastDeg: REACH_M / Math.max(1, plane.eastMPerDeg * NARROWER),
  }
}

function placeOf({ plane, xM, yM }: Stretch, k: number): Position {
  return {
    latDeg: plane.latDeg + yM[k]! / plane.northMPerDeg,
    lonDeg: plane.lonDeg + xM[k]! / plane.eastMPerDeg,
  }
}
