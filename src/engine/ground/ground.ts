import type { Positions, Track } from '../track.ts'
import { addPoint, encodeStay, lineUnits, type StayPoints } from './line.ts'
import {
  apartM,
  columnOf,
  LAST_LATITUDE,
  rowOf,
  SIDE,
  type Square,
  sideM,
  squareKey,
  UNITS,
  wrapped,
} from './squares.ts'

/** Between positions further apart nothing was run. */
export const LONGEST_STEP_M = 200
/** A square is visited by more of a step than this, sides of a square: through a corner two are, not three. */
const LEAST_SHARE = 1e-9
const START_SCALE = 1e6

/** A square that a run visits. */
export interface VisitedSquare extends Square {
  /** Elapsed seconds of the position at or after the first entry. */
  readonly enteredS: number
  /** As line.ts encodes it. */
  readonly line: Uint8Array
}

/** The squares of a run in the order of their first visit (docs/algorithms.md 22). */
export interface Ground {
  /** First position, degrees, to millionths. */
  readonly startLat: number
  readonly startLon: number
  /** Length of all lines, metres. */
  readonly lengthM: number
  readonly squares: readonly VisitedSquare[]
}

type Combined = Positions & Pick<Track, 'tS' | 'seams'>

/** Where a combined track leads. @returns null for one without positions */
export function groundOf({ latDeg, lonDeg, tS, seams = [] }: Combined): Ground | null {
  const visits = visitedSquares()
  let [first, last, seam] = [-1, -1, 0]
  for (let k = 0; k < latDeg.length; k += 1) {
    const lat = latDeg[k]!
    const lon = lonDeg[k]!
    if (Number.isNaN(lat) || Number.isNaN(lon)) continue
    let isApart = last === -1
    for (; seam < seams.length && seams[seam]! <= tS[k]!; seam += 1) isApart = true
    if (last === -1) first = k
    else isApart ||= apartM(latDeg[last]!, lonDeg[last]!, lat, lon) > LONGEST_STEP_M
    const to = { x: columnOf(lon), y: rowOf(lat), atS: tS[k]!, isOn: Math.abs(lat) <= LAST_LATITUDE }
    if (isApart) visits.begin(to)
    else visits.step(to)
    last = k
  }
  if (last === -1) return null
  const squares = visits.end()
  return {
    startLat: Math.round(latDeg[first]! * START_SCALE) / START_SCALE,
    startLon: Math.round(lonDeg[first]! * START_SCALE) / START_SCALE,
    lengthM: squares.reduce((sum, { y, line }) => sum + (lineUnits(line) * sideM(y)) / UNITS, 0),
    squares,
  }
}

interface Place {
  readonly x: number
  readonly y: number
  readonly atS: number
  /** Whether there is a square. */
  readonly isOn: boolean
}

function visitedSquares() {
  const visits = new Map<number, Square & { readonly enteredS: number; readonly stays: Uint8Array[] }>()
  let from: Place | null = null
  /** The stay so far, in unwrapped squares; null: none, or only `from`. */
  let stay: (StayPoints & Square) | null = null

  const enter = (x: number, y: number, enteredS: number) => {
    const key = squareKey({ x: wrapped(x), y })
    if (!visits.has(key)) visits.set(key, { x: wrapped(x), y, enteredS, stays: [] })
    stay = { x, y, xs: [], ys: [] }
  }
  const leave = () => {
    if (stay !== null) visits.get(squareKey({ x: wrapped(stay.x), y: stay.y }))!.stays.push(encodeStay(stay))
    stay = null
  }
  /** A position without a step visits its own square. */
  const endStay = () => {
    if (stay === null && from?.isOn) {
      const [x, y] = [Math.floor(from.x), Math.min(SIDE - 1, Math.max(0, Math.floor(from.y)))]
      enter(x, y, from.atS)
      addPoint(stay!, from.x - x, from.y - y)
    }
    leave()
  }
  const begin = (place: Place) => {
    endStay()
    from = place
  }
  const step = (to: Place) => {
    const start = from!
    const east = to.x - start.x - SIDE * Math.round((to.x - start.x) / SIDE)
    const south = to.y - start.y
    const length = Math.sqrt(east * east + south * south)
    // of rows beyond the last ones there may be thousands to a metre
    if (!start.isOn && !to.isOn) return void begin(to)
    let next = { column: nextEdge(start.x, east), row: nextEdge(start.y, south) }
    for (let done = 0; done < 1; ) {
      const [toColumn, toRow] = [shareTo(next.column, start.x, east), shareTo(next.row, start.y, south)]
      const until = Math.min(1, toColumn, toRow)
      if ((until - done) * length > LEAST_SHARE) {
        const middle = (done + until) / 2
        visit(start, to, { x: Math.floor(start.x + middle * east), y: Math.floor(start.y + middle * south) })
        if (stay !== null) {
          const at: StayPoints & Square = stay
          if (at.xs.length === 0) addPoint(at, start.x + done * east - at.x, start.y + done * south - at.y)
          addPoint(at, start.x + until * east - at.x, start.y + until * south - at.y)
        }
      }
      next = {
        column: toColumn <= until ? next.column + Math.sign(east) : next.column,
        row: toRow <= until ? next.row + Math.sign(south) : next.row,
      }
      done = until
    }
    from = { ...to, x: start.x + east }
  }
  const visit = (start: Place, to: Place, { x, y }: Square) => {
    if (stay !== null && stay.x === x && stay.y === y) return
    const isFirst = stay === null
    leave()
    if (y >= 0 && y < SIDE) enter(x, y, isFirst ? start.atS : to.atS)
  }
  return {
    begin,
    step,
    end: () => {
      endStay()
      return [...visits.values()].map(({ stays, ...square }) => ({ ...square, line: joined(stays) }))
    },
  }
}

/** The first edge that a step crosses. */
function nextEdge(from: number, by: number): number {
  return by > 0 ? Math.floor(from) + 1 : Math.ceil(from) - 1
}

function shareTo(edge: number, from: number, by: number): number {
  return by === 0 ? Number.POSITIVE_INFINITY : (edge - from) / by
}

function joined(stays: readonly Uint8Array[]): Uint8Array {
  if (stays.length === 1) return stays[0]!
  const bytes = new Uint8Array(stays.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const stay of stays) {
    bytes.set(stay, at)
    at += stay.length
  }
  return bytes
}
