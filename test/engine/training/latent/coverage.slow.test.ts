import { describe, expect, test } from 'bun:test'
import { bookOf, COVERAGE_CASES, READINGS } from '../../../runners/cases.ts'
import { changeOf, coverageOf, seedsOf } from '../../../runners/coverage.ts'

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
      // of the specification: -0.8 where fitness rises, -1.5 after a break, else none; covered from 69 on
      const [bias, , covered] = changeOf(one, seedsOf(place, 100))
      const usual = one.habits.off ? 1.5 : one.habits.course ? 0.8 : 0
      expect(Math.abs(bias), 'bias of the change in 91 days').toBeLessThanOrEqual(usual + 1)
      expect(covered, 'the change in 91 days: covered').toBeGreaterThanOrEqual(69)
    })
  }
})
