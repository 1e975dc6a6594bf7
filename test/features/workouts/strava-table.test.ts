import { expect, test } from 'bun:test'
import { readdirSync, statSync } from 'node:fs'
import { testApp } from '../../app.ts'
import { stravaCsv } from '../../fixtures/csv.ts'
import { gpxRun, START_MS } from '../../fixtures/runs.ts'

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

test('a bad row is its own error, named, and costs the others nothing; the others share the bytes of the table', async () => {
  await using answer = await sent([
    row(1),
    row(2, { 'Activity Date': 'some day' }),
    row(3, { 'Activity Date': 'Jan 1, 1970, 7:00:00 AM' }),
    row(4, { 'Elapsed Time#2': 0 }),
    row(5, { 'Distance#2': 0 }),
    row(6, { 'Activity Type': 'Ride' }),
    row(7),
  ])
  expect(answer.json).toMatchObject({ totalProcessed: 6, successful: 2, errors: 4, skippedOther: 1 })
  expect(answer.json.errorDetails.map(({ error }: { error: string }) => error)).toEqual([
    'The date of the run Run 2 cannot be read',
    'The run starts on 1970-01-01, which is before 1990: the clock of the watch was not set',
    'The run Run 4 has no duration',
    'The run Run 5 has no distance',
  ])
  const { dataDir } = answer.app.deps.config
  const files = readdirSync(`${dataDir}/files/raw`).filter((name) => !name.endsWith('.zst'))
  expect([files.length, new Set(files.map((name) => statSync(`${dataDir}/files/raw/${name}`).ino)).size]).toEqual([
    2, 1,
  ])
  expect(readdirSync(`${dataDir}/tmp`)).toEqual([])
})

test('a row is skipped when a workout started in the same second, whatever its distance and duration', async () => {
  await using app = await testApp()
  const run = await app.upload('/workouts/import', [{ name: 'a.gpx', bytes: gpxRun({ startMs: START_MS + 250 }) }])
  const table = stravaCsv([row(1, { 'Elapsed Time#2': 640, 'Distance#2': 1850 })])
  const again = await app.upload('/workouts/import', [{ name: 'activities.csv', bytes: table }])
  expect(again.json).toMatchObject({ action: 'skipped', id: run.json.id, durationS: run.json.durationS })
  const later = stravaCsv([row(1, { 'Activity Date': 'Nov 1, 2025, 7:00:01 AM' })])
  const other = await app.upload('/workouts/import', [{ name: 'activities.csv', bytes: later }])
  expect(other.json.action).toBe('created')
})
