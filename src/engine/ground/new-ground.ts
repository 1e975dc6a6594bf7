import { decodeSteps, mostOfSteps } from './line.ts'
import { sideM, UNITS } from './squares.ts'

/** Ground is new where no earlier run came about as near as this, metres. */
const NEAR_M = 25
/** Pixels of 4 units. */
const PIXEL_SHIFT = 2
const PIXEL_UNITS = 2 ** PIXEL_SHIFT
const PIXELS = UNITS / PIXEL_UNITS
/** Pixels are bits, since a library has thousands of squares and most hold a few runs. */
const WORDS = PIXELS / 32
/** The middles of the parts of a step, by the pixels that it crosses; 1 is the whole step, which has at most 128 units. */
const SHARES = Array.from({ length: 128 / PIXEL_UNITS + 1 }, (_, crossed) => {
  const parts = Math.max(1, crossed)
  return Float64Array.from({ length: parts }, (_, part) => (part + 0.5) / parts)
})

/** One square, in which runs are added in the order of their start. */
export interface NewGround {
  /** @returns metres of the line that no run added before came near, each pixel counted once */
  add(line: Uint8Array): number
}

/** @param y row of the square; nothing is seen across its edge (docs/algorithms.md 26) */
export function createNewGround(y: number): NewGround {
  const near = new Int32Array(PIXELS * WORDS)
  const touched = new Int32Array(PIXELS * WORDS)
  const perUnit = sideM(y) / UNITS
  const reach = Math.max(1, Math.round(NEAR_M / (perUnit * PIXEL_UNITS)))
  const reachAcross = Int32Array.from({ length: reach + 1 }, (_, down) => Math.sqrt(reach * reach - down * down))
  let steps = new Int16Array(0)
  const dilate = (at: number) => {
    const column = at % PIXELS
    const row = (at - column) / PIXELS
    const last = Math.min(PIXELS - 1, row + reach)
    for (let other = Math.max(0, row - reach); other <= last; other += 1) {
      const across = reachAcross[Math.abs(other - row)]!
      const west = Math.max(0, column - across)
      const east = Math.min(PIXELS - 1, column + across)
      const from = other * WORDS + (west >> 5)
      const to = other * WORDS + (east >> 5)
      // JavaScript shifts by the last five bits
      if (from === to) near[from]! |= (-1 << west) & ~(-2 << east)
      else {
        near[from]! |= -1 << west
        for (let within = from + 1; within < to; within += 1) near[within] = -1
        near[to]! |= ~(-2 << east)
      }
    }
  }
  return {
    add: (line) => {
      if (steps.length < mostOfSteps(line)) steps = new Int16Array(2 * mostOfSteps(line))
      return drawn(steps, decodeSteps(line, steps), { near, touched, dilate, lag: (2 * NEAR_M) / perUnit }) * perUnit
    },
  }
}

interface Drawing {
  readonly near: Int32Array
  readonly touched: Int32Array
  readonly dilate: (pixel: number) => void
  /** Units after which the line itself counts as an earlier one: there and back along a street is new once. */
  readonly lag: number
}

/**
 * Touches the pixels of a line. A function of its own, since within another one the millions of pixels take twice as long.
 * @returns units where nothing was near
 */
function drawn(steps: Int16Array, end: number, { near, touched, dilate, lag }: Drawing): number {
  const fresh: number[] = []
  const places: number[] = []
  let behind = 0
  let along = 0
  let units = 0
  for (let k = 0; k < end; k += 4) {
    const fromX = steps[k]!
    const fromY = steps[k + 1]!
    const byX = steps[k + 2]! - fromX
    const byY = steps[k + 3]! - fromY
    const shares = SHARES[Math.max(Math.abs(byX), Math.abs(byY)) >> PIXEL_SHIFT]!
    const length = Math.sqrt(byX * byX + byY * byY) / shares.length
    while (places[behind]! < along - lag) {
      dilate(fresh[behind]!)
      behind += 1
    }
    for (let part = 0; part < shares.length; part += 1) {
      const share = shares[part]!
      along += length
      const at = pixelOf(fromY + share * byY) * PIXELS + pixelOf(fromX + share * byX)
      // near by an earlier line, or counted in this one
      if (isSet(touched, at)) continue
      touched[at >> 5]! |= 1 << at
      fresh.push(at)
      places.push(along)
      if (!isSet(near, at)) units += length
    }
  }
  for (; behind < fresh.length; behind += 1) dilate(fresh[behind]!)
  return units
}

function isSet(bits: Int32Array, at: number): boolean {
  return ((bits[at >> 5]! >>> at) & 1) === 1
}

function pixelOf(unit: number): number {
  return Math.min(PIXELS - 1, unit >> PIXEL_SHIFT)
}
