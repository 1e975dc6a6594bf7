import { expect, test } from 'bun:test'
import { distanceBetweenM } from '../../../src/engine/route/geo.ts'
import oracles from '../../oracles.json'

test('distances are those of the WGS84 ellipsoid, also across the antimeridian', () => {
  for (const { p, wgs84 } of oracles.distance) {
    const [latA, lonA, latB, lonB] = p as [number, number, number, number]
    // The oracle has four decimals.
    expect(Math.abs(distanceBetweenM(latA, lonA, latB, lonB) - wgs84)).toBeLessThanOrEqual(0.00006)
    expect(distanceBetweenM(latB, lonB, latA, lonA)).toBeCloseTo(distanceBetweenM(latA, lonA, latB, lonB), 9)
  }
  expect(oracles.distance.length).toBeGreaterThan(5)
})

test('a long gap is the geodesic: Flinders Peak to Buninyong, the published example of Vincenty on GRS80', () => {
  const dms = (d: number, m: number, s: number) => Math.sign(d) * (Math.abs(d) + m / 60 + s / 3600)
  const metres = distanceBetweenM(
    dms(-37, 57, 3.7203),
    dms(144, 25, 29.5244),
    dms(-37, 39, 10.1561),
    dms(143, 55, 35.3839),
  )
  // 54,972.271 m; GRS80 and WGS84 differ by a tenth of a millimetre in the semi-minor axis.
  expect(Math.abs(metres - 54972.271)).toBeLessThan(0.001)
})

test('a quarter of the equator and a meridian are exact', () => {
  expect(distanceBetweenM(0, 0, 0, 90)).toBeCloseTo((6378137 * Math.PI) / 2, 3)
  // Quarter meridian of WGS84: 10,001,965.729 m.
  expect(Math.abs(distanceBetweenM(0, 0, 90, 0) - 10001965.729)).toBeLessThan(0.001)
})

test('equal points are not a distance, antipodes a finite one, and over the pole it is the short way', () => {
  expect(distanceBetweenM(52.5, 13.4, 52.5, 13.4)).toBe(0)
  expect(distanceBetweenM(0, 0, 0, 180)).toBeGreaterThan(20_000_000)
  // Two hundredths of a degree of latitude near the pole: 111.694 km per degree.
  expect(Math.abs(distanceBetweenM(89.99, 0, 89.99, 180) - 2233.88)).toBeLessThan(0.02)
})
