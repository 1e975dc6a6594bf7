// Numbers are made wrong in the database as if an older engine had derived them; afterwards all is as it was before.
import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { upgradeWorkouts } from '../../src/library/engine-upgrade.ts'
import { type TestApp, testApp } from '../app.ts'
import { archiveOf, restored } from '../archive/archives.ts'
import { tempoLibrary } from '../archive/restore/tempo-archive.ts'
import { corpusDir, corpusFile, corpusTest } from '../corpus.ts'
import { stravaCsv } from '../fixtures/csv.ts'
import { gpxFile, straightPoints } from '../fixtures/gpx.ts'
import { jpeg } from '../fixtures/media.ts'
import { hillyRun, START_MS } from '../fixtures/runs.ts'
import { zipUpload } from '../fixtures/strava-zip.ts'
import { steadyTcx, tcxFile } from '../fixtures/tcx.ts'
import { butUpdated } from '../fixtures/updated.ts'
import { lookUp } from '../fixtures/weather.ts'
import { countOf, refuse, removeRows, rowsOf, setRows } from './as-stored.ts'
import { everything, falsify, NEVER } from './falsified.ts'
import { done, stored } from './ledger.ts'

const DAY_MS = 86_400_000

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
async function expectUpgraded(app: TestApp, ids: readonly string[]) {
  const before = everything(app.deps)
  for (const id of ids) falsify(app.deps, id)
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

test('the numbers, splits and efforts that an archive of Tempo states are not made again', async () => {
  await using app = await testApp()
  expect((await restored(app, await archiveOf(tempoLibrary()))).json).toMatchObject({ success: true, errors: [] })
  const before = everything(app.deps)
  setRows(app.deps, 'workout', { engine_version: 0 })
  await upgradeWorkouts(app.deps, NEVER)
  expect(everything(app.deps)).toEqual(before)
})

test('rows that are the same are not written; those that are missing or wrong are put right, with their ids', async () => {
  await using app = await testApp()
  const id = await stored(app, 'a.fit', hillyFit(0))
  const detail = await done(app, `GET /workouts/${id}`)
  const rows = () => [rowsOf(app.deps, 'workout_split'), rowsOf(app.deps, 'workout_best_effort')]
  const before = rows()
  setRows(app.deps, 'workout', { engine_version: 0 })
  app.clock.nowMs += DAY_MS
  const written = refuse(app.deps, ['DELETE', 'workout_split'])
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
  expect(butUpdated([await done(app, `GET /workouts/${id}`), countOf(app.deps, 'workout_route')])).toEqual(
    butUpdated([detail, 1]),
  )
})
