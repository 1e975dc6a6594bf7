// The database of a library as a file.

import { openSnapshot } from '../../src/db/open.ts'
import type { Deps } from '../../src/library/deps.ts'

type Needs = Pick<Deps, 'db'>

/** Folds the log into the file. @returns false: a reader keeps it from that */
export function checkpointed({ db }: Needs): boolean {
  const [row] = db.$client.query<{ busy: number }, []>('PRAGMA wal_checkpoint(TRUNCATE)').all()
  return row?.busy === 0
}

/** From now on the database says that it is of this version. */
export const ofVersion = ({ db }: Needs, version: number): void =>
  void db.$client.run(`PRAGMA user_version = ${version}`)

export const closed = ({ db }: Needs): void => db.$client.close()

/** All rows of all tables of a file, as text. */
export function textOfTables(path: string): string {
  const { $client: client } = openSnapshot(path)
  const tables = client
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
  const rows = tables.map(
    ({ name }) => `${name}: ${client.query(`SELECT * FROM "${name}"`).values().map(String).join('\n')}`,
  )
  client.close()
  return rows.join('\n\n')
}
