import type { Positions, Span } from '../track.ts'
import { chainThrough, LONGEST_STEP_M } from './chain.ts'
import { lengthOf } from './geo.ts'
import { eastM, endGate, GATE_M, type Gate, northM, type Stretch, startGate, turned } from './stretch.ts'
import { type StretchGrid, stretchGrid } from './stretch-grid.ts'

/** A run follows the stretch while it is at most this many metres away. */
export const PASS_CORRIDOR_M = 25
/** A recording that begins or ends on the stretch may do so this far past its end, metres. */
export const END_SLACK_M = 10
/** A pass may be longer than the stretch by this share and `LONGER_M` metres. */
const LONGER_SHARE = 0.25
const LONGER_M = 100
/** Passes may overlap by this share of the shorter one, as when a stretch is a little longer than a lap. */
const MOST_SHARED = 0.1

/** A span in which a run followed a stretch from one end to the other; elapsed seconds. */
export interface Pass extends Span {
  readonly direction: 'same' | 'reverse'
}

/** The positions of a run on the plane of a stretch. */
interface Line {
  readonly n: number
  readonly tS: Float64Array
  readonly xM: Float64Array
  readonly yM: Float64Array
}

/** Where a line crosses a gate: between row `at` and the next. */
interface Crossing {
  readonly at: number
  readonly tS: number
  readonly xM: number
  readonly yM: number
}

/**
 * Finds passes through a stretch, in either direction (docs/decisions.md). One begins where the run crosses the
 * perpendicular of an end of the stretch and ends where it crosses that of the other, within 25 m of both and in the
 * right direction. Between them it comes within 25 m of nine tenths of the points in order, and it is at most a quarter
 * and 100 m longer than the stretch. Of nested spans the shortest counts, so that waiting before the start is not part
 * of a pass; of spans that overlap by more than a tenth the first, and the direction of the stretch before the opposite
 * one.
 * @returns a function of positions and their elapsed seconds (NaN: none) that returns the passes by their start
 */
export function passFinder(stretch: Stretch): (tS: Float64Array, positions: Positions) => Pass[] {
  const [start, end] = [startGate(stretch), endGate(stretch)]
  const [there, back] = [stretchGrid(stretch), stretchGrid(turned(stretch))]
  return (tS, positions) => {
    const line = lineOn(stretch, tS, positions)
    if (line.n < 2) return []
    const [atStart, atEnd] = [crossings(line, start), crossings(line, end)]
    const found: Pass[] = []
    const isApart = (span: Span) => !found.some((one) => isShared(one, span))
    const onward = spans(there, line, { entries: atStart.onward, exits: atEnd.onward })
    const homeward = spans(back, line, { entries: atEnd.homeward, exits: atStart.homeward })
    for (const span of onward) if (isApart(span)) found.push({ direction: 'same', ...span })
    for (const span of homeward) if (isApart(span)) found.push({ direction: 'reverse', ...span })
    return found.sort((a, b) => a.startS - b.startS)
  }
}

/** Whether two spans overlap so much that only one of them is a pass. */
export function isShared(a: Span, b: Span): boolean {
  const sharedS = Math.min(a.endS, b.endS) - Math.max(a.startS, b.startS)
  return sharedS > MOST_SHARED * Math.min(a.endS - a.startS, b.endS - b.startS)
}

/** Most metres that a pass through a stretch may measure. */
export function longestWayM({ lengthM }: Stretch): number {
  return lengthM * (1 + LONGER_SHARE) + LONGER_M
}

function lineOn({ plane }: Stretch, tS: Float64Array, { latDeg, lonDeg }: Positions): Line {
  const rows = latDeg.length
  const line = { tS: new Float64Array(rows), xM: new Float64Array(rows), yM: new Float64Array(rows) }
  let n = 0
  for (let row = 0; row < rows; row += 1) {
    const x = eastM(plane, lonDeg[row]!)
    const y = northM(plane, latDeg[row]!)
    if (!Number.isFinite(x + y)) continue
    line.tS[n] = tS[row]!
    line.xM[n] = x
    line.yM[n] = y
    n += 1
  }
  return { n, ...line }
}

/** Passes in one direction: spans that contain no other, in order. */
function spans(grid: StretchGrid, line: Line, { entries, exits }: { entries: Crossing[]; exits: Crossing[] }): Span[] {
  const found: Span[] = []
  let earliestEndS = Number.POSITIVE_INFINITY
  for (const entry of exits.length === 0 ? [] : entries.toReversed()) {
    const exit = followed(grid, line, { entry, exits })
    // a span that contains a pass with a later start is not a pass itself
    if (exit === null || exit.tS >= earliestEndS) continue
    earliestEndS = exit.tS
    found.push({ startS: entry.tS, endS: exit.tS })
  }
  return found.reverse()
}

/**
 * Where the line crosses a gate within the corridor, in either direction. A recording that begins just past the gate
 * enters with its first position, one that ends just before it leaves with its last.
 */
function crossings({ n, tS, xM, yM }: Line, gate: Gate): { onward: Crossing[]; homeward: Crossing[] } {
  const onward: Crossing[] = []
  const homeward: Crossing[] = []
  const first = aheadM(gate, xM[0]!, yM[0]!)
  const isFirstIn = besideM(gate, xM[0]!, yM[0]!) <= PASS_CORRIDOR_M
  const start = { at: 0, tS: tS[0]!, xM: xM[0]!, yM: yM[0]! }
  if (isFirstIn && first >= 0 && first <= END_SLACK_M) onward.push(start)
  if (isFirstIn && first <= 0 && first >= -END_SLACK_M) homeward.push(start)
  let before = first
  for (let i = 0; i + 1 < n; i += 1) {
    const after = aheadM(gate, xM[i + 1]!, yM[i + 1]!)
    const isOnward = before < 0 && after >= 0
    if (isOnward || (before > 0 && after <= 0)) {
      const part = before / (before - after)
      const stepX = xM[i + 1]! - xM[i]!
      const stepY = yM[i + 1]! - yM[i]!
      const x = xM[i]! + part * stepX
      const y = yM[i]! + part * stepY
      const isStep = stepX * stepX + stepY * stepY <= LONGEST_STEP_M * LONGEST_STEP_M
      if (isStep && besideM(gate, x, y) <= PASS_CORRIDOR_M) {
        const found = isOnward ? onward : homeward
        found.push({ at: i, tS: tS[i]! + part * (tS[i + 1]! - tS[i]!), xM: x, yM: y })
      }
    }
    before = after
  }
  const end = { at: n - 2, tS: tS[n - 1]!, xM: xM[n - 1]!, yM: yM[n - 1]! }
  const isLastIn = besideM(gate, end.xM, end.yM) <= PASS_CORRIDOR_M
  if (isLastIn && before < 0 && before >= -END_SLACK_M) onward.push(end)
  if (isLastIn && before > 0 && before <= END_SLACK_M) homeward.push(end)
  return { onward, homeward }
}

function aheadM(gate: Gate, x: number, y: number): number {
  return (x - gate.xM) * gate.eastward + (y - gate.yM) * gate.northward
}

function besideM(gate: Gate, x: number, y: number): number {
  return Math.abs((y - gate.yM) * gate.eastward - (x - gate.xM) * gate.northward)
}

interface Ends {
  readonly entry: Crossing
  readonly exits: readonly Crossing[]
}

/** The first exit that completes a pass from this entry; null: there is none. */
function followed(grid: StretchGrid, line: Line, { entry, exits }: Ends): Crossing | null {
  const { stretch } = grid
  const longestM = longestWayM(stretch)
  const chain = chainThrough(grid, PASS_CORRIDOR_M)
  let next = exits.findIndex(({ tS }) => tS > entry.tS)
  let [fromX, fromY] = [entry.xM, entry.yM]
  let [anchorX, anchorY, wayM] = [entry.xM, entry.yM, 0]
  for (let i = entry.at; i + 1 < line.n && next !== -1; i += 1) {
    for (let exit = exits[next]; exit?.at === i; exit = exits[next]) {
      chain.add(fromX, fromY, exit.xM, exit.yM)
      const restM = lengthOf(exit.xM - anchorX, exit.yM - anchorY)
      if (chain.isThrough() && wayM + restM <= longestM) return exit
      next = next + 1 < exits.length ? next + 1 : -1
      if (next === -1) return null
    }
    const [x, y] = [line.xM[i + 1]!, line.yM[i + 1]!]
    chain.add(fromX, fromY, x, y)
    const stepM = lengthOf(x - anchorX, y - anchorY)
    if (stepM >= GATE_M) {
      wayM += stepM
      anchorX = x
      anchorY = y
      if (wayM > longestM) return null
    }
    fromX = x
    fromY = y
  }
  return null
}
