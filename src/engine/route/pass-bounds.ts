import type { Positions } from '../track.ts'
import { mostMissed, PASS_CORRIDOR_M } from './passes.ts'
import { cellOf, mayHideCells } from './sketch.ts'
import { eastM, northM, type Stretch } from './stretch.ts'
import { eachNear, stretchGrid } from './stretch-grid.ts'

/**
 * Metres that a path of the index lies beside the positions it is made of: they are 5 m apart, a recording may begin 10 m
 * past an end of the stretch, and stored positions are rounded.
 */
const PATH_OFF_M = 8
/** Paths up to this long have a sample every 30 m or more often; of longer ones, which are broken, nothing is told. */
const LONGEST_PATH_M = 1_000_000
const WIDEST_SPACING_M = 30
/** No more than the cells of a stretch's grid are wide. */
const REACH_M = PASS_CORRIDOR_M + PATH_OFF_M + WIDEST_SPACING_M / 2

/** A degree of longitude at the ends of a long stretch may be shorter than in its middle. */
const NARROWER = 0.9

export interface Place {
  readonly latDeg: number
  readonly lonDeg: number
}

/** Degrees; a route whose bounds leave out the area around one of them passes no stretch between them. */
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
 * Whether a route can pass a stretch, as far as its sketch tells: of the points of the stretch no more than a pass may miss
 * have no cell around them that the route is in. Never false for a route that passes.
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
 * Whether a route can pass a stretch, as far as the path of the index tells. Never false for a route that passes.
 */
export function pathMayPass(stretch: Stretch): (samples: Positions, lengthM: number) => boolean {
  const { plane, n, xM, yM } = stretch
  const most = mostMissed(stretch)
  const grid = stretchGrid(stretch)
  return ({ latDeg, lonDeg }, lengthM) => {
    if (lengthM > LONGEST_PATH_M) return true
    const reachM = PASS_CORRIDOR_M + PATH_OFF_M + lengthM / latDeg.length / 2
    const isMet = new Uint8Array(n)
    let met = 0
    for (let i = 0; i < latDeg.length; i += 1) {
      const x = eastM(plane, lonDeg[i]!)
      const y = northM(plane, latDeg[i]!)
      eachNear(grid, x, y, (k) => {
        if (isMet[k] === 1) return
        const offX = xM[k]! - x
        const offY = yM[k]! - y
        if (offX * offX + offY * offY > reachM * reachM) return
        isMet[k] = 1
        met += 1
      })
    }
    return isMet[0] === 1 && isMet[n - 1] === 1 && n - met <= most
  }
}

interface CellSet {
  readonly cells: readonly number[]
  readonly points: number
  /** True when an end of the stretch is among its points: that one is never missed. */
  readonly isEnd: boolean
}

/** The cells around the points; points that follow each other and have the same are one. */
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

/** Cells are wider than the square around the point: its corners, sides and centre meet all of them. */
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
