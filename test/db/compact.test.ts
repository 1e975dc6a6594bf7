import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDb } from '../../src/db/open.ts'
import { workouts } from '../../src/db/schema.ts'
import { LIBRARIES, unpacked } from '../library/net/library.ts'
import { tempFolder } from '../temp-folder.ts'

const folder = tempFolder()

const pragma = (client: Database, name: string) => Object.values(client.query(`PRAGMA ${name}`).get() as object)[0]

/** The library of schema 8 of the fixture. */
function oldLibrary(name: string): string {
  const path = join(folder, name)
  writeFileSync(path, unpacked(LIBRARIES['0008']).get('harrier.sqlite')!)
  return path
}

test('an old library gets small pages and binary previews, once, and its rows keep their content', () => {
  const path = oldLibrary('old.sqlite')
  const before = new Database(path)
  const rowsOf = (client: Database, sql: string) => client.query(sql).all()
  const splits = 'SELECT * FROM workout_split ORDER BY workout_id, idx'
  const efforts =
    'SELECT workout_id, distance_index, time_ms, start_ms, id, calculated_at FROM workout_best_effort ORDER BY 1, 2'
  const kept = { splits: rowsOf(before, splits), efforts: rowsOf(before, efforts) }
  const previews = before
    .query<{ id: string; preview: string | null }, []>('SELECT id, route_preview AS preview FROM workout ORDER BY id')
    .all()
  const oldPageBytes = pragma(before, 'page_size')
  before.close()
  const { size } = statSync(path)

  const db = openDb(path)
  const { $client: client } = db
  expect([oldPageBytes, pragma(client, 'page_size'), pragma(client, 'journal_mode')]).toEqual([4096, 1024, 'wal'])
  expect([pragma(client, 'freelist_count'), pragma(client, 'integrity_check')]).toEqual([0, 'ok'])
  expect({ splits: rowsOf(client, splits), efforts: rowsOf(client, efforts) }).toEqual(kept)
  expect(
    db.select({ id: workouts.id, preview: workouts.routePreview }).from(workouts).orderBy(workouts.id).all(),
  ).toEqual(previews.map(({ id, preview }) => ({ id, preview: preview === null ? null : JSON.parse(preview) })))
  expect(previews.filter(({ preview }) => preview !== null).length).toBeGreaterThan(10)
  expect(client.query("SELECT 1 FROM workout WHERE typeof(route_preview) = 'text'").all()).toEqual([])
  const { later } = client
    .query<{ later: number }, []>(
      "SELECT sum(pgsize) AS later FROM dbstat WHERE name GLOB '*ground*' OR name GLOB '*place*' OR name GLOB '*media_stated*' OR name GLOB '*pair*' OR name GLOB '*merge*' OR name GLOB '*sync*'",
    )
    .get()!
  client.close()
  // with documents, which that library had not; less the pages of tables that are empty in it
  expect(statSync(path).size - later).toBeLessThan(0.9 * size)

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
