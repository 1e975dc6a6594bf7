import { expect, test } from 'bun:test'
import { bookOf, COVERAGE_CASES, READINGS } from '../../../runners/cases.ts'
import { coverageOf, fittedRunners, seedsOf } from '../../../runners/coverage.ts'

// A part of coverage.slow.test.ts, with its bounds. So few runners tell a band from chance only when they are together.
test('bands of 10 simulated runners of three cases', () => {
  const covered = ['races', 'easy only', 'no pulse, tempo'].flatMap((name) => {
    const place = COVERAGE_CASES.findIndex((one) => one.name === name)
    const one = COVERAGE_CASES[place]!
    const figures = coverageOf(fittedRunners(one, seedsOf(place, 10)))
    for (const [i, reading] of READINGS.entries()) {
      expect(Math.abs(figures[i]![0]), `${name}: bias of ${reading}`).toBeLessThanOrEqual(
        Math.abs(bookOf(one)[i]![0]) + 1,
      )
    }
    return figures.map(([, , share]) => share)
  })
  const mean = covered.reduce((sum, share) => sum + share, 0) / covered.length
  expect(mean).toBeGreaterThanOrEqual(72)
  expect(mean).toBeLessThanOrEqual(92)
})
