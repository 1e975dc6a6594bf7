import type { Positions } from '../track.ts'
import { chainThrough, mostMissed } from './chain.ts'
import { longestWayM, PASS_CORRIDOR_M } from './passes.ts'
import { cellOf, mayHideCells } from './sketch.ts'
import { eastM, northM, type Stretch, turned } from './stretch.ts'
import { type StretchGrid, stretchGrid } from './stretch-grid.ts'

/**
 * Most metres by which a path of the index may deviate from the positions that it was made of: these are 5 m apart, a
 * recording may begin 10 m past an end of the stretch, and stored positions are rounded.
 */
const PATH_OFF_M = 8
/**
 * Paths up to this long have a sample at least every 30 m. Longer ones come from broken positions and are never ruled
 * out.
 */
const LONGEST_PATH_M = 1_000_000
const WIDEST_SPACING_M = 30
/**
 * The length along samples of a path may exceed that along positions by this factor: both are in steps of 5 m, but not
 * the same steps.
 */
const WAY_SHARE = 1.1
const WAY_SLACK_M = 100
/** At most the width of a cell of the stretch's grid. */
const REACH_M = PASS_CORRIDOR_M + PATH_OFF_M + WIDEST_SPACING_M / 2

/** A degree of longitude at the ends of a long stretch may be shorter than in its middle; by at most this factor. */
const NARROWER = 0.9

export interface Place {
  readonly latDeg: number
  readonly lonDeg: number
}

/** Two areas, degrees. A route whose bounds exclude either area cannot pass the stretch between them. */
export interface StretchEnds {
  readonly start: Place
  readonly end: Place
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

/**
 * Whether a route can pass a stretch, judged by its sketch: at most as many of the stretch's points as a pass may miss
 * lie in cells that the route never enters. Never false for a route that passes.
 */
export function sketchMayPass(stretch: Stretch): (sketch: Uint8Array, lengthM: number) => boolean {
  const most = mostMissed(stretch)
  const sets = cellSets(stretch)
  return (sketch, lengthM) => {
    if (lengthM > LONGEST_PATH_M || mayHideCells(sketch, lengthM)) return true
    let missed = 0
    for (const { cells, points, isEnd } of sets) {
      if (cells.some((cell) => sketch[cell]! > 0)) continue
      missed += points
      if (isEnd || missed > most) return false
    }
    return true
  }
}

/**
 * Whether a route can pass a stretch, judged by the samples of its path: they come near its points in order, with no
 * more missed than a pass may miss, and not on too long a detour. Never false for a route that passes.
 */
export function pathMayPass(stretch: Stretch): (samples: Positions, lengthM: number) => boolean {
  const grids = [stretchGrid(stretch), stretchGrid(turned(stretch))]
  const longestM = longestWayM(stretch) * WAY_SHARE + WAY_SLACK_M
  return ({ latDeg, lonDeg }, lengthM) => {
    if (lengthM > LONGEST_PATH_M) return true
    const xM = latDeg.map((_, i) => eastM(stretch.plane, lonDeg[i]!))
    const yM = latDeg.map((lat) => northM(stretch.plane, lat))
    const stepM = lengthM / latDeg.length
    return grids.some((grid) => isFollowed(grid, { xM, yM, stepM, longestM }))
  }
}

interface PathLine {
  readonly xM: Float64Array
  readonly yM: Float64Array
  readonly stepM: number
  readonly longestM: number
}

/**
 * Tried from every time the path is near the start: the pass may begin at its first sample there, but its length is
 * measured from its last one.
 */
function isFollowed(grid: StretchGrid, { xM, yM, stepM, longestM }: PathLine): boolean {
  const { stretch } = grid
  const reachM = PASS_CORRIDOR_M + PATH_OFF_M + stepM / 2
  const isAtStart = (i: number) => {
    const [x, y] = [xM[i]! - stretch.xM[0]!, yM[i]! - stretch.yM[0]!]
    return x * x + y * y <= reachM * reachM
  }
  for (let i = 0; i < xM.length; i += 1) {
    if (!isAtStart(i)) continue
    let last = i
    while (last + 1 < xM.length && isAtStart(last + 1)) last += 1
    const chain = chainThrough(grid, reachM)
    for (let k = i; k < xM.length && (k - last) * stepM <= longestM; k += 1) {
      chain.add(xM[k]!, yM[k]!, xM[k]!, yM[k]!)
      if (chain.isAtEnd()) return true
    }
    i = last
  }
  return false
}

interface CellSet {
  readonly cells: readonly number[]
  readonly points: number
  /** Whether an end of the stretch is among its points; a pass never misses an end. */
  readonly isEnd: boolean
}

/** The cells around the points; consecutive points with equal cells are merged. */
function cellSets(stretch: Stretch): CellSet[] {
  const sets: { cells: readonly number[]; points: number; isEnd: boolean }[] = []
  for (let k = 0; k < stretch.n; k += 1) {
    const cells = cellsAround(stretch, k)
    const last = sets.at(-1)
    const isEnd = k === 0 || k === stretch.n - 1
    if (last?.cells.join() === cells.join()) {
      last.points += 1
      last.isEnd ||= isEnd
    } else sets.push({ cells, points: 1, isEnd })
  }
  return sets
}

/**
 * Cells are wider than the square around the point, so its corners, side middles and centre lie in all cells that it
 * touches.
 */
function cellsAround(stretch: Stretch, k: number): number[] {
  const { latDeg, lonDeg } = placeOf(stretch, k)
  const { plane } = stretch
  const cells = new Set<number>()
  for (let row = -1; row <= 1; row += 1) {
    for (let column = -1; column <= 1; column += 1) {
      const north = (row * REACH_M) / plane.northMPerDeg
      const east = (column * REACH_M) / plane.eastMPerDeg
      cells.add(cellOf(latDeg + north, lonDeg + east))
    }
  }
  return [...cells]
}

function placeOf({ plane, xM, yM }: Stretch, k: number): Place {
  return {
    latDeg: plane.latDeg + yM[k]! / plane.northMPerDeg,
    lonDeg: plane.lonDeg + xM[k]! / plane.eastMPerDeg,
  }
}
