// Databases of other programs through the real server, which is killed again and again.
import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HealthConnectDb, WorkoutTrackerDb } from '../../fixtures/databases.ts'
import { seededRandom } from '../../fixtures/knots.ts'
import { knownRuns } from '../../fixtures/service-runs.ts'
import { zipUpload } from '../../fixtures/strava-zip.ts'
import { oneFile, startServer } from '../../process/real-server.ts'
import { PATH } from '../services/expect-export.ts'

const KILLS = 4
const RUNS = knownRuns(200, 300)
const root = mkdtempSync(join(tmpdir(), 'harrier-databases-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

function rowsOf<Row>(dataDir: string, sql: string): Row[] {
  const db = new Database(join(dataDir, 'harrier.sqlite'))
  const rows = db.query<Row, []>(sql).all()
  db.close()
  return rows
}

const storedIn = (dataDir: string) =>
  rowsOf<{ startMs: number; seconds: number }>(
    dataDir,
    'SELECT started_at AS startMs, duration_s AS seconds FROM workout ORDER BY started_at',
  )

function filled<Made extends HealthConnectDb | WorkoutTrackerDb>(database: Made): Made {
  database.client.run('BEGIN')
  for (const run of RUNS) database.run(run)
  database.client.run('COMMIT')
  return database
}

test.each([
  ['health-connect', () => zipUpload({ 'health_connect_export.db': filled(new HealthConnectDb()).bytes() })],
  ['workout-tracker', () => ({ name: 'database.db', bytes: filled(new WorkoutTrackerDb()).bytes() })],
] as const)(
  `%s: killed ${KILLS} times in the middle, the import repeated has every run once, and all of its files`,
  async (kind, make) => {
    const { name, bytes } = make()
    const dataDir = join(root, kind)
    const random = seededRandom(25)
    let server = await startServer({ dataDir })
    const cookie = await server.login()
    const sent = () => server.call(PATH, oneFile(name, bytes), cookie)
    for (let kills = 0; kills < KILLS; kills += 1) {
      const importing = sent().catch(() => null)
      const before = storedIn(dataDir).length
      // the first one while the database is read
      const wanted = kills === 0 ? 0 : Math.min(before + 10 + random() * 20, RUNS.length)
      if (kills === 0) await Bun.sleep(100)
      while (storedIn(dataDir).length < wanted) await Bun.sleep(5)
      await server.end('SIGKILL')
      await importing
      server = await startServer({ dataDir })
      expect(readdirSync(join(dataDir, 'tmp')).filter((file) => !file.startsWith('etilqs'))).toEqual([])
    }
    const atKills = storedIn(dataDir).length
    expect(atKills).toBeWithin((KILLS - 1) * 10, RUNS.length)
    const last = await (await sent()).json()
    expect(last).toMatchObject({ successful: RUNS.length - atKills, skipped: atKills, errors: 0, warnings: [] })
    expect(storedIn(dataDir)).toEqual(RUNS.toReversed().map(({ startMs, seconds }) => ({ startMs, seconds })))
    expect(await (await sent()).json()).toMatchObject({ successful: 0, updated: 0, skipped: RUNS.length })
    await server.end('SIGTERM')
    const originals = rowsOf<{ storedAs: string }>(
      dataDir,
      'SELECT stored_as AS storedAs FROM recording WHERE stored_as IS NOT NULL',
    )
    const files = readdirSync(join(dataDir, 'files', 'raw')).filter((file) => !file.includes('.'))
    expect(files.toSorted()).toEqual(originals.map(({ storedAs }) => storedAs).toSorted())
  },
  300_000,
)
