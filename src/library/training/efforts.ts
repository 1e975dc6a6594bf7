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

/** Efforts that can be, or that the runner counts, of runs that are not left out; an archive's where samples give none. */
const COUNTING = `
  FROM %TABLE% AS e JOIN workout AS w ON w.id = e.workout_id
    LEFT JOIN effort_word AS said ON said.workout_id = e.workout_id AND said.distance_index = e.distance_index
    LEFT JOIN training_choice AS choice ON choice.workout_id = e.workout_id
    LEFT JOIN workout_training AS t ON t.workout_id = e.workout_id
  WHERE e.workout_id > ?1 AND e.workout_id <= ?2 AND w.left_out = 0 AND coalesce(choice.exclude_from_estimates, 0) = 0
    AND coalesce(said.is_record, %REASON% IS NULL)`
const SELECT = 'SELECT e.workout_id AS workoutId, e.distance_index AS distanceIndex, e.time_ms AS timeMs'
const FASTEST = STANDARD_DISTANCES.map(
  ({ fastestS }, index) => `WHEN ${index} THEN ${Math.round(1000 * fastestS)}`,
).join(' ')
const EFFORTS = [
  `${SELECT}, t.effort_graded AS graded ${COUNTING}`
    .replace('%TABLE%', 'workout_best_effort')
    .replace('%REASON%', 'e.implausible_reason'),
  `${SELECT}, NULL AS graded ${COUNTING} AND NOT EXISTS (
     SELECT 1 FROM workout_best_effort AS own
     WHERE own.workout_id = e.workout_id AND own.distance_index = e.distance_index)`
    .replace('%TABLE%', 'archived_best_effort')
    .replace('%REASON%', `CASE WHEN e.time_ms < CASE e.distance_index ${FASTEST} END THEN 1 END`),
].join(' UNION ALL ')

/** The efforts of workouts whose ids lie after one and up to another. */
export function countingEfforts(tx: Tx, afterId: string, upToId: string): EffortRow[] {
  const rows = clientOf(tx).query<Row, [string, string]>(EFFORTS).all(afterId, upToId)
  return rows.map(({ graded, ...row }) => ({ ...row, gradedM: gradedOf(graded, row.distanceIndex) }))
}

function gradedOf(text: string | null, distanceIndex: number): number | null {
  if (text === null) return null
  const all = JSON.parse(text) as [number, number][]
  return all.find(([index]) => index === distanceIndex)?.[1] ?? null
}
