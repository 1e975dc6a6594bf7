import { describe, expect, test } from 'bun:test'
import { type Activity, FormatError } from '../../src/formats/format.ts'
import { gpxFormat, readGpx } from '../../src/formats/gpx.ts'
import { corpusFile, corpusTest, expectedOf } from '../corpus.ts'
import { byteFlips, cuts } from '../fixtures/damage.ts'
import { type GpxPoint, gpxFile, straightPoints } from '../fixtures/gpx.ts'

const START = Date.UTC(2024, 4, 1, 6)
const POINTS = straightPoints({ n: 60, startMs: START })
const parse = (bytes: Uint8Array, anySport = false) => gpxFormat.parse(bytes, { filename: 'run.gpx', anySport })
const activityOf = (bytes: Uint8Array) => parse(bytes).activities[0]!

test('a run is read with its points, texts and times', () => {
  const activity = activityOf(
    gpxFile({
      points: POINTS,
      name: ' Morning & run ',
      desc: 'Easy.',
      creator: 'Watch with barometer',
      type: 'running',
    }),
  )
  expect({ ...activity, recording: null, rawGpxData: null }).toMatchObject({
    startedAtMs: START,
    name: 'Morning & run',
    notes: 'Easy.',
    runType: null,
    rpe: null,
    source: 'gpx_import',
    device: 'Watch with barometer',
    weather: null,
    utcOffsetMinutes: null,
    rawFitData: null,
    rawStravaData: null,
  })
  const recording = activity.recording!
  expect(recording.n).toBe(60)
  expect(recording.timeMs[59]).toBe(START + 59_000)
  expect(recording.latDeg[1]).toBe(POINTS[1]!.lat!)
  expect(recording.heartRateBpm[0]).toBe(140)
  expect(recording.distanceM.every(Number.isNaN)).toBe(true)
  expect(recording).toMatchObject({
    startMs: null,
    timerOffMs: [],
    cadenceUnit: 'unknown',
    elevationSource: 'baro',
    indoor: false,
    positionUnit: 'e7',
  })
})

test('1.0, 1.1 and no namespace give the same run', () => {
  const plain = activityOf(gpxFile({ points: POINTS }))
  for (const bytes of [gpxFile({ points: POINTS, version: '1.0' }), gpxFile({ points: POINTS, namespace: false })]) {
    expect(comparable(activityOf(bytes))).toEqual(comparable(plain))
  }
})

/** Columns as arrays: NaN equals NaN in those. */
function comparable(activity: Activity) {
  const columns = Object.entries(activity.recording!).map(([key, value]) => [
    key,
    ArrayBuffer.isView(value) ? Array.from(value as Float64Array) : value,
  ])
  return { ...activity, recording: Object.fromEntries(columns) }
}

test('heart rate, cadence, power and temperature are read from every extension', () => {
  const points = POINTS.map((point) => ({ ...point, cad: 84, power: 251, temp: 21.5 }))
  for (const extension of ['v1', 'v2', 'cluetrust', 'plain'] as const) {
    const { recording } = activityOf(gpxFile({ points, extension }))
    expect([
      recording!.heartRateBpm[5],
      recording!.cadenceRpm[5],
      recording!.powerW[5],
      recording!.temperatureC[5],
    ]).toEqual([140, 84, 251, 21.5])
  }
  const watts = new TextDecoder().decode(gpxFile({ points, extension: 'plain' })).replace(/power>/g, 'PowerInWatts>')
  expect(activityOf(new TextEncoder().encode(watts)).recording!.powerW[5]).toBe(251)
})

test('heart rates that nobody has are gaps in the recording and stay in the raw data', () => {
  const rates = [0, 255, 300, -5, 140.4, 140.5, 1, 254]
  const points = POINTS.slice(0, rates.length).map((point, i) => ({ ...point, hr: rates[i]! }))
  const { recording, rawGpxData } = activityOf(gpxFile({ points }))
  expect([...recording!.heartRateBpm]).toEqual([Number.NaN, Number.NaN, Number.NaN, Number.NaN, 140, 141, 1, 254])
  expect((rawGpxData!.trackPoints as { hr: number }[]).map(({ hr }) => hr)).toEqual(rates)
})

test('segments are numbered over all tracks', () => {
  const { recording } = activityOf(gpxFile({ segments: [POINTS.slice(0, 2), POINTS.slice(2, 4), POINTS.slice(4, 6)] }))
  expect([...recording!.segment!]).toEqual([0, 0, 1, 1, 2, 2])
})

test('points without position, time or with impossible ones are dropped', () => {
  const bad: GpxPoint[] = [
    { ele: 1, timeMs: START + 1 },
    { lat: Number.NaN, lon: 8, timeMs: START + 2 },
    { lat: 95, lon: 8, timeMs: START + 3 },
    { lat: 47, lon: 181, timeMs: START + 4 },
    { lat: 47, lon: 8, time: '2024-13-45T06:00:00Z' },
    { lat: 47, lon: 8 },
  ]
  const activity = activityOf(gpxFile({ points: [...bad, ...POINTS] }))
  expect(activity.recording!.n).toBe(60)
  expect(activity.startedAtMs).toBe(START)
  const raw = activity.rawGpxData?.trackPoints as Record<string, unknown>[]
  expect(raw).toHaveLength(66)
  expect(raw[0]).toEqual({ ele: 1, time: '2024-05-01T06:00:00.001Z' })
  expect(raw[5]).toEqual({ lat: 47, lon: 8 })
})

test('the start is the earliest time, wherever it stands', () => {
  expect(activityOf(gpxFile({ points: [...POINTS.slice(30), ...POINTS.slice(0, 30)] })).startedAtMs).toBe(START)
})

describe('too few points with times', () => {
  const untimed = POINTS.map(({ lat, lon }) => ({ lat: lat!, lon: lon! }))
  const cases: [string, readonly GpxPoint[], string][] = [
    ['no points', [], 'GPX has no track points with times'],
    ['points without times', untimed, 'GPX has no track points with times'],
    ['one point', POINTS.slice(0, 1), 'GPX has only one track point with a time'],
    ['five of sixty', [...POINTS.slice(0, 5), ...untimed.slice(5)], 'Most track points of this GPX have no time'],
    ['29 of 60', [...POINTS.slice(0, 29), ...untimed.slice(29)], 'Most track points of this GPX have no time'],
  ]
  for (const [what, points, message] of cases) {
    test(what, () => expect(() => parse(gpxFile({ points }))).toThrow(new FormatError(message)))
  }
  test('half of them are enough', () => {
    expect(activityOf(gpxFile({ points: [...POINTS.slice(0, 30), ...untimed.slice(30)] })).recording!.n).toBe(30)
  })
})

describe('sports', () => {
  for (const type of [
    '9',
    'running',
    'Running',
    'trail_running',
    'TrailRunning',
    'treadmill_running',
    'track_running',
    'jogging',
    'other',
    'generic',
    'unknown',
    'Fartlek',
    'Workout',
    'Run Walk',
    'Nachtlauf',
  ]) {
    test(`${type} is a run`, () => expect(parse(gpxFile({ points: POINTS, type })).activities).toHaveLength(1))
  }
  const others: [string, string][] = [
    ['1', 'Ride'],
    ['cycling', 'cycling'],
    ['mountain_biking', 'mountain biking'],
    ['MountainBiking', 'MountainBiking'],
    ['Swimming', 'Swimming'],
    ['open_water_swimming', 'open water swimming'],
    ['walking', 'walking'],
    ['Nordic Walking', 'Nordic Walking'],
    ['hiking', 'hiking'],
    ['backcountry_skiing', 'backcountry skiing'],
    ['rowing', 'rowing'],
    ['4', 'Hike'],
  ]
  for (const [type, name] of others) {
    test(`${type} is refused by name`, () => {
      expect(() => parse(gpxFile({ points: POINTS, type }))).toThrow(
        new FormatError(`The file is no run: its sport is ${name}`),
      )
    })
  }
  test('a row that says Run overrules the file', () => {
    expect(parse(gpxFile({ points: POINTS, type: 'cycling' }), true).activities).toHaveLength(1)
  })
  test('a treadmill run is indoor', () => {
    expect(activityOf(gpxFile({ points: POINTS, type: 'treadmill_running' })).recording!.indoor).toBe(true)
  })
  test('a type that is one of the four kinds is the kind of run', () => {
    for (const [type, runType] of [
      ['race', 'Race'],
      ['LONG RUN', 'Long Run'],
      ['Easy run', 'Easy Run'],
      ['workout', 'Workout'],
      ['running', null],
    ] as const) {
      expect(activityOf(gpxFile({ points: POINTS, type })).runType).toBe(runType)
    }
  })
})

test('a file that names no device, name or description has none', () => {
  for (const creator of [null, '', '  ']) {
    const { device, name, notes } = activityOf(gpxFile({ points: POINTS, creator, name: ' ', desc: '' }))
    expect([device, name, notes]).toEqual([null, null, null])
  }
})

test('the metadata name stands in for a track without name, and an author is no name', () => {
  expect(activityOf(gpxFile({ points: POINTS, metadata: { name: 'Meta', author: 'Me' } })).name).toBe('Meta')
  expect(activityOf(gpxFile({ points: POINTS, metadata: { author: 'Me' } })).name).toBeNull()
})

test('the raw data has the members of the contract and omits unknown ones', () => {
  const points = [
    { lat: 47, lon: 8, ele: 400, timeMs: START, hr: 120, cad: 80, power: 200, temp: 20 },
    { lat: 47.001, lon: 8, ele: 410, timeMs: START + 40_000 },
  ]
  const metadata = { name: 'N', desc: 'D', author: 'A', time: '2024-05-01T06:00:00Z', keywords: 'k1,k2' }
  const { rawGpxData } = activityOf(gpxFile({ points, metadata }))
  expect(rawGpxData).toEqual({
    metadata,
    trackPoints: [
      { lat: 47, lon: 8, ele: 400, time: '2024-05-01T06:00:00Z', hr: 120, cad: 80, power: 200, temp: 20 },
      { lat: 47.001, lon: 8, ele: 410, time: '2024-05-01T06:00:40Z' },
    ],
    calculated: {
      minElevM: 400,
      maxElevM: 410,
      elevLossM: 0,
      // 0.001 degrees of latitude at 47 N are 111.171 m on WGS84 (meridian radius 6,369,621 m).
      maxSpeedMps: 2.779,
      avgSpeedMps: 2.779,
      avgGradePercent: 9,
      maxPosGradePercent: 9,
      maxNegGradePercent: 0,
      routeBounds: { minLat: 47, maxLat: 47.001, minLon: 8, maxLon: 8 },
    },
    source: 'gpx_import',
  })
})

test('cut anywhere it is refused, and with changed bytes it is a run or refused', () => {
  const bytes = gpxFile({ points: POINTS.slice(0, 20), name: 'Damage', type: 'running' })
  for (const cut of cuts(bytes)) expect(() => parse(cut)).toThrow(FormatError)
  let runs = 0
  for (const flipped of byteFlips(bytes, 2000)) {
    try {
      runs += parse(flipped).activities.length
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
    }
  }
  expect(runs).toBeGreaterThan(100)
})

const CORPUS_FILES = [
  'gpx/1681613317.gpx',
  'gpx/2067489619.gpx',
  'gpx/amazfit.gpx',
  'gpx/break-between-trkseg.gpx',
  'gpx/garmin-connect.gpx',
  'gpx/hr-not-always-there.gpx',
  'gpx/opentracks-timezone-0115.gpx',
  'gpx/polar-cluetrust-10seg.gpx',
  'gpx/sparse-ele-hr.gpx',
  'gpx/strava-export.gpx',
  'gpx/strava-stopped_example.gpx',
  'gpx/tomtom-run-2seg.gpx',
  'bad/antimeridian.gpx',
  'bad/duplicate-timestamps.gpx',
  'bad/huge-gap-15h.gpx',
  'bad/no-elevation-8-tracks.gpx',
  'bad/no-time.gpx',
  'bad/out-of-order.gpx',
  'bad/route-only.gpx',
  'bad/single-point.gpx',
  'strava-export/activities/638693618.gpx',
  'strava-export/activities/668551054.gpx',
]

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
    const { points, creator, trackName, sport } = readGpx(corpusFile(file))
    const numbers = (name: 'timeMs' | 'elevM' | 'heartRateBpm') => points.column(name).filter(Number.isFinite)
    const hr = numbers('heartRateBpm')
    expect({
      creator,
      name: trackName,
      sport,
      points: points.n,
      timed: numbers('timeMs').length,
      elevated: numbers('elevM').length,
      hr: hr.length,
    }).toEqual({
      creator: expected.creator,
      name: expected.track_names[0]?.trim() ?? null,
      sport: expected.track_types[0] ?? null,
      points: expected.points,
      timed: expected.points_with_time,
      elevated: expected.points_with_ele,
      hr: expected.hr.samples_nonnull,
    })
    if (expected.hr.mean !== undefined) {
      // EXPECTED.json rounds the mean to two decimals.
      expect(hr.reduce((sum, value) => sum + value, 0) / hr.length).toBeCloseTo(expected.hr.mean, 2)
      expect([Math.max(...hr), Math.min(...hr)]).toEqual([expected.hr.max!, expected.hr.min!])
    }
    if (expected.start_time_utc !== undefined && file !== 'bad/no-time.gpx') {
      const all = Array.from({ length: points.n }, (_, row) => row)
      expect(points.firstTimeMs(all)).toBe(Date.parse(expected.start_time_utc))
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

const OUTCOMES: [string, number | string][] = [
  ['bad/antimeridian.gpx', 400],
  ['bad/out-of-order.gpx', 300],
  ['bad/duplicate-timestamps.gpx', 306],
  ['bad/huge-gap-15h.gpx', 1030],
  ['bad/no-elevation-8-tracks.gpx', 295],
  ['bad/unbound-prefix.gpx', 200],
  ['bad/latin1-declared-as-utf8.gpx', 15],
  ['bad/utf16-bom.gpx', 15],
  ['bad/missing-lat-lon.gpx', 3],
  ['bad/no-time.gpx', 'Most track points of this GPX have no time'],
  ['bad/single-point.gpx', 'GPX has only one track point with a time'],
  ['gpx/opentracks-timezone-0115.gpx', 'GPX has only one track point with a time'],
  ['bad/route-only.gpx', 'GPX has no track points with times'],
  ['bad/truncated.gpx', 'The file is cut off: its XML ends too early'],
  ['bad/billion-laughs.gpx', 'The file has a document type declaration (DTD), which is refused'],
  ['bad/xxe-external-entity.gpx', 'The file has a document type declaration (DTD), which is refused'],
]
for (const [file, outcome] of OUTCOMES) {
  corpusTest(`${file}: ${typeof outcome === 'number' ? `a run of ${outcome} points` : outcome}`, () => {
    const bytes = corpusFile(file)
    expect(gpxFormat.detect(bytes.subarray(0, 65_536), 'x')).toBe(true)
    if (typeof outcome === 'number') expect(activityOf(bytes).recording!.n).toBe(outcome)
    else expect(() => parse(bytes)).toThrow(new FormatError(outcome))
  })
}

corpusTest('names survive Latin-1 under a UTF-8 declaration and UTF-16', () => {
  for (const file of ['bad/latin1-declared-as-utf8.gpx', 'bad/utf16-bom.gpx']) {
    expect(activityOf(corpusFile(file)).name).toBe('Course à pied - Évry')
  }
})

corpusTest('the cadence of a prefix never declared is read', () => {
  expect(activityOf(corpusFile('bad/unbound-prefix.gpx')).recording!.cadenceRpm[0]).toBe(43)
})
