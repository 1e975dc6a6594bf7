import { describe, expect, test } from 'bun:test'
import { emptyColumns } from '../../../src/engine/grid.ts'
import {
  displaced,
  END_SECRETS,
  type HiddenCircle,
  type Trimming,
  trimmedTrack,
} from '../../../src/engine/route/trim.ts'
import type { Track } from '../../../src/engine/track.ts'
import { FormatError } from '../../../src/formats/format.ts'
import { runFile } from '../../../src/workers/run-file.ts'
import { seededRandom } from '../../fixtures/knots.ts'
import { pairs } from '../../fixtures/pairs.ts'

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
const spot = (eastM: number) => ({ lat: 48, lon: 11 + eastM / NORTH_M / Math.cos((48 * Math.PI) / 180) })
const circle = (eastM: number, radiusM: number, beyondM = 0): HiddenCircle => ({ ...spot(eastM), radiusM, beyondM })
/** Every cut takes all of what may be cut beyond a circle, unless another share is given. */
const hiding = (circles: readonly HiddenCircle[], endsM = 0, cutSecrets: readonly number[] = [1]): Trimming => ({
  ...{ circles, endsM, cutSecrets, endSecrets: Array<number>(END_SECRETS).fill(0) },
})
/** Metres east of the place, of every row with a position. */
const eastOf = ({ lonDeg }: Track) =>
  Array.from(lonDeg, (lon) => Math.round((lon - 11) * NORTH_M * Math.cos((48 * Math.PI) / 180)))

describe('a trimmed track', () => {
  test('begins a share of so many metres beyond the circle of its start, and ends likewise with another share', () => {
    const whole = trackOf(eastward(0, 3000))
    const trimmed = trimmedTrack(whole, hiding([circle(0, 300, 150), circle(3000, 200, 100)], 0, [0.7, 0.45]))!
    // the last rows in the circles are at 300 and 2800, and 105 and 45 m from those are hidden, too
    expect([eastOf(trimmed)[0], eastOf(trimmed).at(-1)]).toEqual([410, 2750])
    expect([trimmed.tS[0], trimmed.distanceM[0]]).toEqual([0, 0])
    expect(trimmed.startMs).toBe(whole.startMs + 41_000)
    expect(trimmed.distanceM.at(-1)).toBeCloseTo(2340, 0)
  })

  test('crosses a circle in the middle on a straight line, as long as that, with a cut of its own on either side', () => {
    // 500 m east, then in the circle a detour of 400 m, then on
    const detour = [...eastward(1000, 1000), ...Array.from({ length: 20 }, (_, k) => [1000, 10 * (k + 1)] as const)]
    const back = detour.toReversed()
    const whole = trackOf([...eastward(0, 1000), ...detour, ...back, ...eastward(1010, 2000)])
    for (const [cutSecrets, edges] of [pairs('0,0 690,1310'), pairs('0.75,0.25 670,1380')]) {
      const trimmed = trimmedTrack(whole, hiding([circle(1000, 300, 100)], 0, cutSecrets))!
      const east = eastOf(trimmed)
      const at = east.indexOf(edges![0])
      expect(east.slice(at, at + 2)).toEqual(edges!)
      expect([east[0], east.at(-1)]).toEqual([0, 2000])
      expect(trimmed.distanceM.at(-1)).toBeCloseTo(2000, -1)
      expect(trimmed.tS.at(-1)).toBe(whole.tS.at(-1)!)
    }
  })

  test('is none when the run stays in one circle, and the whole when nothing is hidden', () => {
    const whole = trackOf(eastward(0, 3000))
    expect(trimmedTrack(whole, hiding([circle(1500, 2000)]))).toBeNull()
    expect(trimmedTrack(whole, hiding([circle(90_000, 2000)]))).toBe(whole)
    const indoors = trackOf([null, null, null])
    expect(trimmedTrack(indoors, hiding([circle(0, 2000)], 1600))).toBe(indoors)
  })
})

describe('the ends of a run', () => {
  const endsOf = (trimming: Trimming, whole = trackOf(eastward(0, 3000))) => {
    const east = eastOf(trimmedTrack(whole, trimming)!)
    return [east[0]!, east.at(-1)!] as const
  }

  test('are cut by circles that are wider and displaced, and by up to half of what is set beyond them', () => {
    // 0.39 times 200 m to the north: the way east leaves the circle of 1.71 times 200 m at 333 m and its margin
    expect(endsOf(hiding([], 200, [0]))).toEqual([340, 2660])
    expect(endsOf(hiding([], 200, [1]))).toEqual([430, 2570])
    expect(trimmedTrack(trackOf(eastward(0, 600)), hiding([], 200))).toBeNull()
  })

  test('lose at least so many metres as are set, wherever the circles lie', () => {
    const random = seededRandom(29)
    const firsts = Array.from({ length: 300 }, () => {
      const endSecrets = Array.from({ length: END_SECRETS }, random)
      const [first, last] = endsOf({ ...hiding([], 300, [0]), endSecrets })
      expect(Math.min(first, 3000 - last)).toBeGreaterThanOrEqual(300)
      return first
    })
    // displaced by at most 0.71 of them
    expect(Math.max(...firsts)).toBeLessThan(300 * 2.42 + 20)
    expect(Math.max(...firsts) - Math.min(...firsts)).toBeGreaterThan(300)
  })

  test('have the centre of a hidden place that they are in, since two circles would tell more', () => {
    // 341 m and the margin about a centre 100 m to the east
    expect(endsOf(hiding([circle(100, 200)], 200, [0]))[0]).toBe(450)
  })
})

test('a circle is displaced by 0.39 to 0.71 of its radius, in any direction', () => {
  const home = { lat: 48, lon: 179.9999 }
  const lengths = [0, 0.5, 1].map((share) => {
    const turned = [0, 0.25, 0.5, 0.75].map((turn) => displaced(home, 1000, [share, turn]))
    for (const { lat, lon } of turned) expect([Math.abs(lon) <= 180, Math.abs(lat - 48) < 0.01]).toEqual([true, true])
    return turned.map(({ lat, lon }) => Math.round(apartM(home.lat, home.lon, lat, lon)))
  })
  // √0.15, √0.325 and √0.5; WGS84 is 0.2 % wider to the east than the sphere
  for (const [k, metres] of [387, 570, 707].entries()) {
    for (const one of lengths[k]!) expect(Math.abs(one - metres)).toBeLessThan(3)
  }
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
    const cutSecrets = Array.from({ length: 8 }, random)
    const trimmed = trimmedTrack(whole, hiding(circles, random() < 0.3 ? random() * 400 : 0, cutSecrets))
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
    for (const [lat, lon] of gpxPositions(whole, hiding(circles, 0, cutSecrets))) {
      written += 1
      if (!isOutside(lat, lon)) throw new Error(`The file of run ${run} shows ${lat}, ${lon}`)
    }
  }
  expect(left).toBeGreaterThan(RUNS / 3)
  expect(crossing).toBeGreaterThan(RUNS / 3)
  expect(written).toBeGreaterThan(RUNS)
  expect(nothing).toBeGreaterThan(RUNS / 100)
}, 120_000)

function gpxPositions(track: Track, trim: Trimming) {
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
