import type { Database } from 'bun:sqlite'
import schema from './migrations/0001_schema.sql' with { type: 'text' }
import engine6 from './migrations/0002_engine_6.sql' with { type: 'text' }
import plainNames from './migrations/0003_plain_names.sql' with { type: 'text' }
import changes from './migrations/0004_changes.sql' with { type: 'text' }
import keptAnswers from './migrations/0005_kept_answers.sql' with { type: 'text' }
import keysAndCalendar from './migrations/0006_keys_and_calendar.sql' with { type: 'text' }
import share from './migrations/0007_share.sql' with { type: 'text' }

/** In order; entries are only added. */
export const MIGRATIONS: readonly string[] = [schema, engine6, plainNames, changes, keptAnswers, keysAndCalendar, share]

/** `user_version` before the first one; the programs before 1.0 counted from 1. */
const BEFORE = 1000

/** The `user_version` of an up-to-date database. */
export const SCHEMA_VERSION = BEFORE + MIGRATIONS.length

/**
 * Applies the migrations that a database lacks, each in one transaction. Foreign keys are off meanwhile, since
 * rebuilding a table with them on deletes its child rows.
 * @param migrating called before an older database is migrated, with its schema and the present one
 * @throws Error when the database is newer than this program or older than 1.0, or a migration leaves dangling references
 */
export function migrate(
  client: Database,
  migrating?: (from: number, to: number) => void,
  migrations: readonly string[] = MIGRATIONS,
): void {
  const version = client.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version ?? 0
  const newest = BEFORE + migrations.length
  if (version > newest) {
    throw new Error(`The database was written by a newer Harrier (schema ${version}, this one knows ${newest})`)
  }
  if (version > 0 && version <= BEFORE) {
    throw new Error(
      'The database is of a Harrier before 1.0: export the library with that one, and restore the archive with this one on an empty DATA_DIR',
    )
  }
  if (version === newest) return
  if (version > 0) migrating?.(version, newest)
  client.run('PRAGMA foreign_keys = OFF')
  for (const [index, sql] of migrations.entries()) {
    if (BEFORE + index < version) continue
    client.transaction(() => {
      client.run(sql)
      const dangling = client.query('PRAGMA foreign_key_check').all()
      if (dangling.length > 0) throw new Error(`Migration ${index + 1} leaves ${dangling.length} dangling references`)
      client.run(`PRAGMA user_version = ${BEFORE + index + 1}`)
    })()
  }
}
