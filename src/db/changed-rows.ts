import type { Db } from './open.ts'

/**
 * Records which rows of `workout` are written through this connection from now on, by temporary triggers that belong to
 * the connection and are not in the file. The process has no other connection that writes.
 * @returns a function that returns the row ids added, changed or deleted since its last call
 */
export function changedWorkouts({ $client: client }: Db): () => number[] {
  // each caller has its own table
  const table = `changed_workout_${Bun.randomUUIDv7('hex').replaceAll('-', '')}`
  client.run(`CREATE TEMP TABLE ${table} (row_id INTEGER PRIMARY KEY)`)
  // no OR IGNORE: the conflict clause of the statement that fires a trigger applies within it, and a foreign key's
  // action aborts
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

/** Grows with every row that this connection, the only one that writes, inserts, updates or deletes. */
export function changesSoFar({ $client: client }: Db): number {
  return client.query<{ n: number }, []>('SELECT total_changes() AS n').get()!.n
}
