import { describe, expect, test } from 'bun:test'
import { FormatError } from '../../../src/formats/format.ts'
import { gpxFormat } from '../../../src/formats/xml/gpx.ts'
import { type GpxPoint, gpxFile, straightPoints } from '../../fixtures/gpx.ts'

const START = Date.UTC(2024, 4, 1, 6)
const POINTS = straightPoints({ n: 60, startMs: START })
const parse = (bytes: Uint8Array, anySport = false) => gpxFormat.parse(bytes, { filename: 'run.gpx', anySport })
const activityOf = (bytes: Uint8Array) => parse(bytes).activities[0]!

test('a run is read with its points, texts and times', () => {
  const texts = { name: ' Morning & run ', desc: 'Easy.', creator: 'Watch with barometer', type: 'running' }
  const activity = activityOf(gpxFile({ points: POINTS, ...texts }))
  expect({ ...activity, recording: null, rawGpxData: null }).toMatchObject({
    ...{ startedAtMs: START, name: 'Morning & run', notes: 'Easy.', runType: null, rpe: null, source: 'gpx_import' },
    ...{ device: 'Watch with barometer', weather: null, utcOffsetMinutes: null, rawFitData: null, rawStravaData: null },
  })
  const recording = activity.recording!
  const { n, timeMs, latDeg, heartRateBpm, distanceM } = recording
  expect([n, timeMs[59], latDeg[1], heartRateBpm[0]]).toEqual([60, START + 59_000, POINTS[1]!.lat, 140])
  expect(distanceM.every(Number.isNaN)).toBe(true)
  const kinds = { elevationSource: 'baro', indoor: false, positionUnit: 'e7' } as const
  expect(recording).toMatchObject({ startMs: null, timerOffMs: [], ...kinds })
})

test('heart rate, cadence, power and temperature are read from every extension', () => {
  const points = POINTS.map((point) => ({ ...point, cad: 84, power: 251, temp: 21.5 }))
  for (const extension of ['v1', 'v2', 'cluetrust', 'plain'] as const) {
    const { recording } = activityOf(gpxFile({ points, extension }))
    const { heartRateBpm, cadenceRpm, powerW, temperatureC } = recording!
    expect([heartRateBpm, cadenceRpm, powerW, temperatureC].map((column) => column[5])).toEqual([140, 84, 251, 21.5])
  }
  const watts = new TextDecoder().decode(gpxFile({ points, extension: 'plain' })).replace(/power>/g, 'PowerInWatts>')
  expect(activityOf(new TextEncoder().encode(watts)).recording!.powerW[5]).toBe(251)
})

test('points without time or any measurement are dropped; an impossible position is a gap', () => {
  const bad: GpxPoint[] = [
    { ele: 1, timeMs: START + 1 },
    { lat: Number.NaN, lon: 8, timeMs: START + 2 },
    { lat: 95, lon: 8, timeMs: START + 3 },
    { lat: 47, lon: 181, timeMs: START + 4 },
    { lat: 47, lon: 8, time: '2024-13-45T06:00:00Z' },
    { lat: 47, lon: 8 },
  ]
  const activity = activityOf(gpxFile({ points: [...bad, ...POINTS] }))
  expect(activity.recording!.n).toBe(61)
  expect([...activity.recording!.latDeg].slice(0, 2)).toEqual([Number.NaN, 47])
  // the start is the earliest time, wherever it stands
  for (const { startedAtMs } of [
    activity,
    activityOf(gpxFile({ points: [...POINTS.slice(30), ...POINTS.slice(0, 30)] })),
  ])
    expect(startedAtMs).toBe(START)
  const raw = activity.rawGpxData?.().trackPoints as Record<string, unknown>[]
  expect(raw).toHaveLength(66)
  expect(raw[0]).toEqual({ ele: 1, time: '2024-05-01T06:00:00.001Z' })
  expect(raw[5]).toEqual({ lat: 47, lon: 8 })
})

test('too few points with times are refused, half of them are enough', () => {
  const untimed = POINTS.map(({ lat, lon }) => ({ lat: lat!, lon: lon! }))
  const timed = (count: number) => [...POINTS.slice(0, count), ...untimed.slice(count)]
  for (const [points, message] of [
    [[], 'GPX has no track points with times'],
    [untimed, 'GPX has no track points with times'],
    [POINTS.slice(0, 1), 'GPX has only one track point with a time'],
    [timed(5), 'Most track points of this GPX have no time'],
    [timed(29), 'Most track points of this GPX have no time'],
  ] as const)
    expect(() => parse(gpxFile({ points }))).toThrow(new FormatError(message))
  expect(activityOf(gpxFile({ points: timed(30) })).recording!.n).toBe(30)
})

describe('sports', () => {
  const of = (type: string, anySport = false) => parse(gpxFile({ points: POINTS, type }), anySport).activities

  test('running and unspecific ones are runs, others are refused by name unless a row says Run', () => {
    for (const type of [
      ...['9', 'running', 'Running', 'trail_running', 'TrailRunning', 'treadmill_running', 'track_running', 'jogging'],
      ...['other', 'generic', 'unknown', 'Fartlek', 'Workout', 'Run Walk', 'Nachtlauf'],
    ])
      expect([type, of(type).length]).toEqual([type, 1])
    for (const type of [
      ...['cycling', 'mountain_biking', 'MountainBiking', 'Swimming', 'open_water_swimming', 'walking'],
      ...['Nordic Walking', 'hiking', 'backcountry_skiing', 'rowing', '1', '4'],
    ]) {
      const name = { '1': 'Ride', '4': 'Hike' }[type] ?? type.replaceAll('_', ' ')
      expect(() => of(type)).toThrow(new FormatError(`The file is not a run: its sport is ${name}`))
      expect(of(type, true)).toHaveLength(1)
    }
  })

  test('a treadmill run is indoor, a type that is one of the four kinds is the kind of run', () => {
    expect(of('treadmill_running')[0]!.recording!.indoor).toBe(true)
    const kinds = ['race', 'LONG RUN', 'Easy run', 'workout', 'running'].map((type) => of(type)[0]!.runType)
    expect(kinds).toEqual(['Race', 'Long Run', 'Easy Run', 'Workout', null])
  })
})

test('the metadata name replaces a track without name, and an author is not a name', () => {
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
  expect(rawGpxData?.()).toEqual({
    metadata,
    trackPoints: [
      { lat: 47, lon: 8, ele: 400, time: '2024-05-01T06:00:00Z', hr: 120, cad: 80, power: 200, temp: 20 },
      { lat: 47.001, lon: 8, ele: 410, time: '2024-05-01T06:00:40Z' },
    ],
    calculated: {
      // 0.001 degrees of latitude at 47 N are 111.171 m on WGS84 (meridian radius 6,369,621 m).
      ...{ minElevM: 400, maxElevM: 410, elevLossM: 0, maxSpeedMps: 2.779, avgSpeedMps: 2.779, avgGradePercent: 9 },
      ...{ maxPosGradePercent: 9, maxNegGradePercent: 0 },
      routeBounds: { minLat: 47, maxLat: 47.001, minLon: 8, maxLon: 8 },
    },
    source: 'gpx_import',
  })
})
