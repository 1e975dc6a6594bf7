// Exports through the real server, which is killed in the middle; those of Garmin and Apple have tests of their own.
import { test } from 'bun:test'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { endurainRow, endurainStreams, gpxOf } from '../fixtures/self-hosted.ts'
import { type KnownRun, knownRuns } from '../fixtures/service-runs.ts'
import { zipUpload } from '../fixtures/strava-zip.ts'
import { buildZip } from '../fixtures/zip-builder.ts'
import { tempFolder } from '../temp-folder.ts'
import { expectSurvivesKills } from './killed.ts'

const folder = tempFolder()
const RUNS = knownRuns(150)
const query = 'SELECT started_at AS startMs, duration_s AS seconds FROM workout ORDER BY started_at DESC'
const truth = RUNS.map(({ startMs, seconds }) => ({ startMs, seconds }))
const third = (rest: number) => RUNS.filter(({ number }) => number % 3 === rest)

test('a ZIP of workout files', async () => {
  const gpx = (run: KnownRun) => [`${run.number}.gpx`, gpxOf(run)] as const
  const file = zipUpload({
    ...Object.fromEntries(third(0).map(gpx)),
    ...Object.fromEntries(third(1).map((run) => [`packed/${run.number}.gpx.gz`, gzipSync(gpxOf(run))])),
    'more.zip': buildZip(third(2).map((run) => ({ name: `${run.number}.gpx`, data: gpxOf(run), method: 8 }))),
  })
  await expectSurvivesKills(file, { dataDir: join(folder, 'zip'), kills: 4, query, truth })
}, 300_000)

test('an export of Endurain with files, streams and totals', async () => {
  const file = zipUpload({
    'counts.json': '{}',
    'data/activities.json': JSON.stringify(RUNS.map((run) => endurainRow(run))),
    'data/activity_streams.json': JSON.stringify(third(1).flatMap(endurainStreams)),
    ...Object.fromEntries(third(0).map((run) => [`activity_files/${run.number + 1}.gpx`, gpxOf(run)])),
  })
  await expectSurvivesKills(file, { dataDir: join(folder, 'endurain'), kills: 4, query, truth, sharesOriginals: true })
}, 300_000)
