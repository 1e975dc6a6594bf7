import type { Db } from './open.ts'

/**
 * Notes which rows of `workout` are written through this connection from now on: triggers of the connection itself, which no
 * file has, keep their row ids. The process has no other connection that writes.
 * @returns a function that gives the row ids that were added, changed or deleted since it was last called
 */
export function changedWorkouts({ $client: client }: Db): () => number[] {
  // each caller has a table of its own
  const table = `changed_workout_${Bun.randomUUIDv7('hex').replaceAll('-', '')}`
  client.run(`CREATE TEMP TABLE ${table} (row_id INTEGER PRIMARY KEY)`)
  // no OR IGNORE: the statement that fires a trigger decides how its conflicts end, and that of a foreign key aborts
  for (const [action, row] of [
    ['INSERT', 'new'],
    ['UPDATE', 'new'],
    ['DELETE', 'old'],
  ] as const) {
    client.run(
      `CREATE TEMP TRIGGER ${table}_${action.toLowerCase()} AFTER ${action} ON main.workout
       BEGIN INSERT INTO ${table} SELECT ${row}.rowid
         WHERE NOT EXISTS (SELECT 1 FROM ${table} WHERE row_id = ${row}.rowid); END`,
    )
  }
  const changed = client.query<{ rowId: number }, []>(`SELECT row_id AS rowId FROM temp.${table}`)
  const forget = client.query(`DELETE FROM temp.${table}`)
  return () => {
    const rowIds = changed.all().map(({ rowId }) => rowId)
    if (rowIds.length > 0) forget.run()
    return rowIds
  }
}

/** Grows with every row that this connection, the only one that writes, has written or removed. */
export function changesSoFar({ $client: client }: Db): number {
  return client.query<{ n: number }, []>('SELECT total_changes() AS n').get()!.n
}
