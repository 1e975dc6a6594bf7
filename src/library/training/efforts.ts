import { clientOf, type Tx } from '../../db/open.ts'
import { STANDARD_DISTANCES } from '../../engine/run/best-efforts.ts'

/** A best effort that may be evidence. */
export interface EffortRow {
  readonly workoutId: string
  readonly distanceIndex: number
  readonly timeMs: number
  /** Metres on the flat; null: the altitude says nothing. */
  readonly gradedM: number | null
}

interface Row {
  readonly workoutId: string
  readonly distanceIndex: number
  readonly timeMs: number
  readonly graded: string | null
}

const FASTEST = STANDARD_DISTANCES.map(
  ({ fastestS }, index) => `WHEN ${index} THEN ${Math.round(1000 * fastestS)}`,
).join(' ')

/** Efforts that can be, or that the runner counts, of runs that are not left out; an archive's where samples give none. */
function counting(which: string): string {
  const select = 'SELECT e.workout_id AS workoutId, e.distance_index AS distanceIndex, e.time_ms AS timeMs'
  const from = (table: string, reason: string) => `
    FROM workout AS w JOIN ${table} AS e ON e.workout_id = w.id
      LEFT JOIN effort_word AS said ON said.workout_id = e.workout_id AND said.distance_index = e.distance_index
      LEFT JOIN training_choice AS choice ON choice.workout_id = e.workout_id
      LEFT JOIN workout_training AS t ON t.workout_id = e.workout_id
    WHERE ${which} AND w.left_out = 0 AND coalesce(choice.exclude_from_estimates, 0) = 0
      AND coalesce(said.is_record, ${reason} IS NULL)`
  return `
    ${select}, t.effort_graded AS graded ${from('workout_best_effort', 'e.implausible_reason')}
    UNION ALL
    ${select}, NULL AS graded
      ${from('archived_best_effort', `CASE WHEN e.time_ms < CASE e.distance_index ${FASTEST} END THEN 1 END`)}
      AND NOT EXISTS (
        SELECT 1 FROM workout_best_effort AS own
        WHERE own.workout_id = e.workout_id AND own.distance_index = e.distance_index)`
}

const BY_ID = counting('w.id > ?1 AND w.id <= ?2')
const BY_START = counting('w.started_at >= ?1 AND w.started_at < ?2')

/** The efforts of workouts whose ids lie after one and up to another. */
export function effortsBetweenIds(tx: Tx, afterId: string, upToId: string): EffortRow[] {
  return clientOf(tx).query<Row, [string, string]>(BY_ID).all(afterId, upToId).map(effortOf)
}

/** The efforts of workouts that began in a window, Unix milliseconds, its end left out. */
export function effortsBetween(tx: Tx, fromMs: number, toMs: number): EffortRow[] {
  return clientOf(tx).query<Row, [number, number]>(BY_START).all(fromMs, toMs).map(effortOf)
}

function effortOf({ graded, ...row }: Row): EffortRow {
  return { ...row, gradedM: gradedOf(graded, row.distanceIndex) }
}

function gradedOf(text: string | null, distanceIndex: number): number | null {
  if (text === null) return null
  const all = JSON.parse(text) as [number, number][]
  return all.find(([index]) => index === distanceIndex)?.[1] ?? null
}
