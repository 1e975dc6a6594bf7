import { expect } from 'bun:test'
import { gpxFormat, readGpx } from '../../../src/formats/xml/gpx.ts'
import { corpusFile, corpusTest, expectedOf } from '../../corpus.ts'

const parse = (bytes: Uint8Array) => gpxFormat.parse(bytes, { filename: 'run.gpx' })
const activityOf = (bytes: Uint8Array) => parse(bytes).activities[0]!

const CORPUS_FILES = `
  gpx/1681613317.gpx gpx/2067489619.gpx gpx/amazfit.gpx gpx/break-between-trkseg.gpx gpx/garmin-connect.gpx
  gpx/hr-not-always-there.gpx gpx/opentracks-timezone-0115.gpx gpx/polar-cluetrust-10seg.gpx gpx/sparse-ele-hr.gpx
  gpx/strava-export.gpx gpx/strava-stopped_example.gpx gpx/tomtom-run-2seg.gpx bad/antimeridian.gpx
  bad/duplicate-timestamps.gpx bad/huge-gap-15h.gpx bad/no-elevation-8-tracks.gpx bad/no-time.gpx
  bad/out-of-order.gpx bad/route-only.gpx bad/single-point.gpx strava-export/activities/638693618.gpx
  strava-export/activities/668551054.gpx`
  .trim()
  .split(/\s+/)

interface Expected {
  readonly creator: string
  readonly track_names: readonly (string | null)[]
  readonly track_types: readonly (string | null)[]
  readonly points: number
  readonly points_with_time: number
  readonly points_with_ele: number
  readonly hr: {
    readonly samples_nonnull: number
    readonly mean?: number
    readonly max?: number
    readonly min?: number
  }
  readonly start_time_utc?: string
  readonly end_time_utc?: string
  readonly first_point?: readonly [number, number] | null
  readonly last_point?: readonly [number, number] | null
}

for (const file of CORPUS_FILES) {
  corpusTest(`${file} is read as gpxpy and ElementTree read it`, () => {
    const expected = expectedOf(file) as unknown as Expected
    const { points, creator, tracks } = readGpx(corpusFile(file))
    const { name: trackName = null, sport = null } = tracks[0] ?? {}
    const numbers = (name: 'timeMs' | 'elevM' | 'heartRateBpm') => points.column(name).filter(Number.isFinite)
    const hr = numbers('heartRateBpm')
    const [name, type] = [expected.track_names[0]?.trim() ?? null, expected.track_types[0] ?? null]
    expect([creator, trackName, sport]).toEqual([expected.creator, name, type])
    const { points: all, points_with_time: timed, points_with_ele: elevated } = expected
    const counts = [points.n, numbers('timeMs').length, numbers('elevM').length, hr.length]
    expect(counts).toEqual([all, timed, elevated, expected.hr.samples_nonnull])
    if (expected.hr.mean !== undefined) {
      // EXPECTED.json rounds the mean to two decimals.
      expect(hr.reduce((sum, value) => sum + value, 0) / hr.length).toBeCloseTo(expected.hr.mean, 2)
      expect([Math.max(...hr), Math.min(...hr)]).toEqual([expected.hr.max!, expected.hr.min!])
    }
    if (expected.start_time_utc !== undefined && file !== 'bad/no-time.gpx') {
      expect(points.firstTimeMs(points.rowsWhere(() => true))).toBe(Date.parse(expected.start_time_utc))
      expect(Math.max(...numbers('timeMs'))).toBe(Date.parse(expected.end_time_utc!))
    }
    for (const [point, row] of [
      [expected.first_point, 0],
      [expected.last_point, points.n - 1],
    ] as const) {
      if (!point || file === 'bad/out-of-order.gpx') continue
      // EXPECTED.json rounds positions to six decimals.
      expect(points.column('latDeg')[row]!).toBeCloseTo(point[0], 5)
      expect(points.column('lonDeg')[row]!).toBeCloseTo(point[1], 5)
    }
  })
}

corpusTest('the one point of opentracks-timezone-0115 starts at 20:36:59.179 UTC', () => {
  const { points } = readGpx(corpusFile('gpx/opentracks-timezone-0115.gpx'))
  expect(new Date(points.column('timeMs')[0]!).toISOString()).toBe('2021-01-07T20:36:59.179Z')
})

/** What is refused is in test/workouts/bad-files.test.ts. */
const POINTS: readonly (readonly [file: string, points: number])[] = [
  ['bad/antimeridian.gpx', 400],
  ['bad/out-of-order.gpx', 300],
  ['bad/duplicate-timestamps.gpx', 306],
  ['bad/huge-gap-15h.gpx', 1030],
  ['bad/no-elevation-8-tracks.gpx', 295],
  ['bad/unbound-prefix.gpx', 200],
  ['bad/latin1-declared-as-utf8.gpx', 15],
  ['bad/utf16-bom.gpx', 15],
  ['bad/missing-lat-lon.gpx', 4],
]
corpusTest('odd files are runs of the points that they have', () => {
  for (const [file, points] of POINTS) expect([file, activityOf(corpusFile(file)).recording!.n]).toEqual([file, points])
})

corpusTest('names survive Latin-1 under a UTF-8 declaration and UTF-16', () => {
  for (const file of ['bad/latin1-declared-as-utf8.gpx', 'bad/utf16-bom.gpx']) {
    expect(activityOf(corpusFile(file)).name).toBe('Course à pied - Évry')
  }
})

corpusTest('the cadence of a prefix never declared is read', () => {
  expect(activityOf(corpusFile('bad/unbound-prefix.gpx')).recording!.cadenceRpm[0]).toBe(43)
})
