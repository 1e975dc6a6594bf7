import { SIDE, type Square, squareKey, wrapped } from './squares.ts'

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
  const { squares, inner, cluster } = measured(visited)
  const keysOf = (places: readonly number[]) => new Set(places.map((k) => keyOf(squares.cells[k]!)))
  return {
    count: visited.size,
    maxSquare: maxSquareOf(squares),
    inner: keysOf([...inner.keys()].filter((k) => inner[k] === 1)),
    cluster: keysOf(cluster),
  }
}

/** Sizes alone, for those of many years. @param visited keys of squares */
export function exploredSizes(visited: ReadonlySet<number>) {
  const { squares, cluster } = measured(visited)
  return { count: visited.size, maxSquare: maxSquareOf(squares)?.size ?? 0, maxCluster: cluster.length }
}

function measured(visited: ReadonlySet<number>) {
  const squares = neighboursOf(visited)
  const inner = innerOf(squares)
  return { squares, inner, cluster: clusterOf(squares, inner) }
}

/** Visited squares from the north-west, row by row, and the places of those beside each; -1: not visited. */
interface Neighbours {
  /** y * SIDE + x. */
  readonly cells: Int32Array
  readonly east: Int32Array
  readonly west: Int32Array
  readonly north: Int32Array
  readonly south: Int32Array
}

function keyOf(cell: number): number {
  return squareKey({ x: cell % SIDE, y: Math.floor(cell / SIDE) })
}

function neighboursOf(visited: ReadonlySet<number>): Neighbours {
  const cells = new Int32Array(visited.size)
  let count = 0
  for (const key of visited) {
    cells[count] = (key % SIDE) * SIDE + Math.floor(key / SIDE)
    count += 1
  }
  cells.sort()
  const none = () => new Int32Array(cells.length).fill(-1)
  const [east, west, north, south] = [none(), none(), none(), none()]
  let [rowStart, below] = [0, 0]
  for (let k = 0; k < cells.length; k += 1) {
    const cell = cells[k]!
    if (Math.floor(cell / SIDE) !== Math.floor(cells[rowStart]! / SIDE)) rowStart = k
    // columns close round the globe, rows do not
    const next = (cell + 1) % SIDE === 0 ? rowStart : k + 1
    if (cells[next] === ((cell + 1) % SIDE === 0 ? cell + 1 - SIDE : cell + 1)) {
      east[k] = next
      west[next] = k
    }
    while (cells[below]! < cell + SIDE) below += 1
    if (cells[below] === cell + SIDE) {
      south[k] = below
      north[below] = k
    }
  }
  return { cells, east, west, north, south }
}

/** 1 for each with four neighbours. */
function innerOf({ cells, east, west, north, south }: Neighbours): Uint8Array {
  const inner = new Uint8Array(cells.length)
  for (let k = 0; k < cells.length; k += 1) inner[k] = Math.min(east[k]!, west[k]!, north[k]!, south[k]!) >= 0 ? 1 : 0
  return inner
}

/** Places of the largest set of inner squares that are joined by edges; of equal ones the northernmost. */
function clusterOf({ cells, ...beside }: Neighbours, inner: Uint8Array): number[] {
  const sides = [beside.east, beside.west, beside.north, beside.south]
  const left = inner.slice()
  let largest: number[] = []
  for (let start = 0; start < cells.length; start += 1) {
    if (left[start] === 0) continue
    left[start] = 0
    const found = [start]
    // goes on with what is added meanwhile
    for (const k of found) {
      for (const side of sides) {
        const next = side[k]!
        if (next < 0 || left[next] === 0) continue
        left[next] = 0
        found.push(next)
      }
    }
    if (found.length > largest.length) largest = found
  }
  return largest
}

/**
 * The side of the block whose north-western corner is a square is 1 + the least of those to its east, south and
 * south-east. Two rounds, since columns close round the globe; of equal ones the northernmost, then the westernmost.
 */
function maxSquareOf({ cells, east, south }: Neighbours): MaxSquare | null {
  const sides = new Int32Array(cells.length)
  for (const _ of [1, 2]) {
    for (let k = cells.length - 1; k >= 0; k -= 1) {
      const below = south[k]!
      const [right, diagonal] = [east[k]!, below < 0 ? -1 : east[below]!]
      sides[k] = Math.min(right, diagonal) < 0 ? 1 : 1 + Math.min(sides[right]!, sides[below]!, sides[diagonal]!)
    }
  }
  let best: MaxSquare | null = null
  for (let k = 0; k < sides.length; k += 1) {
    const size = Math.min(SIDE, sides[k]!)
    const cell = cells[k]!
    if (size > (best?.size ?? 0)) best = { size, x: cell % SIDE, y: Math.floor(cell / SIDE) }
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
