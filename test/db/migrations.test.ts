import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { MIGRATIONS, migrate, SCHEMA_VERSION } from '../../src/db/migrate.ts'
import { openDb } from '../../src/db/open.ts'
import * as schema from '../../src/db/schema.ts'
import * as account from '../../src/db/schema-account.ts'
import * as documents from '../../src/db/schema-documents.ts'
import * as ground from '../../src/db/schema-ground.ts'
import * as receipts from '../../src/db/schema-receipts.ts'
import * as training from '../../src/db/schema-training.ts'

test('drizzle knows every table and column, and nothing else', () => {
  const client = new Database(':memory:')
  migrate(client)
  const columns = client.query<{ name: string; type: string; notnull: number; pk: number }, [string]>(
    'SELECT name, type, "notnull", pk FROM pragma_table_info(?)',
  )
  const tables = client.query<{ name: string; strict: number }, []>(
    "SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
  )
  // a key is never null, although SQLite says so of few
  const stored = tables.all().map(({ name, strict }) => ({
    ...{ name, strict },
    columns: columns.all(name).map(({ name, type, notnull, pk }) => [name, type, notnull === 1 || pk > 0]),
  }))
  const stated = Object.values({ ...account, ...documents, ...training, ...receipts, ...ground, ...schema })
    .filter((value) => is(value, SQLiteTable))
    .map((table) => getTableConfig(table))
    .map(({ name, columns }) => ({
      ...{ name, strict: 1 },
      columns: columns.map((column) => [column.name, column.getSQLType().toUpperCase(), column.notNull]),
    }))
  expect(stored).toEqual(stated.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
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
    const applied = () => migrate(client, (...step) => steps.push(step), [...MIGRATIONS, more, last])
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
