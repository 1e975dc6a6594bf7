// An Apple Health export through the real server, which is killed again and again.
import { test } from 'bun:test'
import { join } from 'node:path'
import { appleExport, appleRuns } from '../../fixtures/apple-export.ts'
import { zipUpload } from '../../fixtures/strava-zip.ts'
import { tempFolder } from '../../temp-folder.ts'
import { expectSurvivesKills } from '../killed.ts'

const folder = tempFolder()

test('killed in the middle, the import repeated has every run once, and all of its files', async () => {
  const runs = appleRuns(200, 100)
  const query = `SELECT started_at AS startMs, duration_s AS seconds, distance_m AS metres, avg_heart_rate_bpm AS heartRate
     FROM workout ORDER BY started_at`
  const truth = runs.map(({ startMs, seconds, metres, heartRate }) => ({ startMs, seconds, metres, heartRate }))
  await expectSurvivesKills(zipUpload(appleExport(runs)), { dataDir: join(folder, 'data'), kills: 5, query, truth })
}, 300_000)
