/** Most bytes of a LEB128 number of 32 bits. */
export const MAX_VARINT_BYTES = 5

/** Maps 0, -1, 1, -2 … to 0, 1, 2, 3 …, so that small numbers of either sign become short. */
export function zigzag(value: number): number {
  return ((value << 1) ^ (value >> 31)) >>> 0
}

export function unzigzag(coded: number): number {
  return (coded >>> 1) ^ -(coded & 1)
}

/** Appends a non-negative integer as LEB128: seven bits a byte, lowest first, and a bit for whether more follow. */
export function pushVarint(target: number[], value: number): void {
  let rest = value
  while (rest > 127) {
    target.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  target.push(rest)
}

/** A value is predicted by 0: nothing; 1: the last value; 2: the last step too; 3: the mean of the last four steps. */
type Order = 0 | 1 | 2 | 3

/** Differences of one order, zigzag coded, and about how many bits they take. */
export interface Differences {
  readonly order: Order
  readonly bits: number
  /** null: not computed yet. */
  readonly numbers: Int32Array | null
}

/** The order of differences that takes the fewest bits, the lowest of equals. */
export function smallestOrder(integers: Int32Array): Differences {
  // by order: how many differences there are of each bit length
  const lengths = [new Uint32Array(33), new Uint32Array(33), new Uint32Array(33), new Uint32Array(33)] as const
  let previous = 0
  let previousStep = 0
  for (let i = 0; i < integers.length; i += 1) {
    const value = integers[i]!
    const step = (value - previous) | 0
    lengths[0][32 - Math.clz32(zigzag(value))]! += 1
    lengths[1][32 - Math.clz32(zigzag(step))]! += 1
    lengths[2][32 - Math.clz32(zigzag((step - previousStep) | 0))]! += 1
    previous = value
    previousStep = step
  }
  const [bits0, bits1, bits2] = [bitsOf(lengths[0]), bitsOf(lengths[1]), bitsOf(lengths[2])]
  if (bits0 <= Math.min(bits1, bits2)) return { order: 0, bits: bits0, numbers: null }
  if (bits1 <= bits2) return { order: 1, bits: bits1, numbers: null }
  // order 3 is tried only where order 2 beats order 1, since a mean of steps helps only where one step does
  const numbers = differences(integers, 3)
  for (let i = 0; i < numbers.length; i += 1) lengths[3][32 - Math.clz32(numbers[i]!)]! += 1
  const bits3 = bitsOf(lengths[3])
  return bits3 < bits2 ? { order: 3, bits: bits3, numbers } : { order: 2, bits: bits2, numbers: null }
}

/** Estimated size: the entropy of the bit lengths, plus the bits of each number after its leading one. */
function bitsOf(lengths: Uint32Array): number {
  let n = 0
  for (let length = 0; length < lengths.length; length += 1) n += lengths[length]!
  let bits = 0
  for (let length = 0; length < lengths.length; length += 1) {
    const count = lengths[length]!
    if (count > 0) bits += count * (Math.log2(n / count) + Math.max(0, length - 1))
  }
  return bits
}

/** Differences of the given order, zigzag coded. */
export function differences(integers: Int32Array, order: Order): Int32Array {
  const result = new Int32Array(integers.length)
  let previous = 0
  let [step1, step2, step3, step4] = [0, 0, 0, 0]
  for (let i = 0; i < integers.length; i += 1) {
    const value = integers[i]!
    const step = (value - previous) | 0
    if (order === 0) result[i] = zigzag(value)
    else if (order === 1) result[i] = zigzag(step)
    else if (order === 2) result[i] = zigzag((step - step1) | 0)
    else {
      result[i] = zigzag((step - meanStep(step1, step2, step3, step4)) | 0)
      step4 = step3
      step3 = step2
      step2 = step1
    }
    step1 = step
    previous = value
  }
  return result
}

/** Weighted mean, the latest most, for steady motion with noise. Sums wrap at 32 bits when encoding and decoding. */
function meanStep(step1: number, step2: number, step3: number, step4: number): number {
  return (Math.imul(step1, 13) + Math.imul(step2, 9) + Math.imul(step3, 6) + Math.imul(step4, 4)) >> 5
}

/** Where decoded values are written, and the parameters that the differences were made with. */
interface Restored {
  readonly order: number
  readonly first: number
  readonly unit: number
  readonly scale: number
  /** Lengths of alternating runs of rows, beginning with rows that have a value. */
  readonly runs: readonly number[]
  readonly values: Float64Array
}

/** The reverse of `differences`: sets every row to (first + unit * sum) / scale, and rows without a value to NaN. */
export function restore(numbers: Int32Array, { order, first, unit, scale, runs, values }: Restored): void {
  sumUp(numbers, order)
  let row = 0
  let at = 0
  for (let run = 0; run < runs.length; run += 1) {
    const end = row + runs[run]!
    if (run % 2 === 1) values.fill(Number.NaN, row, end)
    else if (unit === 1 && scale === 1)
      for (let i = row; i < end; i += 1) values[i] = (numbers[at + i - row]! + first) | 0
    else if (unit === 1) for (let i = row; i < end; i += 1) values[i] = ((numbers[at + i - row]! + first) | 0) / scale
    else for (let i = row; i < end; i += 1) values[i] = ((numbers[at + i - row]! * unit + first) | 0) / scale
    if (run % 2 === 0) at += end - row
    row = end
  }
}

/** Turns zigzag coded differences back into the values that they were made from, in place. */
function sumUp(numbers: Int32Array, order: number): void {
  if (order === 3) {
    sumUpMeans(numbers)
    return
  }
  const keepsStep = order === 2 ? -1 : 0
  const keepsValue = order === 0 ? 0 : -1
  let value = 0
  let step = 0
  for (let i = 0; i < numbers.length; i += 1) {
    const coded = numbers[i]!
    step = ((step & keepsStep) + ((coded >>> 1) ^ -(coded & 1))) | 0
    value = ((value & keepsValue) + step) | 0
    numbers[i] = value
  }
}

function sumUpMeans(numbers: Int32Array): void {
  let value = 0
  let [step1, step2, step3, step4] = [0, 0, 0, 0]
  for (let i = 0; i < numbers.length; i += 1) {
    const step = (unzigzag(numbers[i]!) + meanStep(step1, step2, step3, step4)) | 0
    step4 = step3
    step3 = step2
    step2 = step1
    step1 = step
    value = (value + step) | 0
    numbers[i] = value
  }
}

/**
 * Reads a version 1 column, zigzag LEB128, into `values`. @returns the position after the last number
 * @param bytes ends where the column ends
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
