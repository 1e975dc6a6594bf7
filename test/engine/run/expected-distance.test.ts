import { expect, test } from 'bun:test'
import { distanceBetweenM } from '../../../src/engine/route/geo.ts'
import { distanceByPositions } from '../../../src/engine/run/expected-distance.ts'
import { seededRandom } from '../../fixtures/knots.ts'

test('along positions it is the distance on the ellipsoid, at every latitude and over the antimeridian', () => {
  const random = seededRandom(2)
  for (let round = 0; round < 500; round += 1) {
    const lat = (random() - 0.5) * 179
    const lon = (random() - 0.5) * 360
    const [latTo, lonTo] = [lat + (random() - 0.5) * 0.01, lon + (random() - 0.5) * 0.01]
    const place = {
      latDeg: Float64Array.of(lat, latTo),
      lonDeg: Float64Array.of(lon, lonTo > 180 ? lonTo - 360 : lonTo),
    }
    const metres = distanceBetweenM(lat, lon, latTo, lonTo)
    expect(Math.abs(distanceByPositions(place, 1000)[1]! / 1000 - metres)).toBeLessThan(0.0006 + metres * 1e-6)
  }
})

test('the same numbers on every machine: part of the stored format', () => {
  const random = seededRandom(5)
  const latDeg = Float64Array.from(
    { length: 2000 },
    (_, i) => Math.round((47 + i * 1e-5 + random() * 1e-5) * 1e7) / 1e7,
  )
  const lonDeg = Float64Array.from({ length: 2000 }, (_, i) => Math.round((8 + i * 2e-5 + random() * 1e-5) * 1e7) / 1e7)
  const expected = distanceByPositions({ latDeg, lonDeg }, 1000)
  expect(new Bun.CryptoHasher('sha256').update(expected).digest('hex').slice(0, 16)).toBe('faf581fd87cd1a5a')
})
