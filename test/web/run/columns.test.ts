import { expect, test } from 'bun:test'
import { bestDivision, difference } from '../../../src/web/run/columns.tsx'

test.each([
  [[250, 300, 200, 130], 0],
  [[250, 300, 200, 130], 420],
  [[250, 300, 200, 130], -350],
  [[900, 180, 90], -500],
])('cards of %j px end two columns alike, or as much higher as the map grows, from %d px on', (heights, missing) => {
  const left = missing - difference(heights, bestDivision(heights, missing))
  // the map takes what is missing on the left
  expect(left).toBeGreaterThanOrEqual(-120)
  expect(left).toBeLessThanOrEqual(280 + 120)
})
