// A small table or list can name one large file a thousand times: each file of an export is read for one run.
import { expect, test } from 'bun:test'
import { testApp } from '../../app.ts'
import { stravaCsv } from '../../fixtures/csv.ts'
import { jpeg } from '../../fixtures/media.ts'
import { runkeeperGpx, runkeeperTable } from '../../fixtures/runkeeper.ts'
import { endurainRow, fitTrackeeRow } from '../../fixtures/self-hosted.ts'
import { knownRuns } from '../../fixtures/service-runs.ts'
import { zipUpload } from '../../fixtures/strava-zip.ts'
import { PATH } from './exports.ts'

const RUNS = knownRuns(3)
const [RUN] = RUNS as [(typeof RUNS)[number]]

const three = (rowOf: (run: (typeof RUNS)[number]) => unknown) => JSON.stringify(RUNS.map(rowOf))
test.each(
  Object.entries({
    runkeeper: {
      'cardioActivities.csv': runkeeperTable(RUNS.map((run) => ({ run, gpx: 'a.gpx' }))),
      'a.gpx': runkeeperGpx(RUN),
    },
    fittrackee: {
      'user_workouts_data.json': three((run) => fitTrackeeRow(run, { file: 'a.gpx' })),
      'workout_files/a.gpx': runkeeperGpx(RUN),
    },
    endurain: {
      'counts.json': '{}',
      'data/activities.json': three((run) => endurainRow(run, { id: 7 })),
      'activity_files/7.gpx': runkeeperGpx(RUN),
    },
  }),
)('%s: a file that three rows name is read for the first', async (kind, files) => {
  await using app = await testApp()
  const { json } = await app.upload(PATH, [zipUpload(files)])
  expect(json).toMatchObject({ kind, successful: 1, skipped: 2, errors: 0 })
  const { items } = (await app.ok('GET', `/receipts/${json.receiptId}`)).items
  const reasons = items.map(({ reason }: { reason: string | null }) => reason)
  expect(reasons).toEqual(expect.arrayContaining(Array(2).fill('An earlier row names the same file')))
})

test('Strava: a photo that several rows name is added to the first', async () => {
  const when = (id: number) => ({ 'Activity ID': id, 'Activity Date': `Nov ${id}, 2025, 7:00:00 AM` })
  const what = { 'Activity Type': 'Run', 'Elapsed Time': 1800, Distance: 5, Media: 'media/a.jpg' }
  const csv = stravaCsv([1, 2, 3].map((id) => ({ ...when(id), ...what })))
  await using app = await testApp()
  const file = zipUpload({ 'activities.csv': csv, 'media/a.jpg': jpeg() })
  const { json } = await app.upload('/workouts/import/bulk', [file])
  expect(json).toMatchObject({ successful: 3, mediaImported: 1 })
})
