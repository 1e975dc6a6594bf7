import { expect } from 'bun:test'

/** The tolerance of the vectors: 1e-6, relative or absolute, whichever is larger. */
export function expectNear(value: number | null | undefined, expected: number | null, what = ''): void {
  if (expected === null) {
    expect(value, what).toBeNull()
    return
  }
  if (typeof value !== 'number') throw new Error(`${what}: ${value} instead of ${expected}`)
  const error = Math.abs(value - expected)
  // the vectors are written with six decimals, so that each is off by half of the last
  const allowed = Math.max(1e-6, 1e-6 * Math.abs(expected))
  if (!(error <= allowed)) throw new Error(`${what}: ${value} instead of ${expected}`)
}

type Numbers = Readonly<Record<string, number | null>> | readonly number[]

/** Every number of a record, or of a list. */
export function expectAllNear(values: object, expected: Numbers, what = ''): void {
  for (const [name, number] of Object.entries(expected)) {
    expectNear((values as Readonly<Record<string, number | null>>)[name], number, `${what} ${name}`)
  }
}
