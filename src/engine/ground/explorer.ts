import { SIDE, type Square, squareKey, squareOfKey, wrapped } from './squares.ts'

/** The largest block of visited squares; its north-western corner. */
export interface MaxSquare extends Square {
  readonly size: number
}

/** What a set of visited squares amounts to (docs/algorithms.md 25). */
export interface Explored {
  readonly count: number
  readonly maxSquare: MaxSquare | null
  /** Keys of visited squares whose four neighbours are visited, too. */
  readonly inner: ReadonlySet<number>
  /** Keys of the largest set of inner squares that are joined by edges. */
  readonly cluster: ReadonlySet<number>
}

/** @param visited keys of squares */
export function explored(visited: ReadonlySet<number>): Explored {
  const inner = innerOf(visited)
  return { count: visited.size, maxSquare: maxSquareOf(visited), inner, cluster: clusterOf(inner) }
}

/** The key of a square beside another one; -1: beyond the last row. */
function beside(key: number, right: number, below: number): number {
  const { x, y } = squareOfKey(key)
  const row = y + below
  return row < 0 || row >= SIDE ? -1 : squareKey({ x: wrapped(x + right), y: row })
}

const SIDES = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
] as const

function innerOf(visited: ReadonlySet<number>): Set<number> {
  const inner = new Set<number>()
  for (const key of visited) {
    if (SIDES.every(([right, below]) => visited.has(beside(key, right, below)))) inner.add(key)
  }
  return inner
}

function clusterOf(inner: ReadonlySet<number>): Set<number> {
  let largest = new Set<number>()
  const seen = new Set<number>()
  for (const start of inner) {
    if (seen.has(start)) continue
    const found = new Set([start])
    // a set yields what is added to it meanwhile
    for (const key of found) {
      for (const [right, below] of SIDES) {
        const next = beside(key, right, below)
        if (inner.has(next)) found.add(next)
      }
    }
    for (const key of found) seen.add(key)
    if (found.size > largest.size) largest = found
  }
  return largest
}

/**
 * The side of the block whose north-western corner is a square is 1 + the least of those to its east, south and
 * south-east. Two rounds, since columns close round the globe; of equal ones the northernmost, then the westernmost.
 */
function maxSquareOf(visited: ReadonlySet<number>): MaxSquare | null {
  const sides = new Map<number, number>()
  const fromSouthEast = [...visited].sort((a, b) => (b % SIDE) - (a % SIDE) || b - a)
  for (const _ of [1, 2]) {
    for (const key of fromSouthEast) {
      const side = (right: number, below: number) => sides.get(beside(key, right, below)) ?? 0
      sides.set(key, 1 + Math.min(side(1, 0), side(0, 1), side(1, 1)))
    }
  }
  let best: MaxSquare | null = null
  // backwards: from the north-west
  for (const key of fromSouthEast.toReversed()) {
    const size = Math.min(SIDE, sides.get(key)!)
    if (size > (best?.size ?? 0)) best = { size, ...squareOfKey(key) }
  }
  return best
}

/** The block of the next size about the largest one that lacks fewest squares, and these. */
export interface Growth extends MaxSquare {
  readonly missing: readonly (readonly [x: number, y: number])[]
}

/** @returns null where no larger block fits on the map */
export function growthOf(visited: ReadonlySet<number>, { size, x, y }: MaxSquare): Growth | null {
  const larger = size + 1
  const corners = [y - 1, y]
    .filter((top) => top >= 0 && top + larger <= SIDE)
    .flatMap((top) => [wrapped(x - 1), x].toSorted((a, b) => a - b).map((left) => ({ x: left, y: top })))
  let best: Growth | null = null
  for (const corner of corners) {
    const missing: (readonly [number, number])[] = []
    for (let below = 0; below < larger; below += 1) {
      for (let right = 0; right < larger; right += 1) {
        const square = { x: wrapped(corner.x + right), y: corner.y + below }
        if (!visited.has(squareKey(square))) missing.push([square.x, square.y])
      }
    }
    if (best === null || missing.length < best.missing.length) best = { ...corner, size: larger, missing }
  }
  return best
}
