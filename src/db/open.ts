import { Database } from 'bun:sqlite'
import { type BunSQLiteDatabase, drizzle } from 'drizzle-orm/bun-sqlite'
import { migrate } from './migrate.ts'
import * as schema from './schema.ts'

type Drizzle = BunSQLiteDatabase<typeof schema>

/** The open database: drizzle for questions, `$client` for the few prepared bulk inserts. */
export type Db = Drizzle & { readonly $client: Database }

/** What a transaction callback is given; queries take it first, so that they work inside and outside of one. */
export type Tx = Parameters<Parameters<Drizzle['transaction']>[0]>[0] | Db

/**
 * Opens (and creates) the database and brings it up to the newest migration.
 * @param path a file, or ':memory:'
 */
export function openDb(path: string): Db {
  const client = new Database(path, { create: true, strict: true })
  client.run('PRAGMA journal_mode = WAL')
  client.run('PRAGMA synchronous = NORMAL')
  client.run('PRAGMA busy_timeout = 5000')
  client.run('PRAGMA cache_size = -8192')
  migrate(client)
  client.run('PRAGMA foreign_keys = ON')
  return drizzle(client, { schema })
}
