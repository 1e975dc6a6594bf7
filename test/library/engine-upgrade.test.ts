// Numbers are made wrong in the database as if an older engine had derived them; afterwards all is as it was before.
import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { upgradeWorkouts } from '../../src/library/engine-upgrade.ts'
import { type TestApp, testApp } from '../app.ts'
import { archiveOf, exported, restored } from '../archive/archives.ts'
import * as tempo from '../archive/restore/tempo-archive.ts'
import { corpusDir, corpusFile, corpusTest } from '../corpus.ts'
import { stravaCsv } from '../fixtures/csv.ts'
import { gpxFile, straightPoints } from '../fixtures/gpx.ts'
import { jpeg } from '../fixtures/media.ts'
import { hillyRun, START_MS } from '../fixtures/runs.ts'
import { zipUpload } from '../fixtures/strava-zip.ts'
import { steadyTcx, tcxFile } from '../fixtures/tcx.ts'
import { lookUp } from '../fixtures/weather.ts'
import { countOf, refuse, removeRows, rowsOf, setRows } from './as-stored.ts'
import { ALL, everything, falsify, NEVER, type Ours } from './falsified.ts'
import { done, stored } from './ledger.ts'

const DAY_MS = 86_400_000

type Stored = ReturnType<typeof everything>

/** With totals of the device beside the samples. */
function hillyFit(day: number, more: Readonly<Record<string, number>> = {}): Uint8Array {
  const session = { calories: 300, totalDistanceM: 4222.22, avgHr: 141, ...more }
  return hillyRun(START_MS - day * DAY_MS, session)
}

function hillyGpx(day: number): Uint8Array {
  const points = straightPoints({ n: 1300, startMs: START_MS - day * DAY_MS })
  return gpxFile({
    points: points.map((point, t) => ({ ...point, ele: 400 + Math.round(80 * Math.sin(t / 40)) / 10 })),
  })
}

/** A row of Strava's table of a day of November 2025. */
const stravaRow = (day: number, more: Readonly<Record<string, string | number>> = {}) => ({
  ...{ 'Activity ID': day, 'Activity Date': `Nov ${day}, 2025, 7:00:00 AM`, 'Activity Type': 'Run' },
  ...{ 'Elapsed Time#2': 1800, 'Moving Time': 1700.4, 'Distance#2': 5012.345, 'Max Speed': 4.44444, Calories: 300.5 },
  ...{ 'Elevation Gain': 44.44, 'Elevation Loss': 41.06, 'Elevation Low': 3.25, 'Elevation High': 40.05 },
  ...{ 'Average Heart Rate': 150.4, 'Max Heart Rate#2': 171, ...more },
})

/** One of every kind of workout that files leave. */
async function library(app: TestApp): Promise<string[]> {
  await done(app, 'PUT /settings/heart-rate-zones', { calculationMethod: 'AgeBased', age: 33 })
  const tcx = tcxFile([steadyTcx({ n: 1300, startMs: START_MS - 3 * DAY_MS })])
  const ids = [
    await stored(app, 'hilly.fit', hillyFit(0)),
    await stored(app, 'hilly.gpx', hillyGpx(2)),
    await stored(app, 'lap.tcx', tcx),
    await stored(app, 'indoor.fit', hillyFit(4, { subSport: 1 })),
    await stored(app, 'miles.fit', hillyFit(5), { unitPreference: 'imperial' }),
    await stored(app, 'activities.csv', stravaCsv([stravaRow(9)])),
  ]
  const cropped = [await stored(app, 'a.fit', hillyFit(6)), await stored(app, 'a.gpx', hillyGpx(7))]
  for (const id of cropped) {
    await done(app, `POST /workouts/${id}/crop`, { removeFromStartSeconds: 123.4, removeFromEndSeconds: 60 })
  }
  // a file that knows neither heart rate nor climb, and a row that does
  const bare = straightPoints({ n: 900, startMs: Date.UTC(2025, 10, 11, 7) }).map(
    ({ ele: _e, hr: _h, ...point }) => point,
  )
  const rows = [stravaRow(11, { Filename: 'activities/11.gpx' })]
  const zip = zipUpload({ 'activities.csv': stravaCsv(rows), 'activities/11.gpx': gpxFile({ points: bare }) })
  expect((await app.upload('/workouts/import/bulk', [zip])).json.successful).toBe(1)
  const [edited] = ids
  const shoe = await done(app, 'POST /shoes', { brand: 'Brooks', model: 'Ghost' })
  const edits = { name: 'Mine', notes: 'good', rpe: 7, runType: 'Race', shoeId: shoe.id }
  await done(app, `PATCH /workouts/${edited}`, edits)
  await app.upload(`/workouts/${edited}/media`, [{ name: 'a.jpg', bytes: jpeg(99) }])
  lookUp(app.deps.db, edited!, { source: 'open_meteo', temperature: 11.5 })
  return storedIds(app)
}

const storedIds = ({ deps }: TestApp) => rowsOf(deps, 'workout ORDER BY started_at').map(({ id }) => String(id))

/** Every table row is what it was before its numbers were made wrong. */
async function expectUpgraded(
  app: TestApp,
  ids: readonly string[],
  { oursOf = () => ALL, before = everything(app.deps) }: { oursOf?: (id: string) => Ours; before?: Stored } = {},
) {
  for (const id of ids) falsify(app.deps, id, oursOf(id))
  const wrong = everything(app.deps)
  for (const id of ids)
    expect(wrong.workout!.find((row) => row.includes(id))).not.toBe(before.workout!.find((row) => row.includes(id)))
  await upgradeWorkouts(app.deps, NEVER)
  const after = everything(app.deps)
  for (const table of Object.keys(before)) expect(after[table], table).toEqual(before[table]!)
  expect(app.logged.filter((line) => line.startsWith('error'))).toEqual([])
}

describe('after the job every row is as it was before its numbers were falsified', () => {
  test('of files of every format, indoors, in miles, cropped, of summaries, of rows beside files, edited', async () => {
    await using app = await testApp()
    const ids = await library(app)
    expect(ids).toHaveLength(9)
    await expectUpgraded(app, ids)
    const units = rowsOf(app.deps, 'document', 'asked').map(({ asked }) => JSON.parse(String(asked)).splitUnitM)
    expect(units.filter((unit) => unit === 1609.344)).toHaveLength(1)
  })

  test('of an archive of our own', async () => {
    await using source = await testApp()
    await library(source)
    await using app = await testApp()
    expect((await restored(app, await exported(source))).json).toMatchObject({ success: true, errors: [] })
    // paces of splits arrive exactly
    expect(everything(app.deps).workout_split).toEqual(everything(source.deps).workout_split!)
    await expectUpgraded(app, storedIds(app))
  })

  test('of an archive of Tempo, with and without samples, with splits of its own and with splits of ours', async () => {
    await using app = await testApp()
    const entries = tempo.tempoLibrary()
    const ids = [1, 2, 3, 4].map(tempo.id)
    const of = (n: number, more = {}) => {
      const startedAt = `2024-06-0${n}T06:30:00.250Z`
      return tempo.workout(n, { StartedAt: startedAt, distanceM: 3600.4567, elevGainM: 12.345, ...more })
    }
    const zip = await archiveOf({
      ...entries,
      // the second has nothing but its numbers, splits and an effort, the third a route without times, the fourth no splits
      'data/workouts.json': [
        ...(entries['data/workouts.json'] as unknown[]),
        ...[of(2, { avgSpeedMps: 3.1, avgCadenceSpm: 171 }), of(3, { gapPaceS: 340 }), of(4)],
      ],
      'data/routes.json': [1, 3, 4].map((n) => tempo.route(tempo.id(n))),
      'data/splits.json': [1, 2, 3].flatMap((n) => tempo.splits(tempo.id(n))),
      'data/best-efforts.json': [1, 2].map((n) => ({
        ...{ id: tempo.id(600 + n), distance: '1K', distanceM: 1000, timeS: 200 + n, workoutId: tempo.id(n) },
        calculatedAt: '2024-07-01T00:00:00Z',
      })),
    })
    expect((await restored(app, zip)).json).toMatchObject({ success: true, errors: [] })
    expect(countOf(app.deps, 'archived_best_effort')).toBe(2)
    await done(app, `POST /workouts/${ids[2]}/recalculate-splits`)
    await done(app, `POST /workouts/${ids[2]}/recalculate-effort`)
    const oursOf = (id: string): Ours => ({ numbers: false, effort: id === ids[2], splits: id === ids[2] })
    await expectUpgraded(app, ids, { oursOf })

    // it stays an archive's on its way through an archive of ours, and is the engine's after a crop
    await using later = await testApp()
    expect((await restored(later, await exported(app))).json).toMatchObject({ success: true, errors: [] })
    await expectUpgraded(later, ids, { oursOf })
    await done(later, `POST /workouts/${ids[0]}/crop`, { removeFromStartSeconds: 10 })
    await expectUpgraded(later, [ids[0]!])
  })

  for (const folder of ['fit', 'fit-gz', 'gpx', 'csv'])
    corpusTest(`of the files of ${folder}/ of the corpus, and cut`, async () => {
      for (const name of readdirSync(join(corpusDir!, folder)).sort()) {
        await using app = await testApp({ env: { JWT_EXPIRATION_DAYS: '3650' } })
        app.clock.nowMs = Date.UTC(2026, 10, 1)
        const { status } = await app.upload('/workouts/import', [{ name, bytes: corpusFile(`${folder}/${name}`) }])
        if (status !== 200) expect(`${folder}/${name}`).toMatch(/^csv\/|opentracks/)
        await expectUpgraded(app, storedIds(app))
        for (const id of storedIds(app)) {
          const json = { removeFromStartSeconds: 60.5, removeFromEndSeconds: 30 }
          await app.call('POST', `/workouts/${id}/crop`, { json })
        }
        await expectUpgraded(app, storedIds(app))
      }
    })
})

test('rows that are the same are not written; those that are missing or wrong are put right, with their ids', async () => {
  await using app = await testApp()
  const id = await stored(app, 'a.fit', hillyFit(0))
  const detail = await done(app, `GET /workouts/${id}`)
  const rows = () => [rowsOf(app.deps, 'workout_split'), rowsOf(app.deps, 'workout_best_effort')]
  const before = rows()
  setRows(app.deps, 'workout', { engine_version: 0 })
  app.clock.nowMs += DAY_MS
  const written = refuse(app.deps, ['UPDATE', 'workout_split'])
  await upgradeWorkouts(app.deps, NEVER)
  expect(rows()).toEqual(before)
  expect(app.logged).toEqual(['info Deriving 1 runs again', 'info Derived the numbers of 1 workouts again'])

  written()
  setRows(app.deps, 'workout', { engine_version: 0 })
  setRows(app.deps, 'workout_best_effort', { time_ms: 1 }, { distance_index: 0 })
  await upgradeWorkouts(app.deps, NEVER)
  const [, efforts = []] = rows()
  expect(efforts.filter((effort) => effort.calculated_at === app.clock.nowMs)).toHaveLength(1)
  expect(efforts.map(({ id }) => id)).toEqual(before[1]!.map(({ id }) => id))

  for (const idx of [1, 3]) removeRows(app.deps, 'workout_split', { idx })
  removeRows(app.deps, 'workout_best_effort', { distance_index: 1 })
  removeRows(app.deps, 'workout_route')
  setRows(app.deps, 'workout', { engine_version: 0, splits_count: 3 })
  await upgradeWorkouts(app.deps, NEVER)
  const best = rowsOf(app.deps, 'workout_best_effort', 'distance_index', 'time_ms')
  expect(best.map(({ time_ms }) => time_ms)).toEqual(efforts.map(({ time_ms }) => time_ms!))
  expect([await done(app, `GET /workouts/${id}`), countOf(app.deps, 'workout_route')]).toEqual([detail, 1])
})
