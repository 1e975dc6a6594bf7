// A database as it is opened, written and waited for.
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { migrate, SCHEMA_VERSION } from '../../src/db/migrate.ts'
import { openDb, openExistingDb } from '../../src/db/open.ts'
import { insertRow } from '../../src/db/prepared.ts'
import { workouts } from '../../src/db/schema.ts'
import { commitUnsynced, syncLog } from '../../src/db/transactions.ts'
import { testApp } from '../app.ts'
import { exported, restored } from '../archive/archives.ts'
import { fitRun } from '../fixtures/runs.ts'
import { tempFolder } from '../temp-folder.ts'

const folder = tempFolder()

const pragma = (client: Database, name: string) => Object.values(client.query(`PRAGMA ${name}`).get() as object)[0]
const FULL = 2

test('a new library has small pages from the start, and a commit waits for the disk on every way of opening it', () => {
  const path = join(folder, 'new.sqlite')
  for (const { $client: client } of [openDb(path), openExistingDb(path)]) {
    expect(['page_size', 'journal_mode', 'synchronous'].map((name) => pragma(client, name))).toEqual([
      1024,
      'wal',
      FULL,
    ])
    client.close()
  }
})

const RUN = {
  ...{ startedAt: 1_700_000_000_000, createdAt: 1, durationS: 600, distanceM: 1800.25, avgPaceS: 333.3 },
  ...{ searchText: '', nameKey: '', splitsCount: 0, hasTimeSeriesHr: true, engineVersion: 2 },
  ...{ routePreview: null, notes: null },
}

test('a row is inserted as drizzle inserts it: defaults, JSON, booleans, and null that is not JSON', () => {
  const db = openDb(':memory:')
  const run = { ...RUN, hrZoneSeconds: [1, 2, 3, 4, 5] }
  insertRow(db, workouts, { ...run, id: 'ours' })
  db.insert(workouts)
    .values({ ...run, id: 'theirs' })
    .run()
  const [ours, theirs] = db.$client.query<Record<string, unknown>, []>('SELECT * FROM workout ORDER BY id').all()
  expect(ours).toEqual({ ...theirs, id: 'ours' })
  const stored = { route_preview: null, left_out: 0, has_time_series_hr: 1, hr_zone_seconds: '[1,2,3,4,5]' }
  expect(ours).toMatchObject(stored)
})

test('previews come back to the last bit, wherever they are', () => {
  const db = openDb(':memory:')
  const routePreview = [
    [-180, -90],
    [180, 90],
    [0, 0],
    [-0.00001, 0.00001],
    [179.99999, -89.99999],
  ]
  db.insert(workouts)
    .values({ ...RUN, id: 'w', routePreview })
    .run()
  expect(db.select({ preview: workouts.routePreview }).from(workouts).get()).toEqual({ preview: routePreview })
})

test('only the work itself commits without waiting for the disk, also when it fails; the log can be waited for', async () => {
  const db = openDb(join(folder, 'log.sqlite'))
  const mode = () => pragma(db.$client, 'synchronous')
  const fails = () => {
    throw new Error('it failed')
  }
  expect([mode(), commitUnsynced(db, mode), mode()]).toEqual([FULL, 1, FULL])
  expect(() => commitUnsynced(db, fails)).toThrow('it failed')
  expect(mode()).toBe(FULL)
  for (let time = 0; time < 2; time += 1) {
    commitUnsynced(db, () => db.$client.run('UPDATE training_state SET revision = revision + 1'))
    await syncLog(db)
    db.$client.run('PRAGMA wal_checkpoint(TRUNCATE)')
  }
  db.$client.close()
  // a database in memory has none
  expect(await syncLog(openDb(':memory:'))).toBeUndefined()
})

/** As Litestream 0.5 makes them in a database that it replicates. */
const TABLES = `
  CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER);
  CREATE TABLE _litestream_lock (id INTEGER);
  INSERT INTO _litestream_seq VALUES (1, 42);
`

test('the tables of a replicator are left alone by every migration, and are not part of an archive', async () => {
  const client = new Database(':memory:', { strict: true })
  client.run(TABLES)
  migrate(client)
  expect(pragma(client, 'user_version')).toBe(SCHEMA_VERSION)
  const db = openDb(join(folder, 'replicated.sqlite'))
  db.$client.run(TABLES)
  await using app = await testApp({ db })
  await app.run(fitRun())
  const archive = await exported(app)
  expect(Buffer.from(archive).includes('_litestream')).toBe(false)
  await using target = await testApp()
  expect((await restored(target, archive)).json).toMatchObject({ success: true })
  for (const one of [client, db.$client])
    expect(one.query('SELECT id, seq FROM _litestream_seq').all()).toEqual([{ id: 1, seq: 42 }])
})
