// Archives of Tempo, whose positions are in originals, raw data or routes, and whose times may be nowhere.
import { describe, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../app.ts'
import { archiveOf, DATA_FORMAT, dataOf, entriesOf, exported, restored } from '../archives.ts'
import { counts } from './restoring.ts'
import {
  gpx,
  heartRates,
  id,
  MEDIA,
  points,
  route,
  SHOE,
  START_MS,
  splits,
  tempoLibrary,
  workout,
} from './tempo-archive.ts'

const RUN = `/workouts/${id(1)}`
const bare = (n: number, more: object = {}) => workout(n, { shoeId: null, rawFileName: null, ...more })

test('raw data in rows is kept as it is, whatever it holds, and written again', async () => {
  await using app = await testApp()
  const long = 'x'.repeat(60_000)
  const rawGpxData = {
    source: 'gpx_import',
    desc: long,
    deep: [{ [long]: [long, null, 1.5, true, ''] }],
    trackPoints: [],
  }
  const rows = [bare(1, { rawGpxData }), bare(2, { startedAt: '2024-05-07T00:00:00', rawFitData: { a: null } })]
  const { json } = await restored(app, await archiveOf({ 'data/workouts.json': rows }))
  expect(json).toMatchObject({ success: true, warnings: [] })
  expect(await app.ok('GET', RUN)).toMatchObject({ rawGpxData, rawFitData: null })
  const written = dataOf(await entriesOf(app, await exported(app)), 'data/workouts.json')
  expect(written).toMatchObject([{ rawGpxData }, { rawGpxData: null, rawFitData: { a: null } }])
})

test('is restored whole: values, splits, samples with positions out of the original, media, settings', async () => {
  await using app = await testApp()
  const { json } = await restored(app, await archiveOf(tempoLibrary()))
  expect(json).toMatchObject({ success: true, warnings: [], errors: [] })
  expect(json.statistics).toEqual({
    ...{ settings: counts(1), shoes: counts(1), workouts: counts(1), routes: counts(1), splits: counts(4) },
    ...{ timeSeries: counts(1201), media: counts(1), bestEfforts: counts(0), rawFiles: counts(1) },
  })
  const detail = await app.ok('GET', RUN)
  expect(detail).toMatchObject({
    ...{ startedAt: '2024-05-04T06:30:00.250Z', createdAt: '2024-05-04T08:00:00.123Z', durationS: 1200 },
    // 1200 s over 3600.4 m
    ...{ movingTimeS: 1190, distanceM: 3600.4, avgPaceS: 333.3, elevGainM: 12.5, relativeEffort: 41, calories: 301 },
    ...{ shoe: { id: SHOE, brand: 'Hoka', model: 'Mach' }, splitsCount: 4, hasRoute: true },
    ...{ rawGpxData: { source: 'gpx_import' }, weather: { temperature: 11.5, humidity: 83 } },
  })
  expect(detail.splits[3]).toMatchObject({
    idx: 3,
    distanceM: 600.4,
    durationS: 200,
    paceS: 333.11,
    startElapsedS: null,
  })
  expect(detail.route.coordinates).toHaveLength(1201)
  expect((await app.ok('GET', `${RUN}/time-series`)).totalCount).toBe(1201)
  // 1 km at 3 m/s
  expect(await efforts(app)).toMatchObject({ '1K': 333 })
  expect(await app.ok('GET', `${RUN}/media`)).toEqual([
    {
      ...{ id: MEDIA, filename: 'b.jpg', mimeType: 'image/jpeg', fileSizeBytes: 300, caption: 'hello' },
      ...{ createdAt: '2024-05-05T00:00:00Z', lat: null, lon: null, placedBy: null },
    },
  ])
  expect(await app.ok('GET', '/settings/unit-preference')).toMatchObject({ unitPreference: 'imperial' })
  expect(await app.ok('GET', '/settings/default-shoe')).toMatchObject({ defaultShoeId: SHOE })
  // what Tempo would crop, Harrier can: 10 s of 3 m/s less
  const cropped = await app.ok('POST', `${RUN}/crop`, { removeFromEndSeconds: 10 })
  expect(cropped.durationS).toBe(1190)
  expect(cropped.distanceM).toBeCloseTo(3570, -1)
})

const trackPoints = points.map(({ lat, lon, ele, timeMs }) => ({
  lat,
  lon,
  ele,
  time: new Date(timeMs!).toISOString(),
}))
const original = { [`workouts/${id(1)}/raw/run.gpx`]: gpx }
const WAY = { 'data/routes.json': [route(id(1))] }
test.each([
  ['the original in base64', { rawFileData: Buffer.from(gpx).toString('base64') }, {}, 1201],
  ['the points of the raw data', { rawFileName: null, rawGpxData: JSON.stringify({ trackPoints }) }, {}, 1201],
  ['the points within a cropped workout', { durationS: 600, rawGpxData: { trackPoints } }, original, 601],
  ['the route without times', { rawFileName: null }, WAY, 1201],
])('positions are taken from %s', async (_, given: object, more: object, routePoints) => {
  await using app = await testApp()
  const rows = heartRates(id(1), 15).filter(({ elapsedSeconds }) => elapsedSeconds <= 600)
  const row = workout(1, { shoeId: null, ...given })
  const zip = await archiveOf({ 'data/workouts.json': [row], 'data/time-series.json': rows, ...more })
  expect((await restored(app, zip)).json).toMatchObject({ success: true, errors: [] })
  const detail = await app.ok('GET', RUN)
  expect(detail).toMatchObject({ distanceM: 3600.4, durationS: row.durationS, hasRoute: true })
  expect(detail.route.coordinates).toHaveLength(routePoints)
  expect((await app.ok('GET', `${RUN}/time-series`)).totalCount).toBeGreaterThan(40)
  await app.ok('POST', `${RUN}/recalculate-splits`)
})

test('ids and values stay through the next archive', async () => {
  await using app = await testApp()
  const effort = { id: id(600), distance: '5K', distanceM: 5000, timeS: 1500, workoutId: id(2) }
  const written = { ...effort, workoutDate: '2024-05-04T06:30:00Z', calculatedAt: '2024-06-01T00:00:00Z' }
  const zip = await archiveOf({
    'data/workouts.json': [bare(1), bare(2, { StartedAt: '2024-05-07T00:00:00', durationS: 1500 })],
    ...{ ...WAY, 'data/splits.json': splits(id(1)), 'data/best-efforts.json': [written] },
  })
  expect((await restored(app, zip)).json).toMatchObject({ success: true, statistics: { bestEfforts: counts(1) } })
  const entries = await entriesOf(app, await exported(app))
  expect(dataOf(entries, 'data/routes.json')).toMatchObject([{ id: id(7001), workoutId: id(1) }])
  const ids = dataOf(entries, 'data/splits.json').map((row: { id: string }) => row.id)
  expect(ids).toEqual(splits(id(1)).map((row) => row.id))
  expect(dataOf(entries, 'data/best-efforts.json')).toEqual([
    { ...written, timeMs: 1_500_000, workoutDate: '2024-05-07T00:00:00Z', workout: null },
  ])
})

describe('a route without times gets them by the way, which make no best efforts, and the next archive says so', () => {
  const effort = (distance: string, distanceM: number, timeS: number) => ({
    ...{ id: id(600 + timeS), distance, distanceM, timeS, workoutId: id(1), workoutDate: '2024-05-04T06:30:00Z' },
    calculatedAt: '2024-06-01T00:00:00Z',
  })
  const beside = heartRates(id(1), 15)
  const oneKnows = beside.map((row, n) => (n === 4 ? { ...row, lat: 47.2, lon: 8.5 } : row))
  test.each([
    ['alone', []],
    ['beside heart rates', beside],
    ['beside heart rates of which one knows where', oneKnows],
  ])('%s', async (_, rows) => {
    await using app = await testApp()
    const zip = await archiveOf({
      ...{ 'data/workouts.json': [bare(1)], ...WAY, 'data/time-series.json': rows },
      'data/best-efforts.json': [effort('1K', 1000, 350), effort('400m', 400, 100)],
    })
    expect((await restored(app, zip)).json).toMatchObject({ success: true, warnings: [], errors: [] })
    // 3 m/s is 333 s for a kilometre: what the archive says, slower or faster, is all that is known
    const said = { '400m': 100, '1K': 350 }
    expect(await efforts(app)).toEqual(said)
    await app.ok('POST', '/stats/best-efforts/recalculate')
    expect(await efforts(app)).toEqual(said)
    const detail = await app.ok('GET', RUN)
    expect(detail).toMatchObject({ durationS: 1200, distanceM: 3600.4, startedAt: '2024-05-04T06:30:00.250Z' })
    expect(detail.route.coordinates).toHaveLength(points.length)

    const entries = await entriesOf(app, await exported(app))
    const run = dataOf(entries, 'data/library.json').find(({ kind }: { kind: string }) => kind === 'run')
    expect(run.recordings[0].hasEstimatedTimes).toBe(true)
    expect(JSON.parse(run.recordings[0].samples.meta)).toMatchObject({ startMs: START_MS })
    const samples: Row[] = dataOf(entries, DATA_FORMAT.timeSeries)
    const times = samples.filter(({ lat }) => lat !== null).map(({ elapsedMs }) => elapsedMs!)
    expect([times[0], times[1200]]).toEqual([0, 1_200_000])
    // the points lie 3 m apart: in the middle half of the time was over; their last decimal is 1 cm, or 4 ms
    expect(Math.abs(times[600]! - 600_000)).toBeLessThan(4)
    expect(samples.filter(({ heartRateBpm }) => heartRateBpm === 150)).toHaveLength(rows.length)
  })
})

/** The first kilometre in 240 s, the second in 480 s, the third in 420 s, and 300 m more in 60 s. */
const STAGES = [[0, 0], [240, 1000], [720, 2000], [1140, 3000], [1200, 3300]] as const // biome-ignore format: pairs
function metresAt(seconds: number): number {
  const at = STAGES.findIndex(([toS]) => seconds <= toS)
  const [[fromS, fromM], [toS, toM]] = [STAGES[Math.max(0, at - 1)]!, STAGES[Math.max(1, at)]!]
  return fromM + ((seconds - fromS) / (toS - fromS)) * (toM - fromM)
}

// 1,201 points of a route are more than ten times as many as samples once a minute
test.each([15, 60])(
  'distances once every %d s, beside a route without times, are kept and place its points',
  async (step) => {
    await using app = await testApp()
    const distances = heartRates(id(1), step).map((row) => ({ ...row, distanceM: metresAt(row.elapsedSeconds) }))
    const zip = await archiveOf({ 'data/workouts.json': [bare(1)], ...WAY, 'data/time-series.json': distances })
    expect((await restored(app, zip)).json).toMatchObject({ success: true, warnings: [] })
    // their times are their own: efforts are made of them
    expect(await efforts(app)).toMatchObject({ '1K': 240 })
    await app.ok('POST', `${RUN}/recalculate-splits`)
    const detail = await app.ok('GET', RUN)
    expect(detail.splits.map((split: Row) => split.durationS)).toEqual([240, 480, 420, 60])
    expect(detail.route.coordinates).toHaveLength(points.length)
    const rows = await seriesOf(app)
    for (const { elapsedSeconds, distanceM } of distances) {
      const row = rows.find((stored) => stored.elapsedMs === elapsedSeconds * 1000)
      expect(row?.distanceM).toBeCloseTo(distanceM, 2)
    }
    // the route is straight: a third of its latitude is a third of 3,300 m, and 100 m of the second kilometre take 48 s
    const [first, last] = [points[0]!, points.at(-1)!]
    const lat = first.lat! + (last.lat! - first.lat!) / 3
    const third = rows.filter((row) => row.lat !== null && row.lat! <= lat + 1e-9).at(-1)
    // its points lie 3 m of 3,600 m apart
    expect(Math.abs((third?.elapsedMs ?? 0) - 288_000)).toBeLessThan(1500)
  },
)

type Row = Record<string, number | null>
const seriesOf = async (app: TestApp): Promise<Row[]> =>
  dataOf(await entriesOf(app, await exported(app)), DATA_FORMAT.timeSeries)

async function efforts(app: TestApp): Promise<Record<string, number>> {
  const { distances } = await app.ok('GET', '/stats/best-efforts')
  return Object.fromEntries(distances.map(({ distance, timeS }: Record<string, unknown>) => [distance, timeS]))
}
