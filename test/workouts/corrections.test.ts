// What a file states wrongly is corrected, and every correction is said: by the import, its receipt and the run.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../app.ts'
import { BOTH_FEET, bothFeetFit, bothFeetGpx } from '../fixtures/both-feet.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { zipUpload } from '../fixtures/strava-zip.ts'
import { watchedFolder } from '../watch/watched.ts'

const DAY_MS = 86_400_000

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app.close())

const warned = (filename: string) => ({ filename, message: BOTH_FEET.reason })
const receiptWarnings = async (id: string) => (await app.ok('GET', `/receipts/${id}`)).warnings
const imported = async (...names: string[]) =>
  (
    await app.upload(
      '/workouts/import',
      names.map((name, day) => ({ name, bytes: bothFeetGpx({ startMs: START_MS + day * DAY_MS }) })),
    )
  ).json

describe('an import says what was corrected', () => {
  test('in its answer and its receipt; of a file with nothing to correct, or a duplicate, nothing', async () => {
    const { warnings, receiptId } = await imported('a.gpx')
    expect(warnings).toEqual([warned('a.gpx')])
    expect(await receiptWarnings(receiptId)).toEqual([warned('a.gpx')])
    const again = await imported('a.gpx')
    expect([again.action, again.warnings, await receiptWarnings(again.receiptId)]).toEqual(['skipped', [], []])
    const good = await app.upload('/workouts/import', [
      { name: 'good.fit', bytes: fitRun({ startMs: START_MS + DAY_MS }) },
    ])
    expect(good.json.warnings).toEqual([])
  })

  test('of several files, by name', async () => {
    const { successful, warnings, receiptId } = await imported('a.gpx', 'b.gpx')
    expect([successful, warnings]).toEqual([2, [warned('a.gpx'), warned('b.gpx')]])
    expect(await receiptWarnings(receiptId)).toEqual(warnings)
  })

  test('of a body that is one file', async () => {
    const { json } = await app.call('POST', '/workouts/import/raw?name=raw.fit', { body: bothFeetFit().slice() })
    expect(json.warnings).toEqual([warned('raw.fit')])
  })

  test('of a Strava export and a ZIP of files, and a preview of that', async () => {
    const row =
      'Activity Date,Activity Name,Activity Type,Elapsed Time,Distance,Filename\n' +
      '"Nov 1, 2025, 7:00:00 AM",Row,Run,600,1.8,activities/a.gpx\n'
    const bulk = zipUpload({ 'activities.csv': row, 'activities/a.gpx': bothFeetGpx() })
    const strava = (await app.upload('/workouts/import/bulk', [bulk])).json
    expect(strava.warnings).toEqual([warned('activities/a.gpx')])
    expect(await receiptWarnings(strava.receiptId)).toEqual(strava.warnings)
    const zip = zipUpload({
      'runs/b.gpx': bothFeetGpx({ startMs: START_MS + DAY_MS }),
      'runs/c.fit': fitRun({ startMs: START_MS + 2 * DAY_MS }),
    })
    const preview = (await app.upload('/workouts/import/archive', [zip], { dryRun: 'true' })).json
    const { warnings, receiptId } = (await app.upload('/workouts/import/archive', [zip])).json
    expect([preview.warnings, warnings]).toEqual([[warned('runs/b.gpx')], [warned('runs/b.gpx')]])
    expect(await receiptWarnings(receiptId)).toEqual(warnings)
  })

  test('of a watched file in the receipt of its round, and when it is read again', async () => {
    await using watched = await watchedFolder()
    watched.put('a.gpx', bothFeetGpx())
    await watched.settle()
    const [file] = await watched.files()
    const receipt = await watched.app.ok('GET', `/receipts/${file.receiptId}`)
    expect(receipt.warnings).toEqual([warned('a.gpx')])
    await watched.app.ok('DELETE', `/workouts/${file.workoutIds[0]}`)
    const again = await watched.app.ok('POST', `/watch-folder/files/${file.id}/import`)
    expect([again.action, again.warnings]).toEqual(['created', [warned('a.gpx')]])
  })
})
