import { lengthOf } from './geo.ts'
import { eachNear, type StretchGrid } from './stretch-grid.ts'

/** Share of the stretch's points that a pass may miss. */
const MISSED_SHARE = 0.1
/** Between positions further apart than this, metres, the course is unknown and no pass continues. */
export const LONGEST_STEP_M = 200
/** A step is examined in pieces, so short that the cells around their middle contain every point near them. */
const PIECE_M = 20
/** Up to this many points are scanned one by one, of which most are passed over at once; of more, those in the cells around a step. */
const MOST_IN_TURN = 200

/**
 * Follows the points of a stretch in order and keeps, for each, the fewest points missed on the way to it.
 * @param corridorM a step touches a point within this distance; at most a cell of the grid less half a piece of a step
 */
export function chainThrough(grid: StretchGrid, corridorM: number) {
  const { n, xM, yM } = grid.stretch
  const most = Math.floor(n * MISSED_SHARE)
  const missed = new Int32Array(n).fill(most + 1)
  missed[0] = 0
  /** First point that might still be reached with fewer missed, and the last point that was reached. */
  let open = 1
  let furthest = 0
  const near: number[] = []
  const reach = (k: number) => {
    let least = missed[k]!
    for (let skipped = 0; skipped < least && skipped < k; skipped += 1) {
      least = Math.min(least, missed[k - 1 - skipped]! + skipped)
    }
    missed[k] = least
    if (least <= most && k > furthest) furthest = k
    while (open < n && missed[open] === 0) open += 1
  }
  const isNear = (k: number, fromX: number, fromY: number, toX: number, toY: number) => {
    return squareToStep(xM[k]! - fromX, yM[k]! - fromY, toX - fromX, toY - fromY) <= corridorM * corridorM
  }
  const addByCells = (fromX: number, fromY: number, toX: number, toY: number) => {
    const pieces = Math.max(1, Math.ceil(lengthOf(toX - fromX, toY - fromY) / PIECE_M))
    near.length = 0
    for (let piece = 0; piece < pieces; piece += 1) {
      const part = (piece + 0.5) / pieces
      eachNear(grid, fromX + part * (toX - fromX), fromY + part * (toY - fromY), (k) => {
        if (k >= open && isNear(k, fromX, fromY, toX, toY)) near.push(k)
      })
    }
    near.sort((a, b) => a - b)
    for (const k of near) {
      // the next laps of a track lie near as well, but no point after so many missed ones is reached
      if (k > furthest + most + 1) break
      reach(k)
    }
  }
  return {
    /** Adds a step of the run, from one position to another. */
    add: (fromX: number, fromY: number, toX: number, toY: number) => {
      const [stepX, stepY] = [toX - fromX, toY - fromY]
      if (stepX * stepX + stepY * stepY > LONGEST_STEP_M * LONGEST_STEP_M) return
      if (furthest + most - open > MOST_IN_TURN) return addByCells(fromX, fromY, toX, toY)
      // a point further from the start of the step than this is outside the corridor
      const farM = corridorM + Math.abs(stepX) + Math.abs(stepY)
      for (let k = open; k < n && k <= furthest + most + 1; k += 1) {
        const [offX, offY] = [xM[k]! - fromX, yM[k]! - fromY]
        if (offX > farM || offX < -farM || offY > farM || offY < -farM) continue
        if (squareToStep(offX, offY, stepX, stepY) <= corridorM * corridorM) reach(k)
      }
    },
    /** Whether a step came near the last point, with few enough missed. */
    isAtEnd: () => missed[n - 1]! <= most,
    /** Whether the last point, at the gate, was reached with few enough missed. */
    isThrough: () => {
      reach(n - 1)
      return missed[n - 1]! <= most
    },
  }
}

/** Squared distance between a point and a step, both given relative to the start of the step. */
export function squareToStep(offX: number, offY: number, stepX: number, stepY: number): number {
  const square = stepX * stepX + stepY * stepY
  const along = square > 0 ? (offX * stepX + offY * stepY) / square : 0
  const part = Math.max(0, Math.min(1, along))
  const [x, y] = [offX - part * stepX, offY - part * stepY]
  return x * x + y * y
}
