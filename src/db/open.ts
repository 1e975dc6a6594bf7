import { Database } from 'bun:sqlite'
import { dirname } from 'node:path'
import { type BunSQLiteDatabase, drizzle } from 'drizzle-orm/bun-sqlite'
import { migrate, SCHEMA_VERSION } from './migrate.ts'
import * as runs from './schema.ts'
import * as account from './schema-account.ts'
import * as efforts from './schema-efforts.ts'
import * as receipts from './schema-receipts.ts'
import * as training from './schema-training.ts'
import * as watch from './schema-watch.ts'

/** Half a page of every long row is empty, and most of each of forty small tables and indexes. */
const PAGE_BYTES = 1024
/** After 4 MiB the log is folded into the database, which takes two syncs. */
const LOG_PAGES = 4096

const schema = { ...account, ...runs, ...efforts, ...training, ...receipts, ...watch }

type Drizzle = BunSQLiteDatabase<typeof schema>

/** The open database: drizzle for questions, `$client` for the few prepared bulk inserts. */
export type Db = Drizzle & { readonly $client: Database }

/** What a transaction callback is given; queries take it first, so that they work inside and outside of one. */
export type Tx = Parameters<Parameters<Drizzle['transaction']>[0]>[0] | Db

/**
 * Opens (and creates) the database and brings it up to the newest migration. What is committed is on the disk: a power cut
 * takes nothing away that somebody was told is stored.
 * @param path a file, or ':memory:'
 */
export function openDb(path: string): Db {
  const client = new Database(path, { create: true, strict: true })
  // first of all: the next line waits, too, when a backup or a process that is just ending holds the file
  client.run('PRAGMA busy_timeout = 5000')
  // of a new file; that of an old one changes in `compact`
  client.run(`PRAGMA page_size = ${PAGE_BYTES}`)
  client.run('PRAGMA journal_mode = WAL')
  client.run(`PRAGMA wal_autocheckpoint = ${LOG_PAGES}`)
  client.run('PRAGMA cache_size = -8192')
  // a migration that a power cut takes away is done once more
  client.run('PRAGMA synchronous = NORMAL')
  migrate(client)
  client.run('PRAGMA synchronous = FULL')
  compact(client)
  client.run('PRAGMA foreign_keys = ON')
  return drizzle(client, { schema })
}

/**
 * Writes a database of other pages anew, once, without what migrations left empty. Where that cannot be done, on a full
 * disk or while another process reads, it is as good as before, and the next start tries again.
 */
function compact(client: Database): void {
  const pageBytes = client.query<{ page_size: number }, []>('PRAGMA page_size').get()?.page_size
  if (pageBytes === PAGE_BYTES || client.filename === ':memory:') return
  try {
    // pages of a write-ahead log have the size that they have
    client.run('PRAGMA journal_mode = DELETE')
    client.run(`PRAGMA page_size = ${PAGE_BYTES}`)
    // where there is as much room again, which the system's folder may not have
    temporaryFilesIn(client, dirname(client.filename))
    client.run('VACUUM')
  } catch {
    // told by nobody: nothing is lost but space
  } finally {
    temporaryFilesIn(client, '')
    client.run('PRAGMA journal_mode = WAL')
  }
}

/** The connection that a transaction is one of; drizzle keeps it to itself, here as there. */
export function clientOf(tx: Tx): Database {
  return (tx as unknown as { readonly session: { readonly client: Database } }).session.client
}

/**
 * Has SQLite put what it writes for a while, sorts that do not fit and the like, into a folder of ours. It holds for all
 * databases of the process; where the folder is gone, SQLite takes the system's.
 */
export function putTemporaryFiles({ $client: client }: Db, folder: string): void {
  temporaryFilesIn(client, folder)
}

function temporaryFilesIn(client: Database, folder: string): void {
  client.run(`PRAGMA temp_store_directory = '${folder.replaceAll("'", "''")}'`)
}

/**
 * Opens a database that a server may be at work on, which alone brings it up to date.
 * @throws Error when the file does not exist, or is not at the newest migration
 */
export function openExistingDb(path: string): Db {
  const client = new Database(path, { create: false, readwrite: true, strict: true })
  try {
    client.run('PRAGMA busy_timeout = 5000')
    client.run('PRAGMA synchronous = FULL')
    expectNewest(client)
    client.run('PRAGMA foreign_keys = ON')
    return drizzle(client, { schema })
  } catch (error) {
    client.close()
    throw error
  }
}

/** The database as it is at one moment, whatever is written meanwhile; `closeSnapshot` lets it go. */
export type Snapshot = Db

/**
 * A second connection with one long read transaction: writers go on, and what they write stays in the write-ahead log
 * until the snapshot is closed. A database in memory, which has one connection only, is copied.
 * @param source an open database, or the path of one that another process may have open
 * @throws Error when the file is not at the newest migration
 */
export function openSnapshot(source: Db | string): Snapshot {
  const client = typeof source === 'string' ? new Database(source, { readonly: true, strict: true }) : copied(source)
  try {
    client.run('PRAGMA busy_timeout = 5000')
    client.run('PRAGMA cache_size = -4096')
    client.run('BEGIN')
    // the first read, not BEGIN, decides which moment it is
    client.query('SELECT count(*) FROM sqlite_schema').get()
    expectNewest(client)
    return drizzle(client, { schema })
  } catch (error) {
    client.close()
    throw error
  }
}

/** Ends the transaction first: a closed connection lives on as long as one of its statements is not collected. */
export function closeSnapshot({ $client: client }: Snapshot): void {
  client.run('COMMIT')
  client.close()
}

function expectNewest(client: Database): void {
  const version = client.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version
  if (version !== SCHEMA_VERSION) throw new Error('The database is of another version: start Harrier once, then retry')
}

function copied({ $client: client }: Db): Database {
  if (client.filename !== ':memory:') return new Database(client.filename, { readonly: true, strict: true })
  return Database.deserialize(client.serialize(), { strict: true })
}
