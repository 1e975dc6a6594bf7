import { describe, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../app.ts'
import { archiveOf, contentOf, DATA_FORMAT, dataOf, entriesOf, exported, restored } from '../archives.ts'
import { counts } from './restoring.ts'
import {
  gpx,
  heartRates,
  id,
  MEDIA,
  pascalCased,
  points,
  route,
  SHOE,
  splits,
  tempoLibrary,
  workout,
} from './tempo-archive.ts'

// docs/api.md 12.2, first paragraph: the forms in which an archive may hold the same thing.

/** An archive of one workout without shoe and original, whose row has these members. */
const archiveWith = (more: Readonly<Record<string, unknown>>, files: Readonly<Record<string, unknown>> = {}) =>
  archiveOf({ 'data/workouts.json': [workout(1, { shoeId: null, rawFileName: null, ...more })], ...files })

const detailOf = async (app: TestApp) => (await app.call('GET', `/workouts/${id(1)}`)).json
const exportedRow = async (app: TestApp, file: keyof typeof DATA_FORMAT) =>
  dataOf(await entriesOf(app, await exported(app)), DATA_FORMAT[file])[0]

test('keys in Pascal case, in the manifest as well, and unknown fields: the same library', async () => {
  const plain = tempoLibrary()
  const unknown = { Mood: 'good', Laps: [{ Id: 1 }], extra: null }
  const spelled = Object.entries(plain).map(([path, value]) => {
    if (!path.startsWith('data/')) return [path, value]
    const rows = typeof value === 'string' ? JSON.parse(value.replace('\ufeff', '')) : value
    const more = (row: object) => ({ ...row, ...unknown })
    return [path, pascalCased(Array.isArray(rows) ? rows.map(more) : more(rows))]
  })
  const manifest = { Version: '1.0.0', TempoVersion: '2', DataFormat: pascalCased(DATA_FORMAT), Statistics: {} }
  const zips = [await archiveOf(plain), await archiveOf({ ...Object.fromEntries(spelled), 'manifest.json': manifest })]
  const libraries: Map<string, string>[] = []
  for (const zip of zips) {
    await using app = await testApp()
    const { json } = await restored(app, zip)
    expect(json).toMatchObject({ success: true, warnings: [], errors: [], statistics: { workouts: counts(1) } })
    // ids that an archive does not have are new in each library
    const content = await contentOf(app)
    content.delete(DATA_FORMAT.bestEfforts)
    libraries.push(content)
  }
  expect([...libraries[1]!]).toEqual([...libraries[0]!])
})

const METHODS: readonly (readonly [unknown, string])[] = [
  [0, 'AgeBased'],
  [1, 'Karvonen'],
  [2, 'Custom'],
  ['AgeBased', 'AgeBased'],
  ['karvonen', 'Karvonen'],
  ['CUSTOM', 'Custom'],
]
for (const [written, served] of METHODS) {
  test(`calculationMethod ${JSON.stringify(written)} is ${served}`, async () => {
    await using app = await testApp()
    const settings = { ...(tempoLibrary()['data/settings.json'] as object), calculationMethod: written, age: 44 }
    await restored(app, await archiveOf({ 'data/settings.json': { ...settings, maxHeartRateBpm: 190 } }))
    expect((await app.call('GET', '/settings/heart-rate-zones')).json).toMatchObject({
      calculationMethod: served,
      zones: [{ minBpm: 100, maxBpm: 120 }, {}, {}, {}, { minBpm: 170, maxBpm: 190 }],
    })
  })
}

describe('zones count as stored', () => {
  const zones = tempoLibrary()['data/settings.json'] as Record<string, unknown>
  const cases: readonly (readonly [string, Record<string, unknown>, number])[] = [
    ['when their bounds are those of zones', {}, 200],
    ['unless zonesConfigured is false', { zonesConfigured: false }, 400],
    ['unless one bound is zero', { zone3MaxBpm: 0 }, 400],
    ['unless one bound is null', { zone1MinBpm: null }, 400],
    ['unless they fall', { zone4MinBpm: 120, zone4MaxBpm: 110 }, 400],
  ]
  for (const [name, more, status] of cases) {
    test(name, async () => {
      await using app = await testApp()
      await restored(app, await archiveOf({ 'data/settings.json': { ...zones, ...more } }))
      expect((await app.call('POST', '/workouts/recalculate-relative-effort')).status).toBe(status)
      expect((await app.call('GET', '/settings/unit-preference')).json.unitPreference).toBe('imperial')
    })
  }
})

test('raw data and weather as objects are the same as in texts', async () => {
  const raw = { rawGpxData: { metadata: { name: 'x' }, trackPoints: [] }, rawStravaData: { Calories: '301' } }
  const weather = { source: 'open_meteo', temperature: 11.5, relativeHumidity: 0.83 }
  const details: unknown[] = []
  for (const form of [(value: unknown) => value, JSON.stringify]) {
    await using app = await testApp()
    const given = Object.fromEntries(Object.entries({ ...raw, weather }).map(([key, value]) => [key, form(value)]))
    expect((await restored(app, await archiveWith(given))).json).toMatchObject({ success: true, warnings: [] })
    details.push(await detailOf(app))
  }
  expect(details[0]).toMatchObject({ ...raw, weather: { temperature: 11.5, humidity: 83 } })
  expect(details[1]).toEqual(details[0])
})

const TIMES: readonly (readonly [string, string])[] = [
  ['2024-05-04T06:30:00.9999999Z', '2024-05-04T06:30:00.999Z'],
  ['2024-05-04T06:30:00.1Z', '2024-05-04T06:30:00.100Z'],
  ['2024-05-04T06:30:00.0000001Z', '2024-05-04T06:30:00Z'],
  ['2024-05-04T08:30:00.2501234+02:00', '2024-05-04T06:30:00.250Z'],
  ['2024-05-04T06:30:00.2501234', '2024-05-04T06:30:00.250Z'],
]
for (const [written, served] of TIMES) {
  test(`startedAt ${written} is ${served}`, async () => {
    await using app = await testApp()
    await restored(app, await archiveWith({ StartedAt: undefined, startedAt: written }))
    expect((await detailOf(app)).startedAt).toBe(served)
  })
}

const FILES: readonly (readonly [string, Record<string, unknown>, Record<string, unknown>])[] = [
  ['a path of Windows', { rawFileName: 'C:\\tempo\\run.gpx' }, { rawFileName: 'run.gpx', rawFileType: 'gpx' }],
  ['a path that climbs', { rawFileName: '../../etc/run.gpx' }, { rawFileName: 'run.gpx', rawFileType: 'gpx' }],
  ['a type beside another extension', { rawFileName: 'run.bin', rawFileType: 'GPX' }, { rawFileType: 'gpx' }],
  ['a type of a packed file', { rawFileName: 'run.gpx', rawFileType: '.gpx.gz' }, { rawFileType: 'gpx' }],
  ['an extension, but no type', { rawFileName: 'run.gpx', rawFileType: null }, { rawFileType: null }],
]
for (const [name, given, kept] of FILES) {
  test(`an original with ${name}`, async () => {
    await using app = await testApp()
    const zip = await archiveWith(given, { [`workouts/${id(1).toUpperCase()}/raw/run.gpx`]: gpx })
    expect((await restored(app, zip)).json).toMatchObject({ success: true, statistics: { rawFiles: counts(1) } })
    expect(await exportedRow(app, 'workouts')).toMatchObject(kept)
  })
}

test('parts within the row of a workout are not parts: those of the data files count, once', async () => {
  await using app = await testApp()
  const inside = {
    shoe: { id: SHOE, brand: 'Hoka', model: 'Mach', workouts: null },
    route: route(id(1)),
    splits: splits(id(1)),
    media: [{ id: MEDIA, workoutId: id(1), filename: 'b.jpg', workout: null }],
    timeSeries: heartRates(id(1), 60),
    bestEfforts: [{ id: id(5), distance: '1K', timeS: 1 }],
  }
  const { json } = await restored(app, await archiveWith(inside, { 'data/splits.json': splits(id(1)) }))
  expect(json).toMatchObject({ success: true, warnings: [], errors: [] })
  expect(json.statistics).toMatchObject({
    splits: counts(4),
    routes: counts(0),
    timeSeries: counts(0),
    media: counts(0),
  })
  expect(await detailOf(app)).toMatchObject({ splitsCount: 4, hasRoute: false, shoe: null })
})

const GEOMETRIES: readonly (readonly [string, unknown])[] = [
  ['null', null],
  ['no JSON', 'LINESTRING (8 47, 8 48)'],
  ['without points', { type: 'LineString', coordinates: [] }],
  ['of one point', JSON.stringify({ type: 'LineString', coordinates: [[8, 47]] })],
  [
    'of one point on the earth',
    {
      type: 'LineString',
      coordinates: [
        [8, 47],
        [8, 470],
        ['a', null],
      ],
    },
  ],
]
for (const [name, routeGeoJson] of GEOMETRIES) {
  test(`a geometry ${name} is not a route`, async () => {
    await using app = await testApp()
    const rows = [{ ...route(id(1)), routeGeoJson }]
    const { json } = await restored(app, await archiveWith({}, { 'data/routes.json': rows }))
    expect(json).toMatchObject({ success: true, statistics: { workouts: counts(1), routes: counts(0, 1) } })
    expect(await detailOf(app)).toMatchObject({ hasRoute: false, route: null })
  })
}

describe('a route without times', () => {
  const effort = (distance: string, distanceM: number, timeS: number) => ({
    ...{ id: id(600 + timeS), distance, distanceM, timeS, workoutId: id(1), workoutDate: '2024-05-04T06:30:00Z' },
    calculatedAt: '2024-06-01T00:00:00Z',
  })
  for (const [name, rows] of [
    ['alone', []],
    ['beside heart rates', heartRates(id(1), 15)],
    [
      'beside heart rates of which one knows where',
      heartRates(id(1), 15).map((row, n) => (n === 4 ? { ...row, lat: 47.2, lon: 8.5 } : row)),
    ],
  ] as const) {
    test(`${name} gets times by the way, which make no best efforts, and says so in the next archive`, async () => {
      await using app = await testApp()
      const zip = await archiveWith(
        {},
        {
          'data/routes.json': [route(id(1))],
          'data/time-series.json': rows,
          'data/best-efforts.json': [effort('1K', 1000, 350), effort('400m', 400, 100)],
        },
      )
      expect((await restored(app, zip)).json).toMatchObject({ success: true, warnings: [], errors: [] })
      // 3 m/s is 333 s for a kilometre: what the archive says, slower or faster, is all that is known
      const { distances } = (await app.call('GET', '/stats/best-efforts')).json
      expect(distances.map((item: { timeS: number }) => item.timeS)).toEqual([100, 350])
      await app.call('POST', '/stats/best-efforts/recalculate')
      expect((await app.call('GET', '/stats/best-efforts')).json.distances).toEqual(distances)
      const detail = await detailOf(app)
      expect(detail).toMatchObject({ durationS: 1200, distanceM: 3600.4, startedAt: '2024-05-04T06:30:00.250Z' })
      expect(detail.route.coordinates).toHaveLength(points.length)

      const content = await contentOf(app)
      const [row] = JSON.parse(content.get(DATA_FORMAT.workouts)!)
      expect(row.recording.samples).toMatchObject({
        hasEstimatedTimes: true,
        startMs: Date.UTC(2024, 4, 4, 6, 30, 0, 250),
      })
      const samples: { elapsedMs: number; lat: number | null; heartRateBpm: number | null }[] = JSON.parse(
        content.get(DATA_FORMAT.timeSeries)!,
      )
      const positioned = samples.filter(({ lat }) => lat !== null)
      // the points lie 3 m apart, so the middle one is where half of the time was over; their last decimal is 1 cm, or 4 ms
      const middle = positioned[600]?.elapsedMs ?? Number.NaN
      expect([positioned[0]?.elapsedMs, positioned[1200]?.elapsedMs]).toEqual([0, 1_200_000])
      expect(Math.abs(middle - 600_000)).toBeLessThan(4)
      expect(samples.filter(({ heartRateBpm }) => heartRateBpm === 150)).toHaveLength(rows.length)

      await using second = await testApp()
      expect((await restored(second, await exported(app))).json).toMatchObject({ success: true, errors: [] })
      expect([...(await contentOf(second))]).toEqual([...content])
    })
  }
})
