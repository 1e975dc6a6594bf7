import { type Differences, smallestOrder } from './differences.ts'

// What is written of a column of engine/codec.ts: whole numbers, in the unit that they share, as differences.

export interface ColumnSpec {
  /** 0 to 255, unique within a blob. */
  readonly id: number
  /** Stored integer = round(value * scale); the unit is 1 / scale. */
  readonly scale: number
  /** NaN is no value. */
  readonly values: Float64Array
  /** Of `measured`: how it is to be written, found already. */
  readonly form?: ColumnForm
}

/** The integers of a column as they are written. */
export interface ColumnForm extends Differences {
  /** Of the rows that have a value. */
  readonly integers: Int32Array
  readonly unit: number
  readonly steps: Int32Array
}

/** A column and about how many bits its values take; `encodeColumns` need not find its form anew. @throws as that */
export function measured(column: ColumnSpec): ColumnSpec & { readonly form: ColumnForm } {
  return { ...column, form: formOf(column) }
}

/** @throws RangeError for a value that has no int32 */
export function formOf(column: ColumnSpec): ColumnForm {
  const integers = presentIntegers(column)
  if (integers.length === 0) return { integers, unit: 1, steps: integers, order: 0, bits: 0, numbers: null }
  const unit = sharedUnit(integers)
  const steps = stepsOf(integers, unit)
  return { integers, unit, steps, ...smallestOrder(steps) }
}

/** Units beyond the first; with unit 1 that may have more than 32 bits, and wraps. */
function stepsOf(integers: Int32Array, unit: number): Int32Array {
  const first = integers[0]!
  const steps = new Int32Array(integers.length)
  for (let i = 0; i < steps.length; i += 1) steps[i] = unit === 1 ? integers[i]! - first : (integers[i]! - first) / unit
  return steps
}

/** The largest number that divides what all are beyond the first; 1 when they are all the same, or too far apart. */
function sharedUnit(integers: Int32Array): number {
  const first = integers[0]!
  let unit = 0
  for (let i = 1; i < integers.length && unit !== 1; i += 1) {
    const beyond = integers[i]! - first
    if ((beyond | 0) !== beyond || beyond === -(2 ** 31)) return 1
    let rest = Math.abs(beyond)
    while (rest !== 0) {
      const left = unit % rest
      unit = rest
      rest = left
    }
  }
  return unit === 0 ? 1 : unit
}

/** Of the rows that have a value. */
function presentIntegers({ id, scale, values }: ColumnSpec): Int32Array {
  const integers = new Int32Array(values.length)
  let count = 0
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i]!
    if (Number.isNaN(value)) continue
    const integer = Math.round(value * scale)
    if ((integer | 0) !== integer) throw new RangeError(`Column ${id} cannot hold ${value}: it has no 32-bit form`)
    integers[count] = integer
    count += 1
  }
  return integers.subarray(0, count)
}
