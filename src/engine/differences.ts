/** Longest LEB128 of 32 bits. */
export const MAX_VARINT_BYTES = 5

/** 0, -1, 1, -2 … as 0, 1, 2, 3 …: small numbers of either sign become short. */
export function zigzag(value: number): number {
  return ((value << 1) ^ (value >> 31)) >>> 0
}

/** Appends a number of 0 to 2^32 - 1 as LEB128: seven bits a byte, lowest first. */
export function pushVarint(target: number[], value: number): void {
  let rest = value
  while (rest > 127) {
    target.push((rest & 127) | 128)
    rest >>>= 7
  }
  target.push(rest)
}

/**
 * The order of differences (0, 1 or 2) with the fewest bytes; among equals the one with the smallest numbers, which
 * compresses better.
 */
export function smallestOrder(integers: Int32Array): { order: 0 | 1 | 2; bytes: number } {
  let [bytes0, bytes1, bytes2] = [0, 0, 0]
  let [size0, size1, size2] = [0, 0, 0]
  let previous = 0
  let previousStep = 0
  for (let i = 0; i < integers.length; i += 1) {
    const value = integers[i]!
    const step = (value - previous) | 0
    const coded0 = zigzag(value)
    const coded1 = zigzag(step)
    const coded2 = zigzag((step - previousStep) | 0)
    bytes0 += varintBytes(coded0)
    bytes1 += varintBytes(coded1)
    bytes2 += varintBytes(coded2)
    size0 += coded0
    size1 += coded1
    size2 += coded2
    previous = value
    previousStep = step
  }
  if (bytes2 < Math.min(bytes0, bytes1) || (bytes2 === Math.min(bytes0, bytes1) && size2 < Math.min(size0, size1))) {
    return { order: 2, bytes: bytes2 }
  }
  const isFirst = bytes1 < bytes0 || (bytes1 === bytes0 && size1 < size0)
  return isFirst ? { order: 1, bytes: bytes1 } : { order: 0, bytes: bytes0 }
}

/** Writes zigzag LEB128 differences of the given order; `target` has the size `smallestOrder` told. */
export function writeDifferences(integers: Int32Array, order: 0 | 1 | 2, target: Uint8Array): void {
  let at = 0
  let previous = 0
  let previousStep = 0
  for (let i = 0; i < integers.length; i += 1) {
    const value = integers[i]!
    const step = (value - previous) | 0
    let coded = zigzag(order === 0 ? value : order === 1 ? step : (step - previousStep) | 0)
    while (coded > 127) {
      target[at] = (coded & 127) | 128
      at += 1
      coded >>>= 7
    }
    target[at] = coded
    at += 1
    previous = value
    previousStep = step
  }
}

/**
 * The reverse of `writeDifferences`, into `values`.
 * @param bytes ends where the column ends
 * @returns the position after the last one
 * @throws RangeError when the bytes end early or a number has more than 32 bits
 */
export function readDifferences(
  bytes: Uint8Array,
  start: number,
  { order, values }: { order: number; values: Float64Array },
): number {
  const end = bytes.length
  let at = start
  let value = 0
  let step = 0
  for (let i = 0; i < values.length; i += 1) {
    if (at >= end) throw new RangeError(`A column ends after ${i} of ${values.length} rows`)
    let coded = bytes[at]!
    at += 1
    if (coded > 127) {
      coded &= 127
      let shift = 7
      let byte = 128
      while (byte > 127) {
        if (at >= end || shift > 28) throw new RangeError(`A column is damaged at row ${i}`)
        byte = bytes[at]!
        at += 1
        if (shift === 28 && byte > 15) throw new RangeError(`A column is damaged at row ${i}`)
        coded |= (byte & 127) << shift
        shift += 7
      }
    }
    const difference = (coded >>> 1) ^ -(coded & 1)
    if (order === 2) {
      step = (step + difference) | 0
      value = (value + step) | 0
    } else {
      value = order === 1 ? (value + difference) | 0 : difference
    }
    values[i] = value
  }
  return at
}

function varintBytes(coded: number): number {
  return coded < 128 ? 1 : coded < 16_384 ? 2 : coded < 2_097_152 ? 3 : coded < 268_435_456 ? 4 : MAX_VARINT_BYTES
}
