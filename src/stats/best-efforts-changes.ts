import type { Db } from '../db/open.ts'

/** Notes which workouts others change, from its making until `stop`. */
export interface Changes {
  /** Workouts whose efforts or samples were written or removed. */
  touched(): ReadonlySet<string>
  /** Ends the noting; more than once does no harm. */
  stop(): void
}

const NOTES = 'best_effort_note'
const WATCHED = ['workout_best_effort', 'workout_samples'] as const
const EVENTS = [
  ['insert', 'new'],
  ['update', 'new'],
  ['delete', 'old'],
] as const

/**
 * Triggers instead of calls in every writer: nobody who stores samples has to know of rebuilds, and cascades count too.
 * They are temporary, so that a process that dies leaves nothing behind.
 */
export function watchChanges({ $client: client }: Db): Changes {
  const stop = () => {
    for (const trigger of triggers()) client.run(`DROP TRIGGER IF EXISTS temp.${trigger.name}`)
    client.run(`DROP TABLE IF EXISTS temp.${NOTES}`)
  }
  stop()
  client.run(`CREATE TEMP TABLE ${NOTES} (workout_id TEXT PRIMARY KEY) WITHOUT ROWID`)
  for (const { name, table, event, row } of triggers()) {
    client.run(
      `CREATE TEMP TRIGGER ${name} AFTER ${event} ON main.${table}
       BEGIN INSERT OR IGNORE INTO ${NOTES} VALUES (${row}.workout_id); END`,
    )
  }
  return {
    touched: () => {
      const rows = client.prepare<{ workout_id: string }, []>(`SELECT workout_id FROM temp.${NOTES}`).all()
      return new Set(rows.map(({ workout_id }) => workout_id))
    },
    stop,
  }
}

function triggers() {
  return WATCHED.flatMap((table) =>
    EVENTS.map(([event, row]) => ({ name: `${NOTES}_${table}_${event}`, table, event, row })),
  )
}
