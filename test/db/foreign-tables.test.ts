import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate, SCHEMA_VERSION } from '../../src/db/migrate.ts'
import { openDb } from '../../src/db/open.ts'
import { testApp } from '../app.ts'
import { exported, restored } from '../archive/archives.ts'
import { fitRun } from '../fixtures/runs.ts'

/** As Litestream 0.5 makes them in a database that it replicates. */
const TABLES = `
  CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER);
  CREATE TABLE _litestream_lock (id INTEGER);
  INSERT INTO _litestream_seq VALUES (1, 42);
`
const seq = (client: Database) => client.query('SELECT id, seq FROM _litestream_seq').all()

test('every migration leaves the tables of a replicator alone', () => {
  const client = new Database(':memory:', { strict: true })
  client.run(TABLES)
  migrate(client)
  expect(client.query('PRAGMA user_version').get()).toEqual({ user_version: SCHEMA_VERSION })
  expect(seq(client)).toEqual([{ id: 1, seq: 42 }])
})

test('they are not part of an archive', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'harrier-replicated-'))
  const path = join(folder, 'harrier.sqlite')
  const db = openDb(path)
  db.$client.run(TABLES)
  {
    await using app = await testApp({ db })
    await app.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun() }])
    const archive = await exported(app)
    expect(Buffer.from(archive).includes('_litestream')).toBe(false)
    await using target = await testApp()
    expect((await restored(target, archive)).json).toMatchObject({ success: true })
    expect(seq(db.$client)).toEqual([{ id: 1, seq: 42 }])
  }
  rmSync(folder, { recursive: true, force: true })
})
