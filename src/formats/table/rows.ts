import { MAX_ROWS } from '../../engine/limits.ts'
import { tooManyPoints } from '../format.ts'

/** Small, since a file may hold thousands of workouts of a few points each. */
const FIRST_CAPACITY = 64

/** The rows of a list in columns: as objects half a million of them would take 100 MB. NaN is a missing value. */
export class Rows<Name extends string> {
  n = 0
  readonly #names: readonly Name[]
  readonly #columns = new Map<Name, Float64Array>()

  constructor(...names: readonly Name[]) {
    this.#names = names
    for (const name of names) this.#columns.set(name, new Float64Array(FIRST_CAPACITY))
  }

  /** @throws FormatError for more rows than can be stored together with one at the start */
  add(row: Readonly<Record<Name, number>>): void {
    if (this.n === MAX_ROWS - 1) throw tooManyPoints()
    for (const name of this.#names) {
      let column = this.#columns.get(name)!
      if (this.n === column.length) {
        const larger = new Float64Array(2 * column.length)
        larger.set(column)
        this.#columns.set(name, larger)
        column = larger
      }
      column[this.n] = row[name]
    }
    this.n += 1
  }

  column(name: Name): Float64Array {
    return this.#columns.get(name)!.subarray(0, this.n)
  }

  /** Forgets all rows and their memory; columns that were taken before stay. */
  release(): void {
    this.n = 0
    for (const name of this.#names) this.#columns.set(name, new Float64Array(FIRST_CAPACITY))
  }
}

/** A value of each row of a list. @throws FormatError for more rows than can be stored together with one at the start */
export function valuesOf<Row>(rows: readonly Row[], value: (row: Row) => number): Float64Array {
  if (rows.length >= MAX_ROWS) throw tooManyPoints()
  return Float64Array.from(rows, value)
}
