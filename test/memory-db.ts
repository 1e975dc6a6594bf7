import { Database } from 'bun:sqlite'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { type Db, openDb } from '../src/db/open.ts'

let template: { readonly bytes: Buffer; readonly schema: Record<string, unknown> } | null = null

/** A new database in memory, as `openDb(':memory:')` makes it; migrations run once for all tests of the process. */
export function memoryDb(): Db {
  if (template === null) {
    const db = openDb(':memory:')
    template = { bytes: db.$client.serialize(), schema: db._.fullSchema }
    return db
  }
  const client = Database.deserialize(template.bytes, { strict: true })
  client.run('PRAGMA foreign_keys = ON')
  return drizzle(client, { schema: template.schema }) as unknown as Db
}
