import { Database } from 'bun:sqlite'
import { type Db, dbOf, openDb } from '../../src/db/open.ts'

let template: Buffer | null = null

/** A new database in memory, as `openDb(':memory:')` makes it; migrations run once for all tests of the process. */
export function memoryDb(): Db {
  if (template === null) {
    const db = openDb(':memory:')
    template = db.$client.serialize()
    return db
  }
  return copyOfDb(template)
}

/** @param serialized by SQLite */
export function copyOfDb(serialized: Buffer): Db {
  const client = Database.deserialize(serialized, { strict: true })
  client.run('PRAGMA foreign_keys = ON')
  return dbOf(client)
}
