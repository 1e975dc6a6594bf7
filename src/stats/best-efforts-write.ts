import type { Db } from '../db/open.ts'
import type { BestEffort } from '../engine/analysis.ts'
import type { Changes } from './best-efforts-changes.ts'

/** What has to change for one workout. */
export interface EffortDifference {
  readonly workoutId: string
  /** New or other than stored. */
  readonly write: readonly BestEffort[]
  /** Distance indexes of rows that are no more. */
  readonly remove: readonly number[]
}

interface Around {
  readonly changes: Changes
  /** Lets others work. */
  readonly pause: () => Promise<void>
  /** When the efforts were computed, Unix milliseconds. */
  readonly nowMs: number
}

const TABLE = 'workout_best_effort'
const STAGED = 'workout_best_effort_staged'
/** Rows that one transaction may change in place: about 25 ms, for they change an index as well. */
const MOST_IN_PLACE = 5000
/** Workouts copied to the staged table in one go: 13 rows each at most. */
const STAGED_AT_ONCE = 100

/**
 * Writes the differences and forgets what archives said beside the samples, all or none, except of workouts that were
 * changed meanwhile or are gone. Few are written in place; many into a copy of the table, in slices, which takes the
 * table's place in one short transaction.
 * @returns of how many workouts something of an archive was forgotten
 */
export async function writeDifferences(
  db: Db,
  differences: readonly EffortDifference[],
  { changes, pause, nowMs }: Around,
): Promise<number> {
  const rows = differences.reduce((sum, { write, remove }) => sum + write.length + remove.length, 0)
  if (rows <= MOST_IN_PLACE) return writeInPlace(db, differences, { changes, nowMs })
  return await writeStaged(db, differences, { changes, pause, nowMs })
}

function writeInPlace(
  db: Db,
  differences: readonly EffortDifference[],
  { changes, nowMs }: Omit<Around, 'pause'>,
): number {
  return db.transaction(() => {
    const touched = changes.touched()
    changes.stop()
    const write = writer(db, TABLE, nowMs)
    for (const difference of differences) if (!touched.has(difference.workoutId)) write(difference)
    return forgetArchived(db, touched)
  })
}

async function writeStaged(
  db: Db,
  differences: readonly EffortDifference[],
  { changes, pause, nowMs }: Around,
): Promise<number> {
  const { $client: client } = db
  try {
    client.run(`DROP TABLE IF EXISTS ${STAGED}`)
    const { table, indexes } = definition(db)
    client.run(table.replace(TABLE, STAGED))
    await fillStaged(db, differences, { pause, nowMs })
    return db.transaction(() => {
      const touched = changes.touched()
      changes.stop()
      for (const workoutId of touched) {
        client.run(`DELETE FROM ${STAGED} WHERE workout_id = ?`, [workoutId])
        client.run(`INSERT INTO ${STAGED} SELECT * FROM ${TABLE} WHERE workout_id = ?`, [workoutId])
      }
      client.run(`DROP TABLE ${TABLE}`)
      client.run(`ALTER TABLE ${STAGED} RENAME TO ${TABLE}`)
      for (const index of indexes) client.run(index)
      return forgetArchived(db, touched)
    })
  } catch (error) {
    client.run(`DROP TABLE IF EXISTS ${STAGED}`)
    throw error
  }
}

async function fillStaged(
  db: Db,
  differences: readonly EffortDifference[],
  { pause, nowMs }: Omit<Around, 'changes'>,
): Promise<void> {
  const { $client: client } = db
  const copy = client.prepare(`INSERT INTO ${STAGED} SELECT * FROM ${TABLE} WHERE workout_id = ?`)
  // each row is written once, and a record that changes keeps its id
  const copyOthers = client.prepare(
    `INSERT INTO ${STAGED} SELECT * FROM ${TABLE}
     WHERE workout_id = ? AND distance_index NOT IN (SELECT value FROM json_each(?))`,
  )
  const insert = client.prepare(
    `INSERT INTO ${STAGED} (workout_id, distance_index, time_ms, start_ms, calculated_at, id)
     VALUES ($workoutId, $index, $timeMs, $startMs, $nowMs, coalesce(
       (SELECT id FROM ${TABLE} WHERE workout_id = $workoutId AND distance_index = $index), $newId))`,
  )
  const exists = client.prepare<{ id: string }, [string]>('SELECT id FROM workout WHERE id = ?')
  const wanted = new Map(differences.map((difference) => [difference.workoutId, difference]))
  const ids = client.prepare<{ id: string }, []>('SELECT id FROM workout ORDER BY id').all()
  for (let from = 0; from < ids.length; from += STAGED_AT_ONCE) {
    const slice = ids.slice(from, from + STAGED_AT_ONCE)
    db.transaction(() => {
      for (const { id: workoutId } of slice) {
        const difference = wanted.get(workoutId)
        if (difference === undefined || exists.get(workoutId) === null) {
          copy.run(workoutId)
          continue
        }
        const changed = [...difference.remove, ...difference.write.map(({ distanceIndex }) => distanceIndex)]
        copyOthers.run(workoutId, JSON.stringify(changed))
        for (const { distanceIndex: index, timeMs, startMs } of difference.write) {
          insert.run({ workoutId, index, timeMs, startMs, nowMs, newId: Bun.randomUUIDv7() })
        }
      }
    })
    await pause()
  }
}

/**
 * What an archive said beside the samples lasts until efforts are computed again (CONTRACT 12.2); where there are no
 * samples with times of their own, it is all there is, and what was restored meanwhile is news.
 */
function forgetArchived({ $client: client }: Db, touched: ReadonlySet<string>): number {
  const forgotten = client
    .query<{ workout_id: string }, [string]>(
      `DELETE FROM archived_best_effort
       WHERE workout_id IN
         (SELECT workout_id FROM workout_samples WHERE meta NOT LIKE '%"hasEstimatedTimes":true%')
         AND workout_id NOT IN (SELECT value FROM json_each(?))
       RETURNING workout_id`,
    )
    .all(JSON.stringify([...touched]))
  return new Set(forgotten.map(({ workout_id }) => workout_id)).size
}

function writer({ $client: client }: Db, table: string, nowMs: number): (difference: EffortDifference) => void {
  const remove = client.prepare(`DELETE FROM ${table} WHERE workout_id = ? AND distance_index = ?`)
  const write = client.prepare(
    `INSERT INTO ${table} (workout_id, distance_index, time_ms, start_ms, calculated_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE
       SET time_ms = excluded.time_ms, start_ms = excluded.start_ms, calculated_at = excluded.calculated_at`,
  )
  return (difference) => {
    for (const index of difference.remove) remove.run(difference.workoutId, index)
    for (const { distanceIndex, timeMs, startMs } of difference.write) {
      write.run(difference.workoutId, distanceIndex, timeMs, startMs, nowMs)
    }
  }
}

/** The statements that made the table and those of its indexes that have one, as the newest migration left them. */
function definition({ $client: client }: Db): { table: string; indexes: readonly string[] } {
  const statements = client
    .prepare<{ type: string; sql: string }, [string]>(
      'SELECT type, sql FROM sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY type DESC, name',
    )
    .all(TABLE)
  const table = statements.find(({ type }) => type === 'table')
  if (table === undefined) throw new Error(`The database has no table ${TABLE}`)
  return { table: table.sql, indexes: statements.filter(({ type }) => type === 'index').map((index) => index.sql) }
}
