import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { commitUnsynced, syncLog } from '../../src/db/log-sync.ts'
import { type Db, openDb } from '../../src/db/open.ts'
import { tempFolder } from '../temp-folder.ts'

const root = tempFolder()

const FULL = 2
const NORMAL = 1
const mode = ({ $client }: Db) => $client.query<{ synchronous: number }, []>('PRAGMA synchronous').get()?.synchronous

test('only the work itself commits without waiting for the disk, also when it fails', () => {
  const db = openDb(join(root, 'a.sqlite'))
  expect(mode(db)).toBe(FULL)
  expect(commitUnsynced(db, () => mode(db))).toBe(NORMAL)
  expect(mode(db)).toBe(FULL)
  expect(() =>
    commitUnsynced(db, () => {
      throw new Error('it failed')
    }),
  ).toThrow('it failed')
  expect(mode(db)).toBe(FULL)
  db.$client.close()
})

test('the log can be waited for again and again, and a database in memory has none', async () => {
  const db = openDb(join(root, 'b.sqlite'))
  commitUnsynced(db, () => db.$client.run('UPDATE training_state SET revision = revision + 1'))
  await syncLog(db)
  db.$client.run('PRAGMA wal_checkpoint(TRUNCATE)')
  commitUnsynced(db, () => db.$client.run('UPDATE training_state SET revision = revision + 1'))
  await syncLog(db)
  db.$client.close()
  const memory = openDb(':memory:')
  expect(await syncLog(memory)).toBeUndefined()
  memory.$client.close()
})
