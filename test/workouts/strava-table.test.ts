import { describe, expect, test } from 'bun:test'
import { readdirSync, statSync } from 'node:fs'
import { testApp } from '../app.ts'
import { stravaCsv } from '../fixtures/csv.ts'
import { gpxRun, START_MS } from '../fixtures/runs.ts'

// docs/api.md 7.2: Strava's activities.csv alone, one workout a Run row by the rules of 7.3.

/** A run of Strava's table on a day of November 2025 at 07:00:00. */
function row(day: number, more: Readonly<Record<string, string | number>> = {}) {
  return {
    'Activity ID': day,
    'Activity Date': `Nov ${day}, 2025, 7:00:00 AM`,
    'Activity Name': `Run ${day}`,
    'Activity Type': 'Run',
    'Elapsed Time#2': 600,
    'Distance#2': 1800,
    ...more,
  }
}

async function sent(rows: readonly Readonly<Record<string, string | number>>[]) {
  const app = await testApp()
  const answer = await app.upload('/workouts/import', [{ name: 'activities.csv', bytes: stravaCsv(rows) }])
  return { app, ...answer, [Symbol.asyncDispose]: app.close }
}

test('a bad row is its own error, named, and costs the others nothing', async () => {
  await using answer = await sent([
    row(1),
    row(2, { 'Activity Date': 'some day' }),
    row(3, { 'Activity Date': 'Jan 1, 1970, 7:00:00 AM' }),
    row(4, { 'Elapsed Time#2': 0 }),
    row(5, { 'Distance#2': 0 }),
    row(6, { 'Activity Type': 'Ride' }),
    row(7),
  ])
  expect(answer.status).toBe(200)
  expect(answer.json).toMatchObject({ totalProcessed: 6, successful: 2, errors: 4, skippedOther: 1 })
  expect(answer.json.errorDetails.map(({ error }: { error: string }) => error)).toEqual([
    'The date of the run Run 2 cannot be read',
    'The run starts on 1970-01-01, which is before 1990: the clock of the watch was not set',
    'The run Run 4 has no duration',
    'The run Run 5 has no distance',
  ])
})

describe('numbers that are not a measurement', () => {
  for (const [field, error] of [
    ['Elapsed Time#2', 'The run Run 1 has no duration'],
    ['Distance#2', 'The run Run 1 has no distance'],
  ] as const) {
    test(`as ${field} refuse the row`, async () => {
      await using answer = await sent([row(1, { [field]: '1e30' })])
      expect([answer.status, answer.json]).toEqual([400, { error }])
    })
  }

  test('elsewhere are none', async () => {
    await using answer = await sent([
      row(1, { 'Elevation Gain': '1e300', 'Elevation Low': '-1e300', 'Max Speed': 1e12 }),
    ])
    const { json } = await answer.app.call('GET', `/workouts/${answer.json.id}`)
    expect(json).toMatchObject({ elevGainM: null, minElevM: null, maxSpeedMps: null })
  })
})

test('a row is skipped when a workout started in the same second, whatever its distance and duration', async () => {
  await using app = await testApp()
  const start = new Date(START_MS)
  expect(start.toISOString()).toBe('2025-11-01T07:00:00.000Z')
  const run = await app.upload('/workouts/import', [{ name: 'a.gpx', bytes: gpxRun({ startMs: START_MS + 250 }) }])
  const table = stravaCsv([row(1, { 'Elapsed Time#2': 640, 'Distance#2': 1850 })])
  const again = await app.upload('/workouts/import', [{ name: 'activities.csv', bytes: table }])
  expect(again.json).toMatchObject({ action: 'skipped', id: run.json.id, durationS: run.json.durationS })
  const later = stravaCsv([row(1, { 'Activity Date': 'Nov 1, 2025, 7:00:01 AM' })])
  const other = await app.upload('/workouts/import', [{ name: 'activities.csv', bytes: later }])
  expect(other.json.action).toBe('created')
})

test('the workouts of one table share its bytes on the disk', async () => {
  await using answer = await sent([row(1), row(2), row(3)])
  expect(answer.json).toMatchObject({ successful: 3 })
  const folder = `${answer.app.deps.config.dataDir}/files/raw`
  const originals = readdirSync(folder).filter((name) => !name.endsWith('.zst'))
  expect(originals).toHaveLength(3)
  expect(new Set(originals.map((name) => statSync(`${folder}/${name}`).ino)).size).toBe(1)
  expect(readdirSync(`${answer.app.deps.config.dataDir}/tmp`)).toEqual([])
})

test('a row that cannot be written costs the others nothing, and no file of it is left', async () => {
  await using app = await testApp()
  app.deps.db.$client.run(
    "CREATE TRIGGER broken BEFORE INSERT ON workout WHEN NEW.name = 'Run 2' BEGIN SELECT RAISE(ABORT, 'disk'); END",
  )
  const bytes = stravaCsv([row(1), row(2), row(3)])
  const { status, json } = await app.upload('/workouts/import', [{ name: 'activities.csv', bytes }])
  expect(status).toBe(200)
  expect(json).toMatchObject({ totalProcessed: 3, successful: 2, errors: 1 })
  expect(json.errorDetails).toEqual([{ filename: 'activities.csv', error: 'The run could not be stored' }])
  expect(readdirSync(`${app.deps.config.dataDir}/files/raw`)).toHaveLength(2)
})
