import { expect, test } from 'bun:test'
import { goalProgress, goalRecent } from '../../../src/engine/training/goals.ts'
import { chanceOf } from '../../runners/chance.ts'

const HISTORY = 26 * 7
const RUNNERS = 1000

/** Share of runners of steady habits whose year of kilometres ends within the range that is told so many weeks before. */
function covered(weeks: number): number {
  const chance = chanceOf(250_000 + weeks)
  let inside = 0
  for (let runner = 0; runner < RUNNERS; runner += 1) {
    const [share, km] = [chance.between(0.4, 0.8), chance.between(6, 12)]
    const kmOf = () => (chance.is(share) ? km * Math.exp(chance.normal(0, 0.4)) : 0)
    const past = Array.from({ length: HISTORY }, kmOf)
    const ahead = Array.from({ length: 7 * weeks }, kmOf)
    const recent = goalRecent(past, 0, HISTORY)
    const state = { target: 1000, done: 0, totalDays: 7 * weeks + 1, dayIndex: 0, ...recent }
    const { projectedLow, projectedHigh } = goalProgress(state)
    const sum = ahead.reduce((total, one) => total + one, 0)
    if (sum >= projectedLow! && sum <= projectedHigh!) inside += 1
  }
  return inside / RUNNERS
}

// What the specification measured, and three standard errors of 1,000 runners.
test.each([
  [1, 0.78],
  [4, 0.79],
  [13, 0.78],
  [45, 0.78],
])('the range of a goal holds what is run in %d weeks as often as it says', (weeks, expected) => {
  expect(Math.abs(covered(weeks) - expected)).toBeLessThan(0.04)
})
