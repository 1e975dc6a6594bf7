import { describe, expect, test } from 'bun:test'
import { bookOf, COVERAGE_CASES, READINGS } from '../../../runners/cases.ts'
import { coverageOf, seedsOf } from '../../../runners/coverage.ts'

// Bounds of docs/decisions.md "Bands are held by simulated runners": the bias of the specification and one per cent
// more, 80 % bands that hold the truth of 72 to 92 runners, and the exceptions that it names.
describe('bands of 100 simulated runners', () => {
  for (const [place, one] of COVERAGE_CASES.entries()) {
    test(one.name, () => {
      const figures = coverageOf(one, seedsOf(place, 100))
      for (const [i, reading] of READINGS.entries()) {
        const [bias, , covered] = figures[i]!
        expect(Math.abs(bias), `bias of ${reading}`).toBeLessThanOrEqual(Math.abs(bookOf(one)[i]![0]) + 1)
        expect(covered, `${reading}: covered`).toBeGreaterThanOrEqual(one.narrow?.includes(reading) ? 70 : 72)
        expect(covered, `${reading}: covered`).toBeLessThanOrEqual(one.wide?.includes(reading) ? 95 : 92)
      }
    })
  }
})
