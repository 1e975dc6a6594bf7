// Rows that no program writes, all in one archive: each is named, and what is good beside it is restored.
import { expect, test } from 'bun:test'
import { testApp } from '../../app.ts'
import { jpeg } from '../../fixtures/media.ts'
import { archiveOf, exported, restored } from '../archives.ts'
import { counts, filesOf, id, shoe, workout } from './restoring.ts'

/** Deeper than what JSON.stringify can write; parsing takes it. */
const DEEP = `${'['.repeat(60_000)}${']'.repeat(60_000)}`
/** What String() and Number() throw at. */
const STUBBORN = { toString: 1, valueOf: 1 }
/** A data file with a row that is nested without end behind these. */
const withDeep = (...rows: readonly unknown[]) =>
  `[${[...rows.map((row) => JSON.stringify(row)), `{"workoutId":"${id(1)}","idx":${DEEP}}`].join(',')}]`

const split = (n: number, idx: number) => ({ id: id(1), workoutId: id(n), idx, distanceM: 1000, durationS: 300 })
const route = (n: number, coordinates: unknown) => ({
  workoutId: id(n),
  routeGeoJson: { type: 'LineString', coordinates },
})
const photo = (n: number, filename: unknown) => ({ id: id(n), workoutId: id(1), filename })
const photoAt = (n: number, name: string) => `workouts/${id(1)}/media/${id(n)}/${name}`
const effort = (n: number, distance: string, of: number) => ({ id: id(n), distance, timeS: 100, workoutId: id(of) })
const TURNS = [2, 0, 1, 3].flatMap((t) =>
  [1, 2].map((n) => ({
    ...{ workoutId: id(n), elapsedSeconds: t, elapsedMs: t * 1000, lat: 47 + t / 1e4, lon: 8 },
    heartRateBpm: 300 - t * 60,
  })),
)
const ORPHANS = Array.from({ length: 10_000 }, (_, n) => ({
  ...{ workoutId: id(n + 5000), idx: 0, distanceM: 1, durationS: 1, elapsedSeconds: n },
}))
const SHOES = Array.from({ length: 1002 }, (_, n) => shoe(n + 1, 'Brand', `Model ${n >> 1}`))

const ODD = {
  'data/settings.json': {
    calculationMethod: STUBBORN,
    zone1MinBpm: STUBBORN,
  },
  'data/shoes.json': [{ brand: 'x' }, 5, shoe(2000, '', 'b'), shoe(1, 'x'.repeat(150), 'Y'), ...SHOES],
  'data/workouts.json': withDeep(
    workout(1, { id: id(1).toUpperCase() }),
    workout(1),
    workout(2, { notes: 'n'.repeat(3_000_000), rawGpxData: `{"a":${DEEP}}`, weather: `{"a":${DEEP}}` }),
    workout(3, { startedAt: 'yesterday' }),
    workout(4, { durationS: null }),
    workout(5, { distanceM: '5 km' }),
    { name: 'no id' },
    null,
    workout(6, { rpe: 11, calories: 'many', runType: 'Jog', name: 'y'.repeat(300) }),
    // once they are UTC they are beyond the years that the next restore could read
    workout(7, { startedAt: '9999-12-31T23:59:59-01:00' }),
    workout(8, { startedAt: '0100-01-01T00:00:00+14:00' }),
    // and no request could page to the weeks of these
    workout(9, { startedAt: '2101-01-01T00:00:00Z' }),
    workout(10, { startedAt: '9999-01-01T00:00:00Z' }),
    workout(11, { startedAt: '2100-12-31T23:59:59.999Z' }),
    workout(12, { shoeId: id(3000), rawGpxData: '{"source":"\\"[["}' }),
    workout(13, { loadSource: 'manual', loadManual: -5, excludeFromEstimates: 'yes' }),
    workout(14),
    ...Array.from({ length: 40 }, (_, n) => workout(100 + n, { startedAt: null })),
  ),
  'data/routes.json': withDeep(
    route(14, [[STUBBORN, STUBBORN], [8], 8, null, ['8', '47'], [8, 47]]),
    { workoutId: id(6), routeGeoJson: null },
    { workoutId: id(11), routeGeoJson: 'LINESTRING (8 47, 8 48)' },
    route(12, []),
    { workoutId: id(8), routeGeoJson: JSON.stringify({ type: 'LineString', coordinates: [[8, 47]] }) },
    route(13, [[8, 47], [8, 470], ['a', null]]), // biome-ignore format: one line as the others
  ),
  // two of one index, ids that others have, and none
  'data/splits.json': withDeep(
    split(1, 0),
    { ...split(1, 0), durationS: 9 },
    split(1, 1),
    split(2, 0),
    { workoutId: id(2) },
    ...ORPHANS,
  ),
  'data/time-series.json': [...TURNS, { workoutId: id(1) }, ...ORPHANS],
  'data/media-metadata.json': [
    ...[photo(50, 'good.jpg'), photo(51, STUBBORN), photo(52, 'q'.repeat(500_000)), photo(53, 'text.jpg')],
    ...[photo(54, 'large.jpg'), { ...photo(55, 'no-id.jpg'), id: 5 }],
  ],
  'data/best-efforts.json': [effort(1, '1K', 404), effort(2, '3K', 1)],
  [photoAt(50, 'good.jpg')]: jpeg(99),
  [photoAt(53, 'text.jpg')]: 'words',
  [photoAt(54, 'large.jpg')]: jpeg(501),
}

test('an archive with every odd row', async () => {
  await using app = await testApp({ env: { MEDIA_MAX_FILE_BYTES: '500' } })
  await app.ok('POST', '/shoes', { brand: 'Hoka', model: 'Mach 6' })
  const { json } = await restored(app, await archiveOf(ODD))
  expect(json.statistics).toEqual({
    ...{ settings: counts(1), shoes: counts(999, 1, 6), workouts: counts(7, 1, 49), routes: counts(0, 6) },
    ...{ splits: counts(3, 10_001, 1), timeSeries: counts(8, 10_000, 1), media: counts(1, 0, 5) },
    ...{ bestEfforts: counts(0, 1, 1), rawFiles: counts(0) },
  })
  const about = (what: string, ...numbers: number[]) => `${what}: ${numbers.map(id).join(', ')}`
  const none = (n: number, member: string) => `${id(n)} ${member}`
  expect(json.errors).toEqual([
    'Shoes without an id (2 times)',
    about('Shoes without brand or model', 2000),
    about('Shoes beyond the 1000 that a library may have', 1000, 1001, 1002),
    about('Rows of timeSeries without a time', 1),
    'Media without an id: no-id.jpg',
    `${about('Media whose file is not in the archive', 51)}, ${'q'.repeat(100)}`,
    'Media refused: The content is not an image of a supported type: text.jpg',
    'Media larger than 500 bytes: large.jpg',
    about('Splits without index, distance or duration', 2),
    `${about('Workouts without a startedAt that is a timestamp', 3, 7, 8, 100, 101)} and 38 more`,
    about('Workouts without a durationS in seconds', 4),
    about('Workouts without a distanceM in metres', 5),
    'Workouts without an id (2 times)',
    about('Workouts that start after the year 2100', 9, 10),
    'Best efforts without workout, distance or time',
  ])
  const deep = 'that are nested deeper than 500 levels and were skipped'
  expect(json.warnings).toEqual([
    `Rows of data/splits.json ${deep}: row 10006`,
    `Rows of data/routes.json ${deep}: row 7`,
    `Rows of data/workouts.json ${deep}: row 58`,
    `Raw data of workouts that is not a JSON object, skipped: ${none(2, 'rawGpxData')}`,
    `Invalid values of workouts, skipped: ${['calories', 'rpe', 'runType'].map((member) => none(6, member)).join(', ')}`,
    about('Workouts whose shoe does not exist, restored without one', 12),
    'Rows of bestEfforts without their workout, skipped: 1',
    'Rows of splits whose workout is not in the archive, skipped: 10000',
    'Rows of timeSeries whose workout is not in the archive, skipped: 10000',
  ])
  const detail = async (n: number) => await app.ok('GET', `/workouts/${id(n)}`)
  expect(await detail(1)).toMatchObject({ splitsCount: 2, hasRoute: true })
  const { splits, route: way } = await detail(1)
  expect([splits[0].durationS, way.coordinates.length]).toEqual([300, 4])
  expect(await detail(2)).toMatchObject({ notes: 'n'.repeat(1_048_576), rawGpxData: null, weather: null })
  expect(await detail(6)).toMatchObject({ rpe: null, name: 'y'.repeat(200), hasRoute: false })
  expect(await detail(12)).toMatchObject({ shoeId: null, rawGpxData: { source: '"[[' } })
  const choice = { loadSource: 'auto', loadManual: null, excludeFromEstimates: false }
  expect(await app.ok('PATCH', `/workouts/${id(13)}`, {})).toMatchObject(choice)
  const { items } = await app.ok('GET', `/workouts/${id(2)}/time-series`)
  type Item = { elapsedSeconds: number; heartRateBpm: number }
  // of a second in which the heart rate is none, there is none
  expect(items.map((item: Item) => [item.elapsedSeconds, item.heartRateBpm])).toEqual([[1, 240], [2, 180], [3, 120]]) // biome-ignore format: rows
  const shoes: { id: string; brand: string; model: string }[] = await app.ok('GET', '/shoes')
  expect([shoes.length, shoes.some(({ brand }) => brand === 'x'.repeat(100))]).toEqual([1000, true])
  // of one name and age
  expect(shoes.filter(({ model }) => model === 'Model 7').map((one) => one.id)).toEqual([id(15), id(16)])
  expect((await app.ok('GET', '/settings/heart-rate-zones')).zones[0].minBpm).toBe(95)
  expect([
    filesOf(app, 'files/media'),
    filesOf(app, 'tmp'),
    app.logged.filter((line) => !line.startsWith('info')),
  ]).toEqual([[id(50)], [], []])
  await using second = await testApp()
  expect((await restored(second, await exported(app))).json).toMatchObject({ success: true, errors: [] })
})

test('values of every wrong type and names such as __proto__ do no harm', async () => {
  await using app = await testApp()
  const wrong: unknown[] = [null, [], {}, true, -1, 1e308, 'x', '', { __proto__: 1 }]
  const members = [
    ...['route', 'hrZoneSeconds', 'weather', 'rawGpxData', 'rawFitData', 'recording', 'shoeId', 'rawFileData'],
    ...['rawFileName', 'utcOffsetMinutes', 'createdAt', 'avgHeartRateBpm'],
  ]
  const rows = wrong.flatMap((value, n) => members.map((name, k) => workout(1 + n * 50 + k, { [name]: value })))
  const ofEach = (row: (value: unknown) => object) => {
    return wrong.map((value, n) => ({ id: value, workoutId: id(1 + n * 50), ...row(value) }))
  }
  const zip = await archiveOf({
    'data/workouts.json': JSON.stringify(rows).replaceAll('"name":', '"__proto__":{"id":"x"},"name":'),
    'data/routes.json': ofEach((routeGeoJson) => ({ routeGeoJson })),
    'data/time-series.json': ofEach((value) => ({ elapsedSeconds: value, lat: value, lon: value })),
    'data/media-metadata.json': ofEach((filename) => ({ filename })),
    'data/best-efforts.json': ofEach((value) => ({ workoutId: id(1), distance: value, timeS: value })),
  })
  expect((await restored(app, zip)).json.statistics.workouts).toEqual(counts(rows.length))
  expect((await app.ok('GET', '/workouts')).totalCount).toBe(rows.length)
  for (const row of rows) await app.ok('GET', `/workouts/${row.id}`)
  expect((await exported(app)).length).toBeGreaterThan(1000)
})
