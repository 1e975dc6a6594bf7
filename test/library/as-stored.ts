import type { Deps } from '../../src/library/deps.ts'

type Needs = Pick<Deps, 'db'>
type Value = string | number | null | Uint8Array
type Row = Readonly<Record<string, Value>>

/** Every row of a table, in the order of its columns that are named. */
export function rowsOf({ db }: Needs, table: string, ...columns: readonly string[]): Record<string, Value>[] {
  const [what, order] = columns.length === 0 ? ['*', ''] : [columns.join(', '), `ORDER BY ${columns.join(', ')}`]
  return db.$client.query<Record<string, Value>, []>(`SELECT ${what} FROM ${table} ${order}`).all()
}

export const countOf = (deps: Needs, table: string): number => rowsOf(deps, table).length

export function addRows({ db }: Needs, table: string, rows: readonly Row[]): void {
  const columns = Object.keys(rows[0] ?? {})
  const marks = columns.map(() => '?').join(', ')
  const insert = db.$client.prepare(`INSERT OR REPLACE INTO ${table} (${columns.join(', ')}) VALUES (${marks})`)
  db.transaction(() => {
    for (const row of rows) insert.run(...columns.map((column) => row[column]!))
  })
}

/** @param where absent: every row */
export function setRows({ db }: Needs, table: string, values: Row, where: Row = {}): void {
  const set = Object.keys(values).map((column) => `${column} = ?`)
  const client = db.$client
  client
    .query(`UPDATE ${table} SET ${set.join(', ')} ${conditions(where)}`)
    .run(...Object.values(values), ...Object.values(where))
}

/** @param where absent: every row */
export function removeRows({ db }: Needs, table: string, where: Row = {}): void {
  db.$client.query(`DELETE FROM ${table} ${conditions(where)}`).run(...Object.values(where))
}

function conditions(where: Row): string {
  const columns = Object.keys(where)
  return columns.length === 0 ? '' : `WHERE ${columns.map((column) => `${column} = ?`).join(' AND ')}`
}

/** From now on a table is gone. @returns what brings it back */
export function lose({ db }: Needs, table: string): () => void {
  db.$client.run(`ALTER TABLE ${table} RENAME TO lost`)
  return () => void db.$client.run(`ALTER TABLE lost RENAME TO ${table}`)
}

/** From now on every table is gone but those that are named. */
export function loseAllBut(deps: Needs, ...kept: readonly string[]): void {
  const client = deps.db.$client
  client.run('PRAGMA foreign_keys = OFF')
  const gone = tablesOf(deps).filter((table) => !table.startsWith('sqlite_') && !kept.includes(table))
  for (const table of gone) client.run(`ALTER TABLE ${table} RENAME TO gone_${table}`)
}

/** Rows that name others which are not there. */
export const danglingRows = ({ db }: Needs): unknown[] => db.$client.query('PRAGMA foreign_key_check').all()

/**
 * From now on the database refuses to write to a table, as a full disk does.
 * @param when which rows, in SQL; absent: all
 * @returns what ends that
 */
export function refuse(
  { db }: Needs,
  [write, table]: readonly ['INSERT' | 'UPDATE' | 'DELETE', string],
  { message = 'full', when = '1' } = {},
): () => void {
  const fail = `SELECT raise(ABORT, '${message}')`
  db.$client.run(`CREATE TEMP TRIGGER refuse BEFORE ${write} ON main.${table} WHEN ${when} BEGIN ${fail}; END`)
  return () => void db.$client.run('DROP TRIGGER temp.refuse')
}

/** Fills the one table until the database takes no page more. */
export function fill({ db }: Needs, table: string, row: Row): void {
  db.$client.run('PRAGMA max_page_count = 1')
  try {
    for (;;) addRows({ db }, table, [row])
  } catch (error) {
    if (!String(error).includes('full')) throw error
  }
}

/** How many rows were written since the database was opened. */
export const writesOf = ({ db }: Needs): number =>
  db.$client.query<{ n: number }, []>('SELECT total_changes() AS n').get()!.n

/** All that is stored, text and blobs, as bytes. */
export const bytesOf = ({ db }: Needs): Buffer => Buffer.from(db.$client.serialize())

export const tablesOf = (deps: Needs): string[] =>
  rowsOf(deps, "sqlite_schema WHERE type = 'table'", 'name').map(({ name }) => String(name))
