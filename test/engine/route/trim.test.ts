import { describe, expect, test } from 'bun:test'
import { emptyColumns } from '../../../src/engine/grid.ts'
import { type HiddenCircle, trimmedTrack } from '../../../src/engine/route/trim.ts'
import type { Track } from '../../../src/engine/track.ts'
import { FormatError } from '../../../src/formats/format.ts'
import { runFile } from '../../../src/workers/run-file.ts'
import { seededRandom } from '../../fixtures/knots.ts'

/** Haversine on the mean sphere: another measure than the engine's. */
function apartM(latA: number, lonA: number, latB: number, lonB: number): number {
  const rad = Math.PI / 180
  const a =
    Math.sin(((latB - latA) * rad) / 2) ** 2 +
    Math.cos(latA * rad) * Math.cos(latB * rad) * Math.sin(((lonB - lonA) * rad) / 2) ** 2
  return 2 * 6_371_008.8 * Math.asin(Math.sqrt(a))
}

const NORTH_M = 111_195

/** A track through points in metres about a place, a row a second. */
function trackOf(points: readonly (readonly [eastM: number, northM: number] | null)[], [lat, lon] = [48, 11]): Track {
  const n = points.length
  const columns = emptyColumns(n)
  let metres = 0
  for (const [k, point] of points.entries()) {
    const before = points[k - 1]
    if (point && before) metres += Math.hypot(point[0] - before[0], point[1] - before[1])
    columns.distanceM[k] = metres
    columns.heartRateBpm[k] = 140
    columns.elevM[k] = 500
    if (point === null) continue
    columns.latDeg[k] = Math.round((lat + point[1] / NORTH_M) * 1e7) / 1e7
    const east = lon + point[0] / NORTH_M / Math.cos((lat * Math.PI) / 180)
    columns.lonDeg[k] = Math.round((((((east + 180) % 360) + 360) % 360) - 180) * 1e7) / 1e7
  }
  return {
    ...{ ...columns, n, startMs: Date.UTC(2025, 5, 1, 6), tS: Float64Array.from(points, (_, k) => k), off: [] },
    ...{ distanceSource: 'device', elevationSource: 'gps', indoor: false, positionUnit: 'e7' },
  }
}

/** East along a line, a point every 10 m. */
const eastward = (fromM: number, toM: number) =>
  Array.from({ length: (toM - fromM) / 10 + 1 }, (_, k) => [fromM + k * 10, 0] as const)
const circle = (eastM: number, radiusM: number, beyondM = 0): HiddenCircle => ({
  ...{ lat: 48, lon: 11 + eastM / NORTH_M / Math.cos((48 * Math.PI) / 180), radiusM, beyondM },
})
/** Metres east of the place, of every row with a position. */
const eastOf = ({ lonDeg }: Track) =>
  Array.from(lonDeg, (lon) => Math.round((lon - 11) * NORTH_M * Math.cos((48 * Math.PI) / 180)))

describe('a trimmed track', () => {
  test('begins where it has left the circle of its start and so many metres more, and ends likewise', () => {
    const whole = trackOf(eastward(0, 3000))
    const { circles, endsM } = { circles: [circle(0, 300, 105), circle(3000, 200, 45)], endsM: 0 }
    const trimmed = trimmedTrack(whole, { circles, endsM })!
    // 300 m and the margin of 0.6 % are left at 310 m, and 105 m later it is the row at 420
    expect([eastOf(trimmed)[0], eastOf(trimmed).at(-1)]).toEqual([420, 2740])
    expect([trimmed.tS[0], trimmed.distanceM[0]]).toEqual([0, 0])
    expect(trimmed.startMs).toBe(whole.startMs + 42_000)
    expect(trimmed.distanceM.at(-1)).toBeCloseTo(2320, 0)
  })

  test('has lost so many metres of either end, wherever it begins', () => {
    const trimmed = trimmedTrack(trackOf(eastward(0, 3000)), { circles: [], endsM: 500 })!
    expect([eastOf(trimmed)[0], eastOf(trimmed).at(-1)]).toEqual([500, 2500])
    expect(trimmedTrack(trackOf(eastward(0, 900)), { circles: [], endsM: 500 })).toBeNull()
  })

  test('crosses a circle in the middle on a straight line, as long as that', () => {
    // 500 m east, then in the circle a detour of 400 m, then on
    const detour = [...eastward(1000, 1000), ...Array.from({ length: 20 }, (_, k) => [1000, 10 * (k + 1)] as const)]
    const back = detour.toReversed()
    const whole = trackOf([...eastward(0, 1000), ...detour, ...back, ...eastward(1010, 2000)])
    const trimmed = trimmedTrack(whole, { circles: [circle(1000, 300, 100)], endsM: 0 })!
    const east = eastOf(trimmed)
    const at = east.indexOf(690)
    expect(east.slice(at, at + 2)).toEqual([690, 1310])
    expect([east[0], east.at(-1)]).toEqual([0, 2000])
    expect(trimmed.distanceM.at(-1)).toBeCloseTo(2000, -1)
    expect(trimmed.tS.at(-1)).toBe(whole.tS.at(-1)!)
  })

  test('is none when the run stays in one circle, and the whole when nothing is hidden', () => {
    const whole = trackOf(eastward(0, 3000))
    expect(trimmedTrack(whole, { circles: [circle(1500, 2000)], endsM: 0 })).toBeNull()
    expect(trimmedTrack(whole, { circles: [circle(90_000, 2000)], endsM: 0 })).toBe(whole)
    const indoors = trackOf([null, null, null])
    expect(trimmedTrack(indoors, { circles: [circle(0, 2000)], endsM: 1600 })).toBe(indoors)
  })

  test('does not begin in the next circle, either', () => {
    const circles = [circle(0, 300, 150), circle(600, 200, 50)]
    const trimmed = trimmedTrack(trackOf(eastward(0, 3000)), { circles, endsM: 0 })!
    // 460 m lie in the second one, which is left at 810
    expect(eastOf(trimmed)[0]).toBe(860)
  })
})

const RUNS = 10_000

test('no coordinate of 10,000 random runs lies within a circle, neither in the track nor in its file', () => {
  const random = seededRandom(26)
  let [left, crossing, nothing, written] = [0, 0, 0, 0]
  for (let run = 0; run < RUNS; run += 1) {
    const place = [random() * 150 - 75, random() < 0.1 ? 179.99 : random() * 360 - 180] as [number, number]
    const points: ([number, number] | null)[] = []
    let [x, y, heading] = [0, 0, random() * 7]
    const stepM = random() < 0.2 ? 80 : 15
    for (let k = 0; k < 30 + random() * 120; k += 1) {
      heading += (random() - 0.5) * 1.5
      x += Math.cos(heading) * stepM
      y += Math.sin(heading) * stepM
      points.push(random() < 0.05 ? null : [x, y])
    }
    const whole = trackOf(points, place)
    const circles = Array.from({ length: 1 + Math.floor(random() * 3) }, (_, k): HiddenCircle => {
      // the first at the start, the others somewhere on the way
      const [eastM, northM] = (k === 0 ? points[0] : points[Math.floor(random() * points.length)]) ?? [0, 0]
      const lon = place[1] + (eastM + random() * 60) / NORTH_M / Math.cos((place[0] * Math.PI) / 180)
      return {
        ...{ lat: place[0] + (northM + random() * 60) / NORTH_M, lon: ((((lon + 180) % 360) + 360) % 360) - 180 },
        ...{ radiusM: 100 + random() * random() * 900, beyondM: random() * 200 },
      }
    })
    const trimmed = trimmedTrack(whole, { circles, endsM: random() < 0.3 ? random() * 400 : 0 })
    if (trimmed === null) {
      nothing += 1
      continue
    }
    left += 1
    if (trimmed.n < whole.n) crossing += 1
    const isOutside = (lat: number, lon: number) =>
      circles.every((one) => apartM(one.lat, one.lon, lat, lon) > one.radiusM)
    for (let row = 0; row < trimmed.n; row += 1) {
      const [lat, lon] = [trimmed.latDeg[row]!, trimmed.lonDeg[row]!]
      if (!Number.isNaN(lat) && !isOutside(lat, lon)) throw new Error(`Run ${run} shows ${lat}, ${lon}`)
      if (row > 0 && trimmed.distanceM[row]! < trimmed.distanceM[row - 1]! - 0.02)
        throw new Error(`Run ${run} goes back`)
    }
    if (run % 8 > 0) continue
    for (const [lat, lon] of gpxPositions(whole, { circles, endsM: 0 })) {
      written += 1
      if (!isOutside(lat, lon)) throw new Error(`The file of run ${run} shows ${lat}, ${lon}`)
    }
  }
  expect(left).toBeGreaterThan(RUNS / 3)
  expect(crossing).toBeGreaterThan(RUNS / 3)
  expect(written).toBeGreaterThan(RUNS)
  expect(nothing).toBeGreaterThan(RUNS / 100)
}, 120_000)

function gpxPositions(track: Track, trim: { readonly circles: readonly HiddenCircle[]; readonly endsM: number }) {
  const run = { id: 'x', startMs: track.startMs, utcOffsetMinutes: 0, name: null, notes: null, numbers: {} as never }
  const options = { format: 'gpx', run, laps: [], elevation: { thresholdM: 2, minDistanceM: 10 }, trim } as const
  try {
    const text = [...runFile(track, options)].map((piece) => new TextDecoder().decode(piece)).join('')
    return [...text.matchAll(/lat="([^"]+)" lon="([^"]+)"/g)].map(([, lat, lon]) => [Number(lat), Number(lon)] as const)
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    // nothing is left
    return []
  }
}
