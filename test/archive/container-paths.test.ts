import { expect, test } from 'bun:test'
import { testApp } from '../app.ts'
import { stravaCsv } from '../fixtures/csv.ts'
import { fitRun } from '../fixtures/runs.ts'
import { buildZip } from '../fixtures/zip-builder.ts'

test('a folder of a container is a whole segment: siblings whose names begin alike are outside', async () => {
  const row = { 'Activity ID': 1, 'Activity Date': 'Nov 1, 2025, 7:00:00 AM', 'Activity Type': 'Run' }
  const csv = stravaCsv([{ ...row, 'Elapsed Time': 600, 'Distance#2': 1800, Filename: 'activities/1.fit' }])
  const outside = ['export-old/activities/1.fit', 'exportactivities/1.fit']
  await using app = await testApp()
  for (const [names, successful] of [[outside, 0] as const, [['export/activities/1.fit'], 1] as const]) {
    const files = names.map((name) => ({ name, data: fitRun() }))
    const bytes = buildZip([{ name: 'export/activities.csv', data: csv }, ...files])
    const { json } = await app.upload('/workouts/import/bulk', [{ name: 'strava.zip', bytes }])
    expect(json).toMatchObject({ totalProcessed: 1, successful, errors: 1 - successful })
    if (successful === 0) expect(json.errorDetails[0].error).toContain('missing')
    expect((await app.ok('GET', '/workouts')).totalCount).toBe(successful)
  }
})
