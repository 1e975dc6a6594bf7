import type { Positions } from '../track.ts'
import { chainThrough, squareToStep } from './chain.ts'
import { METRES_PER_DEGREE, RAD_PER_DEG } from './geo.ts'
import { END_SLACK_M, longestWayM, PASS_CORRIDOR_M } from './passes.ts'
import type { Anchors } from './path.ts'
import { eastM, northM, type Plane, type Stretch, turned } from './stretch.ts'
import { type StretchGrid, stretchGrid } from './stretch-grid.ts'
import { MOST_STEP, thinnedSteps } from './thinned.ts'

// The trace of a route is its line with fewer points, in two bytes a point (docs/algorithms.md 19). It is read without
// decoding and rules out nearly all runs that do not pass a stretch.
//
//     i32 lat, i32 lon of the first point, millionths of a degree; the steps of thinned.ts in metres east and north

/** Most metres between a trace and the points that it was made of. */
const OFF_M = 8
/** Anchors are this far apart, so a position may lie as far from the line through them; and a metre for rounding. */
const ANCHOR_OFF_M = 5 + 1
const POSITION_SCALE = 1e6
const HEAD_BYTES = 8
/** Longer traces, of routes of hundreds of kilometres or with broken positions, are not kept. */
const MOST_BYTES = 16_384
/** A position at an end of a pass may be this far away: the recording may begin or end a little past the end. */
const END_M = Math.ceil(Math.sqrt(PASS_CORRIDOR_M ** 2 + END_SLACK_M ** 2))
/** No step that counts for a point of the stretch is further away from it than this. */
const REACH_M = END_M + ANCHOR_OFF_M + OFF_M
/** Steps are followed in pieces of this length, so that a piece reaches only the part of a stretch next to it. */
const PIECE_M = 32
/** The length along a trace may exceed that along positions by this factor, since both leave out small turns. */
const WAY_SHARE = 1.1
const WAY_SLACK_M = 100

/** @returns no bytes for a route whose trace would be too long; it is never ruled out */
export function routeTrace(anchors: Anchors): Uint8Array {
  const { start, xs, ys } = onMetres(anchors)
  const steps = thinnedSteps({ xs, ys, off: OFF_M }, MOST_BYTES)
  if (steps.length > MOST_BYTES) return new Uint8Array(0)
  const bytes = new Uint8Array(HEAD_BYTES + steps.length)
  const view = new DataView(bytes.buffer)
  view.setInt32(0, start.lat, true)
  view.setInt32(4, start.lon, true)
  bytes.set(steps, HEAD_BYTES)
  return bytes
}

/** Whole metres north and east of the first point. */
function onMetres({ latDeg, lonDeg }: Positions) {
  const start = { lat: Math.round(latDeg[0]! * POSITION_SCALE), lon: Math.round(lonDeg[0]! * POSITION_SCALE) }
  const perDegreeEast = metresEast(start.lat)
  const xs = new Int32Array(lonDeg.length)
  const ys = new Int32Array(latDeg.length)
  for (let k = 0; k < xs.length; k += 1) {
    xs[k] = Math.round((lonDeg[k]! - start.lon / POSITION_SCALE) * perDegreeEast)
    ys[k] = Math.round((latDeg[k]! - start.lat / POSITION_SCALE) * METRES_PER_DEGREE)
  }
  return { start, xs, ys }
}

/** Metres of a trace per degree of longitude. @param latSteps where it begins */
function metresEast(latSteps: number): number {
  return METRES_PER_DEGREE * Math.max(0.01, Math.cos((latSteps / POSITION_SCALE) * RAD_PER_DEG))
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
  readonly xM: Float64Array
  readonly yM: Float64Array
}

/** One trace after the other, written into the same columns. */
function linesOn(plane: Plane): (trace: Uint8Array) => Line {
  const [xM, yM] = [new Float64Array(1 + MOST_BYTES / 2), new Float64Array(1 + MOST_BYTES / 2)]
  const line = { n: 0, xM, yM }
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
      x += ((trace[at]! << 24) >> 24) * perEast
      y += ((trace[at + 1]! << 24) >> 24) * perNorth
      xM[n] = x
      yM[n] = y
      n += 1
    }
    line.n = n
    return line
  }
}

/** Whether a point lies so near that a step from or to it may come near. */
function hasPointNear({ n, xM, yM }: Line, end: ReturnType<typeof placeAt>): boolean {
  const mostM = REACH_M + MOST_STEP
  for (let i = 0; i < n; i += 1) {
    const [x, y] = [xM[i]! - end.xM, yM[i]! - end.yM]
    if (x * x + y * y <= mostM * mostM) return true
  }
  return false
}

/** A pass may begin with the first step near the start, but its length counts from the end of the last one. */
function isFollowed(grid: StretchGrid, { n, xM, yM }: Line): boolean {
  const { stretch } = grid
  const start = placeAt(stretch, 0)
  const longestM = longestWayM(stretch) * WAY_SHARE + WAY_SLACK_M
  const isAtStart = (i: number) => {
    const [stepX, stepY] = [xM[i + 1]! - xM[i]!, yM[i + 1]! - yM[i]!]
    return squareToStep(start.xM - xM[i]!, start.yM - yM[i]!, stepX, stepY) <= REACH_M * REACH_M
  }
  for (let i = 0; i + 1 < n; i += 1) {
    if (!isAtStart(i)) continue
    let last = i
    while (last + 2 < n && isAtStart(last + 1)) last += 1
    const chain = chainThrough(grid, REACH_M)
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
