import { expect, test } from 'bun:test'
import { suggestedNames } from '../../../src/features/places/suggested.ts'

test('the nearest town within 25 km is suggested, none at sea', async () => {
  const spots = [
    [39.575, 2.654],
    [0, -30],
    [51.5, -0.124],
    [-36.85, 174.76],
  ].map(([lat, lon]) => ({ lat: lat!, lon: lon! }))
  const [palma, sea, london, auckland] = await suggestedNames(spots)
  expect([palma?.name, sea, london?.country, auckland?.country]).toEqual(['Palma', null, 'GB', 'NZ'])
  expect(await suggestedNames([])).toEqual([])
})
