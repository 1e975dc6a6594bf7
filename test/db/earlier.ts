import { Database } from 'bun:sqlite'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const MIGRATIONS = join(import.meta.dir, '../../src/db/migrations')

/** An empty database as a program left it whose newest migration was this one. */
export function earlierDatabase(schema: number, path = ':memory:'): Database {
  const client = new Database(path, { create: true, strict: true })
  for (const file of readdirSync(MIGRATIONS).toSorted().slice(0, schema)) {
    client.run(readFileSync(join(MIGRATIONS, file), 'utf8'))
  }
  client.run(`PRAGMA user_version = ${schema}`)
  return client
}
