import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { openDb } from '../../src/db/open.ts'
import { workouts } from '../../src/db/schema.ts'
import { tempFolder } from '../temp-folder.ts'

const folder = tempFolder()

const pragma = (client: Database, name: string) => Object.values(client.query(`PRAGMA ${name}`).get() as object)[0]

test('a library with large pages gets small ones, once, and keeps its rows', () => {
  const path = join(folder, 'old.sqlite')
  const old = new Database(path)
  old.run('CREATE TABLE before (x INTEGER, y TEXT)')
  old.run(
    "WITH n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 500) INSERT INTO before SELECT x, 'y' FROM n",
  )
  old.run('DELETE FROM before WHERE x > 250')
  expect(pragma(old, 'page_size')).toBe(4096)
  old.close()
  const { $client: client } = openDb(path)
  expect([pragma(client, 'page_size'), pragma(client, 'journal_mode')]).toEqual([1024, 'wal'])
  expect([pragma(client, 'freelist_count'), pragma(client, 'integrity_check')]).toEqual([0, 'ok'])
  expect(client.query('SELECT count(*) AS n, sum(x) AS sum FROM before').get()).toEqual({ n: 250, sum: 31_375 })
  client.close()
  const written = statSync(path).mtimeMs
  openDb(path).$client.close()
  expect(statSync(path).mtimeMs).toBe(written)
})

test('a new library has small pages from the start', () => {
  const { $client: client } = openDb(join(folder, 'new.sqlite'))
  expect([pragma(client, 'page_size'), pragma(client, 'journal_mode')]).toEqual([1024, 'wal'])
  client.close()
})

test('a library that another process reads is opened as it is, and gets small pages at a later start', () => {
  const path = join(folder, 'read.sqlite')
  const old = new Database(path)
  old.run('CREATE TABLE before (x INTEGER)')
  old.run('PRAGMA journal_mode = WAL')
  const reader = new Database(path, { readonly: true })
  reader.run('BEGIN')
  reader.query('SELECT * FROM before').all()
  old.close()
  const { $client: client } = openDb(path)
  expect([pragma(client, 'page_size'), pragma(client, 'journal_mode')]).toEqual([4096, 'wal'])
  expect(client.query('SELECT count(*) AS n FROM workout').get()).toEqual({ n: 0 })
  client.close()
  reader.run('COMMIT')
  reader.close()
  const { $client: again } = openDb(path)
  expect(pragma(again, 'page_size')).toBe(1024)
  again.close()
})

test('a preview that the bytes cannot hold, or that is still JSON text, reads the same', () => {
  const db = openDb(':memory:')
  const odd = [[1.0000001, 2]]
  const row = {
    id: 'w',
    startedAt: 1,
    createdAt: 1,
    durationS: 1,
    distanceM: 1,
    avgPaceS: 1,
    searchText: '',
    nameKey: '',
  }
  const rest = { splitsCount: 0, hasTimeSeriesHr: false, engineVersion: 1, splitUnitM: 1000 }
  db.insert(workouts)
    .values({ ...row, ...rest, routePreview: odd })
    .run()
  const read = () => db.select({ preview: workouts.routePreview }).from(workouts).get()
  expect(read()).toEqual({ preview: odd })
  db.$client.run("UPDATE workout SET route_preview = '[[1.5,2.5],[3.5,4.5]]'")
  expect(read()).toEqual({
    preview: [
      [1.5, 2.5],
      [3.5, 4.5],
    ],
  })
})
