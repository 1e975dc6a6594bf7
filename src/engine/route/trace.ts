import type { Positions } from '../track.ts'
import { chainThrough, squareToStep } from './chain.ts'
import { METRES_PER_DEGREE, RAD_PER_DEG } from './geo.ts'
import { END_SLACK_M, longestWayM, PASS_CORRIDOR_M } from './passes.ts'
import type { Anchors } from './path.ts'
import { eastM, northM, type Plane, type Stretch, turned } from './stretch.ts'
import { type StretchGrid, stretchGrid } from './stretch-grid.ts'

// The trace of a route is its line with fewer points, in two bytes a point (docs/algorithms.md 19). It is read without
// decoding and rules out nearly all runs that do not pass a stretch.
//
//     i32 lat, i32 lon of the first point, millionths of a degree; u8 most metres between the line and a position;
//     for each further point i8 metres north, i8 metres east of the one before

/** Most metres between a trace and the points that it was made of. */
const OFF_M = 8
/** Anchors are this far apart, so a position may lie as far from the line through them; and a metre for rounding. */
const ANCHOR_OFF_M = 5 + 1
const POSITION_SCALE = 1e6
const HEAD_BYTES = 9
/** Most metres north and east from one point to the next. */
const MOST_STEP_M = 127
/** Longer traces, of routes of hundreds of kilometres or with broken positions, are not kept. */
const MOST_BYTES = 16_384
/** A position at an end of a pass may be this far away: the recording may begin or end a little past the end. */
const END_M = Math.ceil(Math.sqrt(PASS_CORRIDOR_M ** 2 + END_SLACK_M ** 2))
/** Steps are followed in pieces of this length, so that a piece reaches only the part of a stretch next to it. */
const PIECE_M = 32
/** The length along a trace may exceed that along positions by this factor, since both leave out small turns. */
const WAY_SHARE = 1.1
const WAY_SLACK_M = 100

/** @returns no bytes for a route whose trace would be too long; it is never ruled out */
export function routeTrace(anchors: Anchors): Uint8Array {
  const offM = ANCHOR_OFF_M + OFF_M
  const n = anchors.latDeg.length
  const { start, xM, yM } = onMetres(anchors)
  const steps: number[] = []
  for (let from = 0; from < n - 1; ) {
    const to = furthestStraight({ xM, yM, offM: OFF_M }, from)
    pushStep(steps, xM[to]! - xM[from]!, yM[to]! - yM[from]!)
    if (steps.length > MOST_BYTES) return new Uint8Array(0)
    from = to
  }
  const bytes = new Uint8Array(HEAD_BYTES + steps.length)
  const view = new DataView(bytes.buffer)
  view.setInt32(0, start.lat, true)
  view.setInt32(4, start.lon, true)
  view.setUint8(8, offM)
  bytes.set(steps, HEAD_BYTES)
  return bytes
}

/** Whole metres north and east of the first point. */
function onMetres({ latDeg, lonDeg }: Positions) {
  const start = { lat: Math.round(latDeg[0]! * POSITION_SCALE), lon: Math.round(lonDeg[0]! * POSITION_SCALE) }
  const perDegreeEast = metresEast(start.lat)
  const xM = new Int32Array(lonDeg.length)
  const yM = new Int32Array(latDeg.length)
  for (let k = 0; k < xM.length; k += 1) {
    xM[k] = Math.round((lonDeg[k]! - start.lon / POSITION_SCALE) * perDegreeEast)
    yM[k] = Math.round((latDeg[k]! - start.lat / POSITION_SCALE) * METRES_PER_DEGREE)
  }
  return { start, xM, yM }
}

/** Metres of a trace per degree of longitude. @param latSteps where it begins */
function metresEast(latSteps: number): number {
  return METRES_PER_DEGREE * Math.max(0.01, Math.cos((latSteps / POSITION_SCALE) * RAD_PER_DEG))
}

/** Points of a line, whole units of length, and how far from it points that are left out may lie. */
interface Straightened {
  readonly xM: Int32Array
  readonly yM: Int32Array
  readonly offM: number
}

/**
 * The last point that one step leads to, along which all points between are in order; at least the next one. Each point
 * allows the directions that pass it within `offM`; the step has to be one of those that all points allow.
 */
export function furthestStraight({ xM, yM, offM }: Straightened, from: number): number {
  // the outermost directions that are still allowed
  let leftX = 0
  let leftY = 0
  let rightX = 0
  let rightY = 0
  let furthestM = 0
  let to = from
  for (let k = from + 1; k < xM.length; k += 1) {
    const x = xM[k]! - xM[from]!
    const y = yM[k]! - yM[from]!
    if (x > MOST_STEP_M || x < -MOST_STEP_M || y > MOST_STEP_M || y < -MOST_STEP_M) break
    if (rightX * y < rightY * x || leftX * y > leftY * x) break
    const awayM = Math.sqrt(x * x + y * y)
    // so that a step never hides a way back
    if (awayM < furthestM - offM / 2) break
    to = k
    if (awayM > furthestM) furthestM = awayM
    if (awayM <= offM) continue
    const sine = offM / awayM
    const cosine = Math.sqrt(1 - sine * sine)
    const isFirst = leftX === 0 && leftY === 0
    const toLeftX = x * cosine - y * sine
    const toLeftY = x * sine + y * cosine
    const toRightX = x * cosine + y * sine
    const toRightY = y * cosine - x * sine
    if (isFirst || toLeftX * leftY > toLeftY * leftX) {
      leftX = toLeftX
      leftY = toLeftY
    }
    if (isFirst || rightX * toRightY > rightY * toRightX) {
      rightX = toRightX
      rightY = toRightY
    }
  }
  return Math.max(to, from + 1)
}

/** Longer steps, across gaps, are written as several. */
function pushStep(steps: number[], x: number, y: number): void {
  const pieces = Math.ceil(Math.max(Math.abs(x), Math.abs(y), 1) / MOST_STEP_M)
  let [doneX, doneY] = [0, 0]
  for (let piece = 1; piece <= pieces && steps.length <= MOST_BYTES; piece += 1) {
    const [toX, toY] = [Math.round((x * piece) / pieces), Math.round((y * piece) / pieces)]
    steps.push(toY - doneY, toX - doneX)
    doneX = toX
    doneY = toY
  }
}

/**
 * Whether a trace comes near the points of a stretch in order, with no more missed than a pass may miss, and not on too
 * long a detour. Never false for a route that passes. The function throws a RangeError for bytes that are not a trace.
 */
export function traceMayPass(stretch: Stretch): (trace: Uint8Array) => boolean {
  const [there, back] = [stretchGrid(stretch), stretchGrid(turned(stretch))]
  const lineOf = linesOn(stretch.plane)
  const [start, end] = [placeAt(stretch, 0), placeAt(stretch, stretch.n - 1)]
  return (trace) => {
    if (trace.length === 0) return true
    const line = lineOf(trace)
    if (!hasPointNear(line, start) || !hasPointNear(line, end)) return false
    return isFollowed(there, line) || isFollowed(back, line)
  }
}

function placeAt({ xM, yM }: Stretch, k: number) {
  return { xM: xM[k]!, yM: yM[k]! }
}

/** The points of a trace on the plane of a stretch. */
interface Line {
  n: number
  /** No step that counts for a point of the stretch is further away than this. */
  reachM: number
  readonly xM: Float64Array
  readonly yM: Float64Array
}

/** One trace after the other, written into the same columns. */
function linesOn(plane: Plane): (trace: Uint8Array) => Line {
  const [xM, yM] = [new Float64Array(1 + MOST_BYTES / 2), new Float64Array(1 + MOST_BYTES / 2)]
  const line = { n: 0, reachM: 0, xM, yM }
  return (trace) => {
    if (trace.length > HEAD_BYTES + MOST_BYTES) throw new RangeError('A stored trace is damaged')
    const view = new DataView(trace.buffer, trace.byteOffset, trace.byteLength)
    const [lat, lon] = [view.getInt32(0, true), view.getInt32(4, true)]
    const [perNorth, perEast] = [plane.northMPerDeg / METRES_PER_DEGREE, plane.eastMPerDeg / metresEast(lat)]
    let x = eastM(plane, lon / POSITION_SCALE)
    let y = northM(plane, lat / POSITION_SCALE)
    xM[0] = x
    yM[0] = y
    let n = 1
    for (let at = HEAD_BYTES; at + 1 < trace.length; at += 2) {
      y += ((trace[at]! << 24) >> 24) * perNorth
      x += ((trace[at + 1]! << 24) >> 24) * perEast
      xM[n] = x
      yM[n] = y
      n += 1
    }
    line.n = n
    line.reachM = END_M + view.getUint8(8)
    return line
  }
}

/** Whether a point lies so near that a step from or to it may come near. */
function hasPointNear({ n, reachM, xM, yM }: Line, end: ReturnType<typeof placeAt>): boolean {
  const mostM = reachM + MOST_STEP_M
  for (let i = 0; i < n; i += 1) {
    const [x, y] = [xM[i]! - end.xM, yM[i]! - end.yM]
    if (x * x + y * y <= mostM * mostM) return true
  }
  return false
}

/** A pass may begin with the first step near the start, but its length counts from the end of the last one. */
function isFollowed(grid: StretchGrid, { n, reachM, xM, yM }: Line): boolean {
  const { stretch } = grid
  const start = placeAt(stretch, 0)
  const longestM = longestWayM(stretch) * WAY_SHARE + WAY_SLACK_M
  const isAtStart = (i: number) => {
    const [stepX, stepY] = [xM[i + 1]! - xM[i]!, yM[i + 1]! - yM[i]!]
    return squareToStep(start.xM - xM[i]!, start.yM - yM[i]!, stepX, stepY) <= reachM * reachM
  }
  for (let i = 0; i + 1 < n; i += 1) {
    if (!isAtStart(i)) continue
    let last = i
    while (last + 2 < n && isAtStart(last + 1)) last += 1
    const chain = chainThrough(grid, reachM)
    let wayM = 0
    for (let k = i; k + 1 < n && wayM <= longestM; k += 1) {
      const stepM = addStep(chain, [xM[k]!, yM[k]!], [xM[k + 1]!, yM[k + 1]!])
      if (chain.isAtEnd()) return true
      if (k > last) wayM += stepM
    }
    i = last
  }
  return false
}

type Place = readonly [xM: number, yM: number]

/** @returns the length of the step, metres */
function addStep(chain: ReturnType<typeof chainThrough>, [fromX, fromY]: Place, [toX, toY]: Place): number {
  const [stepX, stepY] = [toX - fromX, toY - fromY]
  const stepM = Math.sqrt(stepX * stepX + stepY * stepY)
  const pieces = Math.max(1, Math.ceil(stepM / PIECE_M))
  for (let piece = 0; piece < pieces; piece += 1) {
    const [begun, ended] = [piece / pieces, (piece + 1) / pieces]
    chain.add(fromX + begun * stepX, fromY + begun * stepY, fromX + ended * stepX, fromY + ended * stepY)
  }
  return stepM
}
