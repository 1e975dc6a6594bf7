import { pushVarint, unzigzag, zigzag } from '../differences.ts'
import { Reader } from '../reader.ts'

/** Steps per degree of a preview, as engine/analyze.ts rounds it. */
const STEPS = 1e5
/** This many ones say that a step follows as 32 bits instead of a Rice number. */
const ESCAPE = 20
const MAX_K = 20
/** Far more than a preview has; a larger count is a damaged blob. */
const MAX_POINTS = 100_000

/**
 * Encodes [lon, lat] points of at most five decimals as bytes: steps from point to point as Rice numbers.
 *
 *     varint points; u8 k; bits, lowest first: each step, zigzag, as that many ones as it has 2^k, a 0 and k bits
 *
 * @returns null for points that do not fit this form; an analysis never gives such points
 */
export function encodePreview(points: readonly (readonly number[])[]): Uint8Array | null {
  const steps: number[] = []
  let [lon, lat] = [0, 0]
  for (const point of points) {
    const [toLon, toLat] = [inSteps(point[0]), inSteps(point[1])]
    if (toLon === null || toLat === null || point.length !== 2) return null
    steps.push(zigzag(toLon - lon), zigzag(toLat - lat))
    lon = toLon
    lat = toLat
  }
  const head: number[] = []
  pushVarint(head, points.length)
  let [best, fewest] = [0, Number.POSITIVE_INFINITY]
  for (let k = 0; k <= MAX_K; k += 1) {
    let bits = 0
    for (const step of steps) bits += step >>> k < ESCAPE ? (step >>> k) + 1 + k : ESCAPE + 32
    if (bits < fewest) [best, fewest] = [k, bits]
  }
  return Uint8Array.from([...head, best, ...riceBytes(steps, best)])
}

/** The points of `encodePreview`, to the last bit. @throws RangeError for other bytes */
export function decodePreview(bytes: Uint8Array): number[][] {
  const reader = new Reader(bytes)
  const count = reader.varint()
  if (count > MAX_POINTS) throw new RangeError(`A preview of ${count} points is too large`)
  const k = reader.byte()
  if (k > MAX_K) throw new RangeError('A preview is damaged')
  // eight zero bytes let reads run past the end; decoding checks afterwards that they were not needed
  const view = new DataView(new ArrayBuffer(bytes.length + 8))
  new Uint8Array(view.buffer).set(bytes)
  let at = reader.at * 8
  /** The next bits; at least 25 of them are valid. */
  const window = () => view.getInt32(at >>> 3, true) >>> (at & 7)
  const step = () => {
    const zeros = ~window()
    const ones = zeros === 0 ? ESCAPE : 31 - Math.clz32(zeros & -zeros)
    if (ones < ESCAPE) {
      at += ones + 1
      const low = window() & ((1 << k) - 1)
      at += k
      return unzigzag((ones << k) | low)
    }
    at += ESCAPE
    const low = window() & 0xffff
    at += 16
    const high = window() & 0xffff
    at += 16
    return unzigzag((high << 16) | low)
  }
  const points: number[][] = []
  let [lon, lat] = [0, 0]
  for (let i = 0; i < count; i += 1) {
    lon = (lon + step()) | 0
    lat = (lat + step()) | 0
    points.push([lon / STEPS, lat / STEPS])
  }
  if (Math.ceil(at / 8) !== bytes.length) throw new RangeError('A preview does not fill its bytes')
  return points
}

/** A coordinate in steps; null when it has more decimals or is too large for differences of 32 bits. */
function inSteps(degrees: number | undefined): number | null {
  const steps = Math.round((degrees ?? Number.NaN) * STEPS)
  return steps / STEPS === degrees && Math.abs(steps) < 2 ** 29 ? steps : null
}

function riceBytes(steps: readonly number[], k: number): number[] {
  const bytes: number[] = []
  let [held, bits] = [0, 0]
  const push = (value: number, count: number) => {
    for (let i = 0; i < count; i += 1) {
      held |= ((value >>> i) & 1) << bits
      bits += 1
      if (bits < 8) continue
      bytes.push(held)
      held = 0
      bits = 0
    }
  }
  for (const step of steps) {
    const ones = step >>> k
    if (ones < ESCAPE) {
      push(2 ** ones - 1, ones + 1)
      push(step, k)
    } else {
      push(2 ** ESCAPE - 1, ESCAPE)
      push(step, 32)
    }
  }
  if (bits > 0) bytes.push(held)
  return bytes
}
