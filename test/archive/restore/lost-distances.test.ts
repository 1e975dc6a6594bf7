// Archives of other programs whose samples know how far, and whose routes know where, but not when.
import { describe, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../app.ts'
import { gpxFile, straightPoints } from '../../fixtures/gpx.ts'
import { archiveOf, DATA_FORMAT, dataOf, entriesOf, exported, restored, zipOf } from '../archives.ts'
import { counts, library } from './restoring.ts'
import { heartRates, id, points, route, START_MS, splits, workout } from './tempo-archive.ts'

/** The first kilometre in 240 s, the second in 480 s, the third in 420 s, and 300 m more in 60 s. */
const STAGES = [
  [240, 1000],
  [720, 2000],
  [1140, 3000],
  [1200, 3300],
] as const

function metresAt(seconds: number): number {
  let [fromS, fromM] = [0, 0]
  for (const [toS, toM] of STAGES) {
    if (seconds <= toS) return fromM + ((seconds - fromS) / (toS - fromS)) * (toM - fromM)
    ;[fromS, fromM] = [toS, toM]
  }
  return fromM
}

const distances = (step: number) =>
  heartRates(id(1), step).map((row) => ({ ...row, distanceM: metresAt(row.elapsedSeconds) }))

const archive = (step: number) =>
  archiveOf({
    'data/workouts.json': [workout(1, { shoeId: null, rawFileName: null })],
    'data/routes.json': [route(id(1))],
    'data/time-series.json': distances(step),
  })

type Row = Record<string, number | null>
const seriesOf = async (app: TestApp): Promise<Row[]> =>
  dataOf(await entriesOf(app, await exported(app)), DATA_FORMAT.timeSeries)

describe('distances in the samples, beside a route without times', () => {
  // 1,201 points of a route are more than ten times as many as samples once a minute
  for (const step of [1, 15, 60]) {
    test(`are kept, and place the points of the route, once every ${step} s`, async () => {
      await using app = await testApp()
      expect((await restored(app, await archive(step))).json).toMatchObject({ success: true, warnings: [] })
      const cut = await app.call('POST', `/workouts/${id(1)}/recalculate-splits`)
      expect(cut.status).toBe(200)
      const detail = (await app.call('GET', `/workouts/${id(1)}`)).json
      for (const [index, seconds] of [240, 480, 420, 60].entries()) {
        expect(detail.splits[index].durationS).toBe(seconds)
      }
      expect(detail.route.coordinates).toHaveLength(points.length)
      const rows = await seriesOf(app)
      for (const { elapsedSeconds, distanceM } of distances(step)) {
        const row = rows.find((stored) => stored.elapsedMs === elapsedSeconds * 1000)
        expect(row?.distanceM).toBeCloseTo(distanceM, 2)
      }
      // the route is straight: a third of its latitude is a third of 3,300 m, and 100 m of the second kilometre take 48 s
      const [first, last] = [points[0]!, points.at(-1)!]
      const lat = first.lat! + (last.lat! - first.lat!) / 3
      const third = rows.filter((row) => row.lat !== null && row.lat! <= lat + 1e-9).at(-1)
      // its points lie 3 m of 3,600 m apart
      expect(Math.abs((third?.elapsedMs ?? 0) - 288_000)).toBeLessThan(1500)
    })
  }

  test('have times of their own: efforts are made of them, and a crop takes off what was run', async () => {
    await using app = await testApp()
    await restored(app, await archive(15))
    const { distances: records } = (await app.call('GET', '/stats/best-efforts')).json
    const kilometre = records.find(({ distance }: { distance: string }) => distance === '1K')
    expect(kilometre.timeS).toBe(240)
    const cropped = await app.call('POST', `/workouts/${id(1)}/crop`, { json: { removeFromEndSeconds: 60 } })
    expect(cropped.json.distanceM).toBeCloseTo(3000, 0)
  })
})

const withHeartRate = gpxFile({ points: straightPoints({ n: 1201, startMs: START_MS, hr: 150 }), creator: 'watch' })

test('a route-only workout whose original is imported later shows its heart rate; numbers and splits stay', async () => {
  await using app = await testApp()
  const path = `/workouts/${id(1)}`
  const zip = await archiveOf({
    'data/workouts.json': [workout(1, { shoeId: null, rawFileName: null, distanceM: 3600 })],
    'data/routes.json': [route(id(1))],
    'data/splits.json': splits(id(1)),
  })
  expect((await restored(app, zip)).json).toMatchObject({ success: true, statistics: { splits: counts(4) } })
  const before = (await app.call('GET', path)).json
  expect((await app.call('GET', `${path}/time-series`)).json.items[0]?.heartRateBpm ?? null).toBeNull()

  const answer = await app.upload('/workouts/import', [{ name: 'run.gpx', bytes: withHeartRate }])
  expect(answer.json).toMatchObject({ action: 'updated', id: id(1) })
  const series = (await app.call('GET', `${path}/time-series`)).json
  expect(series.items.map((item: { heartRateBpm: number }) => item.heartRateBpm)).toContain(150)
  const { json: samples } = await app.call('GET', `${path}/samples`)
  expect(JSON.stringify(samples)).toContain('150')
  const after = (await app.call('GET', path)).json
  for (const kept of ['distanceM', 'durationS', 'avgPaceS', 'splits'] as const)
    expect(after[kept]).toEqual(before[kept])
})

describe('an own archive whose samples lost their positions', () => {
  async function lost(): Promise<{ zip: Uint8Array; ids: string[]; details: Row[] }> {
    await using app = await testApp()
    const ids = await library(app)
    const details: Row[] = []
    for (const of of ids) details.push((await app.call('GET', `/workouts/${of}`)).json)
    const entries = await entriesOf(app, await exported(app))
    const rows: Row[] = dataOf(entries, DATA_FORMAT.timeSeries)
    for (const row of rows) if (String(row.workoutId) === ids[0]) Object.assign(row, { lat: null, lon: null })
    const bytes = new TextEncoder().encode(JSON.stringify(rows))
    return { zip: await zipOf(new Map(entries).set(DATA_FORMAT.timeSeries, bytes)), ids, details }
  }

  test('gets them from the route and is reported with its id', async () => {
    const { zip, ids, details } = await lost()
    await using app = await testApp()
    const { json } = await restored(app, zip)
    expect(json.warnings).toEqual([
      `Workouts whose samples lost their positions, which are taken from the route: ${ids[0]}`,
    ])
    expect(json.statistics).toMatchObject({ workouts: counts(2), routes: counts(2) })
    const detail = (await app.call('GET', `/workouts/${ids[0]}`)).json
    expect(detail).toMatchObject({ hasRoute: true, distanceM: details[0]?.distanceM, splits: details[0]?.splits })
    // 3 m/s all the way: the middle of the route was reached in the middle of the run
    const rows = (await seriesOf(app)).filter((row) => String(row.workoutId) === ids[0] && row.lat !== null)
    expect(Math.abs((rows[600]?.elapsedMs ?? 0) - 600_000)).toBeLessThan(1000)
  })
})

test('what could not be restored is counted: every group adds up to the rows of the archive', async () => {
  await using app = await testApp()
  const bad = (n: number) => workout(n, { shoeId: null, StartedAt: 'never', rawFileName: null })
  const files = {
    'data/workouts.json': [bad(1), workout(2, { shoeId: null, rawFileName: null }), { name: 'no id' }],
    'data/routes.json': [route(id(1)), route(id(2)), route(id(3))],
    'data/splits.json': [...splits(id(1)), ...splits(id(2)), ...splits(id(2)).slice(0, 1), ...splits(id(3))],
    'data/time-series.json': [...heartRates(id(1), 60), ...heartRates(id(2), 60), { workoutId: id(1) }],
    'data/media-metadata.json': [{ id: id(800), workoutId: id(1), filename: 'a.jpg' }],
    [`workouts/${id(1)}/raw/a.gpx`]: withHeartRate,
    [`workouts/${id(2)}/raw/b.gpx`]: 'b',
    [`workouts/${id(2)}/raw/c.gpx`]: 'c',
    [`workouts/${id(9)}/raw/d.gpx`]: 'd',
  }
  const { client } = { client: app.deps.db.$client }
  const sums = async () => {
    const { statistics } = (await restored(app, await archiveOf(files))).json
    return Object.fromEntries(
      Object.entries(statistics as Record<string, Record<string, number>>).map(
        ([group, { imported, skipped, errors }]) => [group, imported! + skipped! + errors!],
      ),
    )
  }
  const rows = {
    ...{ settings: 1, shoes: 0, workouts: 3, routes: 3, splits: 13, timeSeries: 43, media: 1, bestEfforts: 0 },
    rawFiles: 4,
  }
  // a workout whose rows the database refuses
  client.run("CREATE TRIGGER full BEFORE INSERT ON workout_split BEGIN SELECT RAISE(ABORT, 'refused'); END")
  expect(await sums()).toEqual(rows)
  client.run('DROP TRIGGER full')
  expect(await sums()).toEqual(rows)
  // and once more, now that one is there
  expect(await sums()).toEqual(rows)
})
