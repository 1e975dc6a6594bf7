import { expect, test } from 'bun:test'
import { type TestFile, testApp } from '../../app.ts'
import { endurainRow, fitTrackeeRow } from '../../fixtures/self-hosted.ts'
import { knownRuns } from '../../fixtures/service-runs.ts'
import { zipUpload } from '../../fixtures/strava-zip.ts'
import { PATH } from './exports.ts'

const RUNS = knownRuns(8)
const BOM = '\uFEFF'

const garminRow = ({ startMs, seconds, speedMps, number }: (typeof RUNS)[number]) => ({
  ...{ activityId: number, activityType: 'running', beginTimestamp: startMs, name: `A "quoted" [${number}` },
  ...{ duration: seconds * 1000, distance: seconds * speedMps * 100, splits: [{ a: [1] }] },
})

const list = (rows: string) => `[${rows}]`
/** Rows of an export, its JSON around them, and the file that holds such a text. */
const KINDS: readonly [kind: string, rows: readonly object[], around: typeof list, (json: string) => TestFile][] = [
  [
    ...([
      'garmin_takeout',
      RUNS.map(garminRow),
      (rows: string) => `[{"summarizedActivitiesExport":[${rows}]}]`,
    ] as const),
    (json) => zipUpload({ 'DI_CONNECT/DI-Connect-Fitness/me_0_summarizedActivities.json': json }),
  ],
  ['fittrackee', RUNS.map((run) => fitTrackeeRow(run)), list, (json) => zipUpload({ 'user_workouts_data.json': json })],
  [
    ...(['endurain', RUNS.map((run) => endurainRow(run)), list] as const),
    (json) => zipUpload({ 'counts.json': '{}', 'data/activities.json': json }),
  ],
]

test.each(KINDS)('%s: a list that is cut keeps the runs before, and says so', async (kind, rows, around, fileOf) => {
  const texts = rows.map((row) => JSON.stringify(row))
  const whole = around(texts.join(','))
  const ends = texts.map((_, k) => around(texts.slice(0, k + 1).join(',')).indexOf(texts[k]!) + texts[k]!.length)
  await using app = await testApp()
  for (let part = 1; part < 64; part += 1) {
    const at = Math.floor((whole.length * part) / 64)
    const { status, json } = await app.upload(PATH, [fileOf(whole.slice(0, at))], { dryRun: 'true' })
    const kept = ends.filter((end) => end <= at).length
    if (kept > 0) expect(json).toMatchObject({ kind, successful: kept, errors: 0 })
    if (kept > 0) expect(json.warnings.map(({ message }: { message: string }) => message)).toEqual([CUT])
    else expect(JSON.stringify([status, json.error, json.warnings, json.errorDetails])).toMatch(NOTHING)
  }
  const { json } = await app.upload(PATH, [fileOf(BOM + whole)])
  expect(json).toMatchObject({ kind, successful: 8, errors: 0, warnings: [] })
})

const NOTHING = /cut off|has neither|not an export/
const CUT = 'The file is cut off: only what is before that was read'

test('a file without the list that it should have is named', async () => {
  await using app = await testApp()
  const { json } = await app.upload(PATH, [zipUpload({ 'user_workouts_data.json': '{"workouts":[]}' })])
  expect(json).toMatchObject({ kind: 'fittrackee', successful: 0 })
  expect(json.warnings).toEqual([{ filename: 'user_workouts_data.json', message: 'The file does not have its list' }])
})
