import { expect, test } from 'bun:test'
import { jitterM, offPercent, slowWalk } from '../../../bench/numbers.ts'
import { distanceBetweenM } from '../../../src/engine/route/geo.ts'
import { filledDistance, gpsDistance } from '../../../src/engine/run/distance.ts'
import { dropPositionSpikes, makeMonotone } from '../../../src/engine/run/spikes.ts'
import type { Span } from '../../../src/engine/track.ts'
import { pairs } from '../../fixtures/pairs.ts'
import { degreesAt } from '../../fixtures/recording.ts'
import oracles from '../../oracles.json'

const LAT = 47
const { perNorthM, perEastM } = degreesAt(LAT)

type Positions = Readonly<Record<'tS' | 'latDeg' | 'lonDeg', Float64Array>>

/** Records at these [seconds, metres east, metres north]; NaN metres are not a position. */
function positionsOf(points: readonly (readonly [number, number, number])[]): Positions {
  return {
    tS: Float64Array.from(points, ([atS]) => atS),
    latDeg: Float64Array.from(points, ([, , northM]) => LAT + northM * perNorthM),
    lonDeg: Float64Array.from(points, ([, eastM]) => 8 + eastM * perEastM),
  }
}

function lengthM({ tS, latDeg, lonDeg }: Positions, off: readonly Span[] = []): number {
  return gpsDistance(tS, { latDeg, lonDeg }, off)!.distanceM.at(-1)!
}

const line = (n: number) => Array.from({ length: n }, (_, i): [number, number, number] => [i, 3 * i, 0])

test('one displaced point is filtered and the straight run has its length', () => {
  const points = line(101)
  points[50] = [50, 150 + 250, 250]
  const track = positionsOf(points)
  let rawM = 0
  for (let i = 1; i < 101; i += 1) {
    rawM += distanceBetweenM(track.latDeg[i - 1]!, track.lonDeg[i - 1]!, track.latDeg[i]!, track.lonDeg[i]!)
  }
  // The oracle's plane against the ellipsoid's radii, which change by 4e-5 over 250 m of latitude.
  expect(Math.abs(rawM - oracles.spike.rawM)).toBeLessThan(0.05)
  dropPositionSpikes(track.tS, track.latDeg, track.lonDeg)
  expect(track.latDeg.filter((value) => Number.isNaN(value))).toHaveLength(1)
  expect(Math.abs(lengthM(track) - oracles.spike.cleanM)).toBeLessThan(0.001)
})

test('up to five points that jump away together are dropped, six are not', () => {
  for (const [away, dropped] of pairs('5,5 6,0')) {
    const points = line(60).map(([at, east, north], i): [number, number, number] =>
      i >= 20 && i < 20 + away ? [at, east + 400, north] : [at, east, north],
    )
    const track = positionsOf(points)
    dropPositionSpikes(track.tS, track.latDeg, track.lonDeg)
    expect(track.lonDeg.filter((value) => Number.isNaN(value))).toHaveLength(dropped)
  }
})

test('a jump that never returns counts up to 12.5 m/s and 100 m, and nothing above', () => {
  const jump = (metres: number) =>
    line(100).map(([at, east, north]): [number, number, number] => [at, at < 50 ? east : east + metres, north])
  // The step itself is 3 m more than the jump; 112.5 m is the bound for one second.
  expect(Math.abs(lengthM(positionsOf(jump(109))) - (99 * 3 + 109))).toBeLessThan(0.01)
  expect(Math.abs(lengthM(positionsOf(jump(110))) - 98 * 3)).toBeLessThan(0.01)
})

test('ten minutes of standing add at most 66 m in the mean of 200 seeds; a slow walk every nine seconds is whole', () => {
  const seeds = Array.from({ length: 200 }, (_, seed) => jitterM(seed + 1))
  expect(seeds.reduce((sum, metres) => sum + metres, 0) / seeds.length).toBeLessThanOrEqual(66)
  expect(Math.abs(offPercent(slowWalk()))).toBeLessThan(0.01)
})

test('rows without position are between their neighbours in time, and flat outside', () => {
  const points = line(21)
  for (const row of [0, 1, 10, 11, 12, 20]) points[row] = [row, Number.NaN, Number.NaN]
  const track = positionsOf(points)
  const { distanceM, gatedM } = gpsDistance(track.tS, track, [])!
  expect([distanceM[0], distanceM[1], distanceM[2]]).toEqual([0, 0, 0])
  for (const row of [3, 10, 11, 12, 19]) expect(distanceM[row]!).toBeCloseTo(3 * (row - 2), 3)
  expect(distanceM[20]).toBe(distanceM[19]!)
  expect(gatedM[20]!).toBeCloseTo(51, 3)
})

test('gaps of a device distance are linear in time', () => {
  const tS = Float64Array.of(0, 1, 2, 6, 7)
  const gap = Number.NaN
  expect([...filledDistance(tS, Float64Array.of(gap, 3, gap, 18, gap))!]).toEqual([3, 3, 6, 18, 18])
  expect(filledDistance(tS, new Float64Array(5).fill(gap))).toBeNull()
})

test('a device distance never falls, and one broken value does not lift the rest', () => {
  const tS = Float64Array.of(0, 1, 2, 3, 4, 5)
  const falling = Float64Array.of(0, 3, 2, 6, 5, 9)
  makeMonotone(tS, falling)
  expect([...falling]).toEqual([0, 3, 3, 6, 6, 9])
  const broken = Float64Array.of(900_000, 3, 6, 1_000_000, 12, 15)
  makeMonotone(tS, broken)
  expect([...broken]).toEqual([Number.NaN, 3, 6, Number.NaN, 12, 15])
})
