import { thinnedSteps } from '../route/thinned.ts'
import { UNITS } from './squares.ts'

// The line of a run within a square, each unbroken stay on its own: u16 number of steps, u16 x, u16 y, then i8 east and
// i8 south a step, all in units of 1/1024 of the square, 0 to 1024 from its north-western corner.

/** Most units between the line and a point that it leaves out. */
const OFF_UNITS = 2
const MOST_STEPS = 0xffff
const HEAD_BYTES = 6

/** Points of a stay in units, whole. */
export interface StayPoints {
  readonly xs: number[]
  readonly ys: number[]
}

/** Adds a point, rounded, unless it is that before. @param x of the square, 0..1, as y */
export function addPoint({ xs, ys }: StayPoints, x: number, y: number): void {
  const [unitX, unitY] = [unitsOf(x), unitsOf(y)]
  if (xs.length > 0 && xs[xs.length - 1] === unitX && ys[ys.length - 1] === unitY) return
  xs.push(unitX)
  ys.push(unitY)
}

function unitsOf(share: number): number {
  return Math.min(UNITS, Math.max(0, Math.round(share * UNITS)))
}

/** The bytes of a stay with at least one point. */
export function encodeStay({ xs, ys }: StayPoints): Uint8Array {
  const steps = thinnedSteps({ xs, ys, off: OFF_UNITS })
  const parts = Math.max(1, Math.ceil(steps.length / 2 / MOST_STEPS))
  const bytes = new Uint8Array(parts * HEAD_BYTES + steps.length)
  const view = new DataView(bytes.buffer)
  let [x, y, at, done] = [xs[0]!, ys[0]!, 0, 0]
  for (let part = 0; part < parts; part += 1) {
    const count = Math.min(MOST_STEPS, steps.length / 2 - done)
    view.setUint16(at, count, true)
    view.setUint16(at + 2, x, true)
    view.setUint16(at + 4, y, true)
    at += HEAD_BYTES
    for (const end = done + count; done < end; done += 1) {
      x += steps[2 * done]!
      y += steps[2 * done + 1]!
      bytes[at] = steps[2 * done]!
      bytes[at + 1] = steps[2 * done + 1]!
      at += 2
    }
  }
  return bytes
}

/** What is done with each step of a line, in units. A stay without steps is one from its point to itself. */
export type EachStep = (fromX: number, fromY: number, toX: number, toY: number) => void

/** @throws RangeError for bytes that are not a line */
export function eachStep(line: Uint8Array, each: EachStep): void {
  const steps = new Int16Array(mostOfSteps(line))
  const end = decodeSteps(line, steps)
  for (let k = 0; k < end; k += 4) each(steps[k]!, steps[k + 1]!, steps[k + 2]!, steps[k + 3]!)
}

/** Numbers that the steps of a line take at most. */
export function mostOfSteps({ length }: Uint8Array): number {
  return 2 * length
}

/**
 * The steps of a line, four units each: from x and y to x and y. In one piece and into an array that is used again, since
 * a tile has hundreds of thousands.
 * @returns how many numbers were written @throws RangeError for bytes that are not a line
 */
export function decodeSteps(line: Uint8Array, steps: Int16Array): number {
  let written = 0
  for (let at = 0; at < line.length; ) {
    if (at + HEAD_BYTES > line.length) throw new RangeError('A stored line is damaged')
    const count = line[at]! | (line[at + 1]! << 8)
    let x = line[at + 2]! | (line[at + 3]! << 8)
    let y = line[at + 4]! | (line[at + 5]! << 8)
    at += HEAD_BYTES
    const end = at + 2 * count
    if (end > line.length) throw new RangeError('A stored line is damaged')
    for (let isFirst = count === 0; at < end || isFirst; isFirst = false) {
      steps[written] = x
      steps[written + 1] = y
      if (count > 0) {
        x += (line[at]! << 24) >> 24
        y += (line[at + 1]! << 24) >> 24
        at += 2
      }
      steps[written + 2] = x
      steps[written + 3] = y
      written += 4
    }
  }
  return written
}

/** Length of a line, units of its square. */
export function lineUnits(line: Uint8Array): number {
  let units = 0
  eachStep(line, (fromX, fromY, toX, toY) => {
    const [x, y] = [toX - fromX, toY - fromY]
    units += Math.sqrt(x * x + y * y)
  })
  return units
}

/** Units between a point and the nearest of a line. */
export function nearestUnits(line: Uint8Array, x: number, y: number): number {
  let least = Number.POSITIVE_INFINITY
  eachStep(line, (fromX, fromY, toX, toY) => {
    const [byX, byY] = [toX - fromX, toY - fromY]
    const square = byX * byX + byY * byY
    const along = square === 0 ? 0 : ((x - fromX) * byX + (y - fromY) * byY) / square
    const share = Math.min(1, Math.max(0, along))
    const [awayX, awayY] = [fromX + share * byX - x, fromY + share * byY - y]
    least = Math.min(least, awayX * awayX + awayY * awayY)
  })
  return Math.sqrt(least)
}
