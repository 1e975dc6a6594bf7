import { Database } from 'bun:sqlite'
import { rmSync } from 'node:fs'
import { type BunSQLiteDatabase, drizzle } from 'drizzle-orm/bun-sqlite'
import { migrate, SCHEMA_VERSION } from './migrate.ts'

/**
 * Small pages, since with larger ones half a page per long row and most of each of forty small tables and indexes stays
 * empty.
 */
const PAGE_BYTES = 1024
/** Prepared statements kept per connection; Bun's default is 20, and each further one is prepared at every call. */
const KEPT_STATEMENTS = 160
/**
 * After 1 MiB the write-ahead log is folded into the database (checkpoint): two syncs and at most 1,024 scattered pages,
 * which hold others up for 20 ms; with 4 MiB it is 40 to 60, and imports are no faster.
 */
const LOG_PAGES = 1024

/**
 * The open database: drizzle for queries that are written once, `$client` for SQL that is prepared once or that drizzle
 * cannot express (docs/architecture.md 4.3).
 */
export interface Db extends Omit<BunSQLiteDatabase, 'transaction'> {
  readonly $client: Database
  /** Called as the last work of each transaction. */
  ending: (tx: Tx) => void
  /**
   * Runs work in one transaction that writes from its beginning, and rolls it back when the work throws.
   * @param work synchronous; an await in it would end the transaction
   */
  transaction<T>(work: (tx: Tx) => T): T
}

/**
 * The database within a transaction, or without one: its only connection that writes. Queries take it first, so that they
 * work in both.
 */
export type Tx = Db

/** The database of a connection. Drizzle's own transaction would give its callback a second object, without `$client`. */
export function dbOf(client: Database): Db {
  const db: Db = Object.assign(drizzle(client), {
    ending: () => {},
    transaction: <T>(work: (tx: Tx) => T): T =>
      client
        .transaction(() => {
          const made = work(db)
          db.ending(db)
          return made
        })
        .immediate(),
  })
  return db
}

/**
 * Opens (and creates) the database and applies missing migrations. Committed data is synced to disk, so that a power
 * cut loses nothing that an answer has confirmed.
 * @param path a file, or ':memory:'
 * @param migrating called before an older database is migrated, with its schema and the present one
 */
export function openDb(path: string, migrating?: (from: number, to: number) => void): Db {
  Database.MAX_QUERY_CACHE_SIZE = KEPT_STATEMENTS
  const client = new Database(path, { create: true, strict: true })
  // first, since the next statements also wait when a backup or an ending process holds the file
  client.run('PRAGMA busy_timeout = 5000')
  // of a new file; that of an old one stays
  client.run(`PRAGMA page_size = ${PAGE_BYTES}`)
  client.run('PRAGMA journal_mode = WAL')
  client.run(`PRAGMA wal_autocheckpoint = ${LOG_PAGES}`)
  client.run('PRAGMA cache_size = -8192')
  // a migration lost to a power cut is simply applied again, so it needs no full sync
  client.run('PRAGMA synchronous = NORMAL')
  migrate(client, migrating)
  client.run('PRAGMA synchronous = FULL')
  client.run('PRAGMA foreign_keys = ON')
  return dbOf(client)
}

/**
 * Makes SQLite write its temporary files, such as sorts that do not fit into memory, to the given folder. It applies to
 * all databases of the process; when the folder is gone, SQLite uses the system's.
 */
export function putTemporaryFiles({ $client: client }: Db, folder: string): void {
  client.run(`PRAGMA temp_store_directory = '${folder.replaceAll("'", "''")}'`)
}

/**
 * Opens a database that a server may be using. It applies no migrations, since only the server does.
 * @throws Error when the file does not exist, or is not at the newest migration
 */
export function openExistingDb(path: string): Db {
  const client = new Database(path, { create: false, readwrite: true, strict: true })
  try {
    client.run('PRAGMA busy_timeout = 5000')
    client.run('PRAGMA synchronous = FULL')
    expectNewest(client)
    client.run('PRAGMA foreign_keys = ON')
    return dbOf(client)
  } catch (error) {
    client.close()
    throw error
  }
}

/** The database as at one moment, whatever is written meanwhile; must be closed with `closeSnapshot`. */
export type Snapshot = Db

/**
 * Opens a second connection with one long read transaction: writers continue, and what they write stays in the
 * write-ahead log until the snapshot is closed. A database in memory, which has only one connection, is copied.
 * @param source an open database, or the path of one that another process may have open
 * @throws Error when the file is not at the newest migration
 */
export function openSnapshot(source: Db | string): Snapshot {
  const client = typeof source === 'string' ? new Database(source, { readonly: true, strict: true }) : copied(source)
  try {
    client.run('PRAGMA busy_timeout = 5000')
    client.run('PRAGMA cache_size = -4096')
    client.run('BEGIN')
    // the first read, not BEGIN, fixes the moment of the snapshot
    client.query('SELECT count(*) FROM sqlite_schema').get()
    expectNewest(client)
    return dbOf(client)
  } catch (error) {
    client.close()
    throw error
  }
}

/**
 * Ends the transaction explicitly, since a closed connection lives on until all of its statements are garbage
 * collected. After a failed read of a damaged page it succeeds, but throws the error of that read again.
 */
export function closeSnapshot({ $client: client }: Snapshot): void {
  try {
    client.run('COMMIT')
  } catch (error) {
    if (client.inTransaction) throw error
  } finally {
    client.close()
  }
}

function expectNewest(client: Database): void {
  const version = client.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version
  if (version !== SCHEMA_VERSION) throw new Error('The database is of another version: start Harrier once, then retry')
}

function copied({ $client: client }: Db): Database {
  if (client.filename !== ':memory:') return new Database(client.filename, { readonly: true, strict: true })
  return Database.deserialize(client.serialize(), { strict: true })
}

/**
 * Copies a database that a server may be using, as at one moment and without unused pages.
 * @param path of a file that does not exist yet
 */
export function copyDatabase(from: string, path: string): void {
  const client = new Database(from, { readonly: true, strict: true })
  try {
    client.run('PRAGMA busy_timeout = 5000')
    client.query('VACUUM INTO ?').run(path)
  } finally {
    client.close()
  }
}

/** A temporary database for one piece of work that does not fit into memory. It is deleted afterwards. */
export interface Scratch {
  readonly client: Database
  /** Closes the database and removes its file. */
  close(): void
}

/**
 * Creates an empty temporary database without journal; it need not survive a crash.
 * @param path of a file that does not exist yet
 */
export function openScratch(path: string): Scratch {
  const client = new Database(path, { create: true, strict: true })
  const close = () => {
    client.close()
    rmSync(path, { force: true })
  }
  try {
    client.run('PRAGMA journal_mode = OFF')
    client.run('PRAGMA synchronous = OFF')
    client.run('PRAGMA locking_mode = EXCLUSIVE')
    client.run('PRAGMA cache_size = -8192')
  } catch (error) {
    close()
    throw error
  }
  return { client, close }
}
