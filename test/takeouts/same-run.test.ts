import { expect, test } from 'bun:test'
import { testApp } from '../app.ts'
import { appleExport, appleRuns } from '../fixtures/apple-export.ts'
import { fitRun, gpxRun, START_MS } from '../fixtures/runs.ts'
import { zipUpload } from '../fixtures/strava-zip.ts'
import { buildZip } from '../fixtures/zip-builder.ts'
import { PATH } from './exports.ts'

// One run that a Garmin recorded, Strava wrote anew, and a phone in the pocket recorded as well.

const table = `Activity ID,Activity Date,Activity Name,Activity Type,Filename,Elapsed Time,Distance
1,"Nov 1, 2025, 7:00:01 AM",Morning,Run,activities/1.gpx,600,1.8`
const [someday] = appleRuns(1)
const EXPORTS = [
  zipUpload({ 'activities.csv': table, 'activities/1.gpx': gpxRun({ startMs: START_MS + 1000 }) }),
  zipUpload({
    'DI_CONNECT/DI-Connect-Uploaded-Files/UploadedFiles_0-_Part1.zip': buildZip([{ name: '1.fit', data: fitRun() }]),
  }),
  zipUpload(appleExport([{ ...someday!, startMs: START_MS - 2000, seconds: 603, metres: 1809, heartRate: 141 }])),
]

test('where recordings of one run are merged, a run of three exports is one with the recordings of all', async () => {
  await using app = await testApp()
  await app.ok('PUT', '/settings/second-recording', { mode: 'merge' })
  const importAll = async () => {
    const summaries = []
    for (const file of EXPORTS) summaries.push((await app.upload(PATH, [file])).json)
    return summaries
  }
  expect(await importAll()).toMatchObject([
    { successful: 1, merged: 0 },
    { successful: 0, updated: 1, merged: 1 },
    { successful: 0, updated: 1, merged: 1 },
  ])
  const { items } = await app.ok('GET', '/workouts')
  expect(items).toHaveLength(1)
  const { recordings } = await app.ok('GET', `/workouts/${items[0].id}/sources`)
  // of Strava its file and its row
  const origins = ['apple_health', 'garmin_takeout', 'strava_archive', 'strava_archive']
  expect(recordings.map(({ origin }: { origin: string }) => origin).toSorted()).toEqual(origins)
  const again = await importAll()
  expect(again.map(({ successful }) => successful)).toEqual([0, 0, 0])
  expect((await app.ok('GET', '/workouts')).items).toHaveLength(1)
})
