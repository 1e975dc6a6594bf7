import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { migrate, SCHEMA_VERSION } from '../../src/db/migrate.ts'
import { openDb } from '../../src/db/open.ts'
import * as schema from '../../src/db/schema.ts'
import * as account from '../../src/db/schema-account.ts'
import * as documents from '../../src/db/schema-documents.ts'
import * as efforts from '../../src/db/schema-efforts.ts'
import * as ground from '../../src/db/schema-ground.ts'
import * as receipts from '../../src/db/schema-receipts.ts'
import * as training from '../../src/db/schema-training.ts'
import * as watch from '../../src/db/schema-watch.ts'

const tables: readonly SQLiteTable[] = Object.values({
  ...{ ...account, ...documents, ...efforts, ...training, ...receipts, ...watch, ...ground, ...schema },
}).filter((value) => is(value, SQLiteTable))

interface ColumnInfo {
  name: string
  type: string
  notnull: number
  pk: number
}

describe('the tables are those of schema.ts', () => {
  const client = new Database(':memory:')
  migrate(client)

  test('no table is missing on either side', () => {
    const migrated = client
      .query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .all()
    expect(migrated.map(({ name }) => name).sort()).toEqual(tables.map((table) => getTableConfig(table).name).sort())
  })

  for (const table of tables) {
    const config = getTableConfig(table)
    test(`${config.name}: columns, keys, references and indexes`, () => {
      const columns = client.query<ColumnInfo, []>(`PRAGMA table_info(${config.name})`).all()
      const keys = new Set(config.primaryKeys.flatMap((key) => key.columns.map((column) => column.name)))
      // A key is never null; SQLite says so of all but an integer primary key, which is the rowid.
      const described = columns.map(({ name, type, notnull, pk }) => ({
        name,
        type,
        notNull: notnull === 1 || pk > 0,
        key: pk > 0,
      }))
      expect(described).toEqual(
        config.columns.map((column) => {
          const key = column.primary || keys.has(column.name)
          return { name: column.name, type: column.getSQLType().toUpperCase(), notNull: column.notNull || key, key }
        }),
      )
      const references = client
        .query<{ from: string; table: string; on_delete: string }, []>(`PRAGMA foreign_key_list(${config.name})`)
        .all()
      const byColumn = (a: { from: string }, b: { from: string }) => a.from.localeCompare(b.from)
      const referred = references.map(({ from, table, on_delete }) => ({ from, table, onDelete: on_delete }))
      const stated = config.foreignKeys.map((key) => {
        const { columns: own, foreignTable } = key.reference()
        const onDelete = (key.onDelete ?? 'no action').toUpperCase()
        return { from: own[0]!.name, table: getTableConfig(foreignTable).name, onDelete }
      })
      expect(referred.sort(byColumn)).toEqual(stated.sort(byColumn))
      const indexes = client
        .query<{ name: string; origin: string }, []>(`PRAGMA index_list(${config.name})`)
        .all()
        .filter(({ origin }) => origin === 'c')
      expect(indexes.map(({ name }) => name).sort()).toEqual(config.indexes.map(({ config: { name } }) => name).sort())
      const strict = client.query('SELECT strict FROM pragma_table_list WHERE name = ?').get(config.name)
      expect(strict).toEqual({ strict: 1 })
    })
  }
})

test('a database that is up to date is left as it is, one of a newer program is refused', () => {
  const client = new Database(':memory:')
  migrate(client)
  client.run("INSERT INTO shoe VALUES ('s', 'b', 'm', null, 1, 1, null, null)")
  migrate(client)
  expect(client.query('PRAGMA user_version').get()).toEqual({ user_version: SCHEMA_VERSION })
  expect(client.query('SELECT id FROM shoe').all()).toEqual([{ id: 's' }])
  client.run(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`)
  expect(() => migrate(client)).toThrow('newer Harrier')
})

test('foreign keys are enforced after opening, and a second user is refused', () => {
  const { $client: client } = openDb(':memory:')
  const key = "INSERT INTO api_key (id, user_id, key_hash, key_prefix, created_at) VALUES ('k', 'nobody', 'h', 'p', 1)"
  expect(() => client.run(key)).toThrow('FOREIGN KEY')
  const insert = (name: string) =>
    client.run('INSERT INTO user (id, username, password_hash, created_at) VALUES (?, ?, ?, 1)', [name, name, 'h'])
  insert('a')
  expect(() => insert('b')).toThrow('UNIQUE')
})

test('later migrations are applied in turn, each whole or not at all, and are announced', () => {
  const client = new Database(':memory:')
  migrate(client)
  const steps: unknown[] = []
  const [more, broken] = ['ALTER TABLE shoe ADD COLUMN colour TEXT', 'ALTER TABLE shoe ADD COLUMN colour INTEGER']
  const dangling =
    "INSERT INTO api_key (id, user_id, key_hash, key_prefix, created_at) VALUES ('k', 'nobody', 'h', 'p', 1)"
  for (const [last, reason] of [
    [broken, 'duplicate column'],
    [dangling, 'leaves 1 dangling references'],
  ] as const) {
    const applied = () => migrate(client, (...step) => steps.push(step), ['', more, last])
    expect(applied).toThrow(reason)
    expect(client.query('PRAGMA user_version').get()).toEqual({ user_version: SCHEMA_VERSION + 1 })
  }
  expect(client.query('SELECT * FROM api_key').all()).toEqual([])
  expect(client.query('SELECT colour FROM shoe').all()).toEqual([])
  expect(steps[0]).toEqual([SCHEMA_VERSION, SCHEMA_VERSION + 2])
})

test('a database of a program before 1.0 is refused, and stays as it is', () => {
  const client = new Database(':memory:')
  client.run('PRAGMA user_version = 45')
  expect(() => migrate(client)).toThrow('before 1.0')
  expect(client.query("SELECT name FROM sqlite_schema WHERE type = 'table'").all()).toEqual([])
})
