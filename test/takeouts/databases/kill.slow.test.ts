// Databases of other programs through the real server, which is killed again and again.
import { test } from 'bun:test'
import { join } from 'node:path'
import { HealthConnectDb, WorkoutTrackerDb } from '../../db/databases.ts'
import { knownRuns } from '../../fixtures/service-runs.ts'
import { zipUpload } from '../../fixtures/strava-zip.ts'
import { tempFolder } from '../../temp-folder.ts'
import { expectSurvivesKills } from '../killed.ts'

const folder = tempFolder()
const RUNS = knownRuns(200, 100)
const query = 'SELECT started_at AS startMs, duration_s AS seconds FROM workout ORDER BY started_at DESC'
const truth = RUNS.map(({ startMs, seconds }) => ({ startMs, seconds }))

function filled(database: HealthConnectDb | WorkoutTrackerDb): Uint8Array {
  database.client.run('BEGIN')
  for (const run of RUNS) database.run(run)
  database.client.run('COMMIT')
  return database.bytes()
}

test.each([
  ['health-connect', () => zipUpload({ 'health_connect_export.db': filled(new HealthConnectDb()) })],
  ['workout-tracker', () => ({ name: 'database.db', bytes: filled(new WorkoutTrackerDb()) })],
] as const)(
  'a database of %s',
  (kind, make) => expectSurvivesKills(make(), { dataDir: join(folder, kind), kills: 4, query, truth }),
  300_000,
)
