// Container paths match whole segments.
import { expect, test } from 'bun:test'
import { workouts } from '../../src/db/schema.ts'
import { safeName } from '../../src/zip/entry-name.ts'
import { testApp } from '../app.ts'
import { stravaCsv } from '../fixtures/csv.ts'
import { fitRun } from '../fixtures/runs.ts'
import { buildZip } from '../fixtures/zip-builder.ts'

const CSV = stravaCsv([
  {
    'Activity ID': 1,
    'Activity Date': 'Nov 1, 2025, 7:00:00 AM',
    'Activity Type': 'Run',
    'Elapsed Time': 600,
    'Distance#2': 1800,
    Filename: 'activities/1.fit',
  },
])

test('a sibling folder whose name begins alike is outside', async () => {
  await using app = await testApp()
  const bytes = buildZip([
    { name: 'export/activities.csv', data: CSV },
    { name: 'export-old/activities/1.fit', data: fitRun() },
    { name: 'exportactivities/1.fit', data: fitRun() },
  ])
  const { json } = await app.upload('/workouts/import/bulk', [{ name: 'strava.zip', bytes }])
  expect(json).toMatchObject({ totalProcessed: 1, successful: 0, errors: 1 })
  expect(json.errorDetails[0]).toMatchObject({
    filename: 'activities/1.fit',
    error: expect.stringContaining('missing'),
  })
  expect(app.deps.db.select().from(workouts).all()).toEqual([])
})

test('the folder itself is inside', async () => {
  await using app = await testApp()
  const bytes = buildZip([
    { name: 'export/activities.csv', data: CSV },
    { name: 'export/activities/1.fit', data: fitRun() },
  ])
  const { json } = await app.upload('/workouts/import/bulk', [{ name: 'strava.zip', bytes }])
  expect(json).toMatchObject({ successful: 1, errors: 0 })
})

test('two dots are refused as a segment, not as a part of a name', () => {
  expect(safeName('activities/../1.fit')).toBeNull()
  expect(safeName('activities/..1.fit')).toBe('activities/..1.fit')
  expect(safeName('activities/1..fit')).toBe('activities/1..fit')
})
