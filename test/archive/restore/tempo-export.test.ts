import { beforeAll, describe, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../app.ts'
import { png } from '../../fixtures/media.ts'
import { fitRun, gpxRun, START_MS } from '../../fixtures/runs.ts'
import { DATA_FORMAT, dataOf, type Entries, entriesOf, exported } from '../archives.ts'
import { pascal } from './tempo-archive.ts'

// docs/api.md 12.1: the fields of every data file and the types that an old reader of Tempo parses them with.

const isInteger = (value: unknown) => Number.isInteger(value)
const isNumber = (value: unknown) => typeof value === 'number'
const isText = (value: unknown) => typeof value === 'string'
const isUuid = (value: unknown) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(String(value))
const isTime = (value: unknown) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/.test(String(value))
const isNull = (value: unknown) => value === null
const isEmptyList = (value: unknown) => JSON.stringify(value) === '[]'
const isObject = (value: unknown) => JSON.stringify(value).startsWith('{')
const isJsonText = (value: unknown) => isText(value) && isObject(JSON.parse(String(value)))
const or = (one: (value: unknown) => boolean) => (value: unknown) => value === null || one(value)

type Table = Readonly<Record<string, (value: unknown) => boolean>>

const TABLES: Readonly<Record<keyof typeof DATA_FORMAT, Table>> = {
  settings: {
    ...{ id: isUuid, calculationMethod: isInteger, age: or(isInteger), restingHeartRateBpm: or(isInteger) },
    maxHeartRateBpm: or(isInteger),
    ...Object.fromEntries(
      [1, 2, 3, 4, 5].flatMap((k) => [`zone${k}MinBpm`, `zone${k}MaxBpm`].map((z) => [z, isInteger])),
    ),
    ...{ unitPreference: isText, defaultShoeId: or(isUuid), createdAt: isTime, updatedAt: isTime, defaultShoe: isNull },
  },
  shoes: {
    ...{
      id: isUuid,
      brand: isText,
      model: isText,
      initialMileageM: or(isNumber),
      createdAt: isTime,
      updatedAt: isTime,
    },
    workouts: isEmptyList,
  },
  workouts: {
    ...{ id: isUuid, startedAt: isTime, createdAt: isTime, durationS: isInteger, movingTimeS: or(isInteger) },
    ...{ distanceM: isNumber, avgPaceS: isInteger, elevGainM: or(isNumber), elevLossM: or(isNumber) },
    ...{ minElevM: or(isNumber), maxElevM: or(isNumber), maxSpeedMps: or(isNumber), avgSpeedMps: or(isNumber) },
    ...{ maxHeartRateBpm: or(isInteger), avgHeartRateBpm: or(isInteger), minHeartRateBpm: or(isInteger) },
    ...{ maxCadenceRpm: or(isInteger), avgCadenceRpm: or(isInteger), maxPowerWatts: or(isInteger) },
    ...{ avgPowerWatts: or(isInteger), calories: or(isInteger), relativeEffort: or(isInteger), rpe: or(isInteger) },
    ...{ runType: or(isText), name: or(isText), notes: or(isText), source: or(isText), device: or(isText) },
    ...{ shoeId: or(isUuid), rawFileName: or(isText), rawFileType: or(isText), rawFileData: isNull },
    ...{ rawGpxData: or(isObject), rawFitData: or(isObject), rawStravaData: or(isObject), weather: or(isJsonText) },
    ...{ shoe: isNull, route: isNull, splits: isEmptyList, media: isEmptyList, timeSeries: isEmptyList },
  },
  routes: { id: isUuid, workoutId: isUuid, routeGeoJson: isObject },
  splits: {
    ...{ id: isUuid, workoutId: isUuid, idx: isInteger, distanceM: isNumber, durationS: isInteger, paceS: isInteger },
    workout: isNull,
  },
  timeSeries: {
    ...{ id: isUuid, workoutId: isUuid, elapsedSeconds: isInteger, distanceM: or(isNumber) },
    ...{ heartRateBpm: or(isInteger), cadenceRpm: or(isInteger), powerWatts: or(isInteger), speedMps: or(isNumber) },
    ...{ gradePercent: or(isNumber), elevationM: or(isNumber), temperatureC: or(isInteger) },
    ...{ verticalSpeedMps: or(isNumber), workout: isNull },
  },
  mediaMetadata: {
    ...{ id: isUuid, workoutId: isUuid, filename: isText, mimeType: isText, fileSizeBytes: isInteger },
    ...{ caption: or(isText), createdAt: isTime, workout: isNull },
  },
  bestEfforts: {
    ...{ id: isUuid, distance: isText, distanceM: isNumber, timeS: isInteger, workoutId: isUuid },
    ...{ workoutDate: isTime, calculatedAt: isTime, workout: isNull },
  },
}

const WEATHER = JSON.stringify({ source: 'open_meteo', temperature: 11.5 })

async function library(app: TestApp): Promise<void> {
  const shoe = (await app.call('POST', '/shoes', { json: { brand: 'B', model: 'M', initialMileageM: 10.5 } })).json.id
  await app.call('PUT', '/settings/default-shoe', { json: { defaultShoeId: shoe } })
  const files = [
    { name: 'a.fit', bytes: fitRun({ seconds: 700, speedMps: 3.3 }) },
    { name: 'b.gpx', bytes: gpxRun({ startMs: START_MS + 1e7, seconds: 600 }) },
    {
      name: 'c.csv',
      bytes: `time,distance,hr,cadence,power,temperature,ele\n${[0, 1, 2, 3]
        .map((n) => `2025-11-11T06:0${n}:00.250Z,${n * 170.5},14${n}.6,8${n}.5,250.4,11.7,4${n}.25`)
        .join('\n')}`,
    },
    {
      name: 'activities.csv',
      bytes:
        'Activity ID,Activity Date,Activity Name,Activity Type,Elapsed Time,Distance,Calories,Filename\n' +
        '1,"Nov 9, 2025, 7:00:00 AM",Without file,Run,1800,5.2,301.7,\n',
    },
  ]
  for (const file of files) expect((await app.upload('/workouts/import', [file])).status).toBe(200)
  const [{ id }] = (await app.call('GET', '/workouts')).json.items
  await app.upload(`/workouts/${id}/media`, [{ name: 'a.png', bytes: png() }], { caption: 'c' })
  app.deps.db.$client.query('UPDATE workout SET weather = ? WHERE id = ?').run(WEATHER, id)
}

let entries: Entries
beforeAll(async () => {
  await using app = await testApp()
  await library(app)
  entries = await entriesOf(app, await exported(app))
})

describe('every row of an export has what the earlier service reads, in the types that it reads', () => {
  for (const [kind, table] of Object.entries(TABLES)) {
    test(kind, () => {
      const data = dataOf(entries, DATA_FORMAT[kind as keyof typeof DATA_FORMAT])
      const rows: Record<string, unknown>[] = Array.isArray(data) ? data : [data]
      expect(rows.length).toBeGreaterThan(0)
      for (const row of rows) {
        const wrong = Object.entries(table).filter(([field, isOf]) => !(field in row) || !isOf(row[field]))
        expect(wrong.map(([field]) => `${field}: ${JSON.stringify(row[field])}`)).toEqual([])
      }
    })
  }

  test('and no field whose name, ignoring case, another has', () => {
    for (const path of Object.values(DATA_FORMAT)) {
      const data = dataOf(entries, path)
      for (const row of Array.isArray(data) ? data : [data]) {
        expect(new Set(Object.keys(row).map(pascal)).size).toBe(Object.keys(row).length)
      }
    }
  })
})

test('what is in the rows is really there: values of every type, weather as text, an original with its type', () => {
  const workouts: Record<string, unknown>[] = dataOf(entries, DATA_FORMAT.workouts)
  expect(workouts.map((row) => row.rawFileType).sort()).toEqual(['csv', 'csv', 'fit', 'gpx'])
  expect(workouts.filter((row) => row.weather !== null).map((row) => row.weather)).toEqual([WEATHER])
  expect(workouts.find((row) => row.calories !== null)).toMatchObject({ name: 'Without file', calories: 302 })
  const samples: Record<string, unknown>[] = dataOf(entries, DATA_FORMAT.timeSeries)
  expect(samples.find((row) => row.powerWatts !== null)).toMatchObject({ powerWatts: 250, temperatureC: 12 })
})
