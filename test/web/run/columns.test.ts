import { expect, test } from 'bun:test'
import { bestDivision, difference } from '../../../src/web/run/run-view.ts'

test.each<[heights: readonly (number | readonly number[])[], missing: number]>([
  [[250, 300, 200, 130], 0],
  [[250, 300, 200, 130], 420],
  [[250, 300, 200, 130], -350],
  [[900, 180, 90], -500],
  // photos stand in two rows on the left, and in one on the right
  [[[255, 170], 210, 280], -120],
])('cards of %j px end two columns alike, or as much higher as the map grows, from %d px on', (either, missing) => {
  const heights = either.map((height) => (typeof height === 'number' ? [height, height] : height))
  const left = missing - difference(heights, bestDivision(heights, missing))
  // the map takes what is missing on the left
  expect(left).toBeGreaterThanOrEqual(-120)
  expect(left).toBeLessThanOrEqual(280 + 120)
})
