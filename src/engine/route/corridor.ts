import { extent } from '../gather.ts'
import { type CellGrid, cellGrid, headOf } from './cell-grid.ts'

/** Two samples are on the same ground when they are at most this many metres apart (docs/algorithms.md 6). */
export const CORRIDOR_M = 40
/** Cells are a little wider than the corridor, so that the nine cells around a sample contain all its neighbours. */
const CELL_M = 41
/** A new pass begins where the index of the other route jumps by more than this. */
const RUN_GAP = 5
/** Headings within 60 degrees are one direction, beyond 120 the opposite; between them the routes cross. */
export const SAME_COSINE = 0.5

/** Samples at equal steps along a route. */
export interface RouteLine {
  readonly n: number
  readonly latDeg: Float64Array
  /** Continuous: counts past 180 where the route crosses the antimeridian. The first is within -180..180. */
  readonly lonDeg: Float64Array
  /** Unit vector of the direction; zero where the route turns on the spot. */
  readonly headingEast: Float64Array
  readonly headingNorth: Float64Array
  /** Metres per degree of longitude at each sample, and per degree of latitude in the middle of the route. */
  readonly eastMPerDeg: Float64Array
  readonly northMPerDeg: number
}

interface CorridorGrid extends CellGrid {
  readonly line: RouteLine
}

/** How often another route passes each sample of one route; one entry per sample. */
export interface Passes {
  /** Number of passes in the same direction. */
  readonly same: Uint16Array
  readonly opposite: Uint16Array
  /** Metres to the nearest sample of a pass in the same direction; Infinity without one. */
  readonly nearestSameM: Float64Array
  readonly nearestOppositeM: Float64Array
}

export function corridorGrid(line: RouteLine): CorridorGrid {
  const { latDeg, lonDeg, eastMPerDeg, northMPerDeg } = line
  // The shortest degree of longitude makes the widest cells, so that no cell of the route is narrower than CELL_M.
  const perX = extent(eastMPerDeg).least / CELL_M
  return { line, ...cellGrid(latDeg, lonDeg, { perY: northMPerDeg / CELL_M, perX }) }
}

/**
 * Counts the passes of `other` by every sample of the grid's route. The samples of `other` come in order, so the runs
 * of consecutive indexes that make a pass are counted without collecting or sorting the hits.
 */
export function passes(grid: CorridorGrid, other: RouteLine): Passes {
  const { line, heads, next, row, column } = grid
  const same = new Uint16Array(line.n)
  const opposite = new Uint16Array(line.n)
  const nearestSameM = new Float64Array(line.n).fill(Number.POSITIVE_INFINITY)
  const nearestOppositeM = new Float64Array(line.n).fill(Number.POSITIVE_INFINITY)
  const lastSame = new Int32Array(line.n).fill(-1 - RUN_GAP)
  const lastOpposite = new Int32Array(line.n).fill(-1 - RUN_GAP)
  const shiftDeg = 360 * Math.round((line.lonDeg[0]! - other.lonDeg[0]!) / 360)
  const northMPerDeg = (line.northMPerDeg + other.northMPerDeg) / 2

  for (let x = 0; x < other.n; x += 1) {
    const lat = other.latDeg[x]!
    const lon = other.lonDeg[x]! + shiftDeg
    const eastMPerDeg = other.eastMPerDeg[x]!
    const headingEast = other.headingEast[x]!
    const headingNorth = other.headingNorth[x]!
    const centreRow = Math.floor(lat * grid.perY)
    const centreColumn = Math.floor(lon * grid.perX)
    for (let r = centreRow - 1; r <= centreRow + 1; r += 1) {
      for (let c = centreColumn - 1; c <= centreColumn + 1; c += 1) {
        for (let y = heads[headOf(r, c)]!; y >= 0; y = next[y]!) {
          if (row[y] !== r || column[y] !== c) continue
          const eastM = (line.lonDeg[y]! - lon) * eastMPerDeg
          const northM = (line.latDeg[y]! - lat) * northMPerDeg
          const square = eastM * eastM + northM * northM
          if (square > CORRIDOR_M * CORRIDOR_M) continue
          const cosine = headingEast * line.headingEast[y]! + headingNorth * line.headingNorth[y]!
          if (cosine >= SAME_COSINE) {
            if (x - lastSame[y]! > RUN_GAP) same[y]! += 1
            lastSame[y] = x
            if (square < nearestSameM[y]!) nearestSameM[y] = square
          } else if (cosine <= -SAME_COSINE) {
            if (x - lastOpposite[y]! > RUN_GAP) opposite[y]! += 1
            lastOpposite[y] = x
            if (square < nearestOppositeM[y]!) nearestOppositeM[y] = square
          }
        }
      }
    }
  }
  for (let y = 0; y < line.n; y += 1) {
    nearestSameM[y] = Math.sqrt(nearestSameM[y]!)
    nearestOppositeM[y] = Math.sqrt(nearestOppositeM[y]!)
  }
  return { same, opposite, nearestSameM, nearestOppositeM }
}
