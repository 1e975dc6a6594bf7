import { type Differences, smallestOrder } from './differences.ts'

// How a column is written by engine/codec.ts: as integers, in the unit that all of them share, as differences.

export interface ColumnSpec {
  /** 0 to 255, unique within a blob. */
  readonly id: number
  /** Stored integer = round(value * scale); the unit is 1 / scale. */
  readonly scale: number
  /** NaN is not a value. */
  readonly values: Float64Array
  /** Set by `measured`, so that the form need not be found again when the column is encoded. */
  readonly form?: ColumnForm
}

/** The integers of a column in the form in which they are written. */
export interface ColumnForm extends Differences {
  /** One for each row that has a value. */
  readonly integers: Int32Array
  readonly unit: number
  readonly steps: Int32Array
}

/** A column with its form, which `encodeColumns` reuses, and about its size in bits. @throws as `encodeColumns` */
export function measured(column: ColumnSpec): ColumnSpec & { readonly form: ColumnForm } {
  return { ...column, form: formOf(column) }
}

/** @throws RangeError for a value that does not fit an int32 */
export function formOf(column: ColumnSpec): ColumnForm {
  const integers = presentIntegers(column)
  if (integers.length === 0) return { integers, unit: 1, steps: integers, order: 0, bits: 0, numbers: null }
  const unit = sharedUnit(integers)
  const steps = stepsOf(integers, unit)
  return { integers, unit, steps, ...smallestOrder(steps) }
}

/** The integers relative to the first one, in units; with unit 1 a result may need more than 32 bits and wraps. */
function stepsOf(integers: Int32Array, unit: number): Int32Array {
  const first = integers[0]!
  const steps = new Int32Array(integers.length)
  for (let i = 0; i < steps.length; i += 1) steps[i] = unit === 1 ? integers[i]! - first : (integers[i]! - first) / unit
  return steps
}

/** The largest number that divides every difference to the first; 1 when all are 0 or one exceeds 32 bits. */
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

/** The integers of the rows that have a value. @throws RangeError for a value that does not fit an int32 */
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
