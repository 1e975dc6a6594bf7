import type { Tx } from '../../db/open.ts'
import { STANDARD_DISTANCES } from '../../engine/run/best-efforts.ts'
import { METRES_PER_MILE } from '../../engine/units.ts'
import { unpackedGraded } from '../../workers/training.ts'
import { fastestEver } from '../effort-words.ts'

type Row = readonly [workoutId: string, distanceIndex: number, timeMs: number]

/** Shorter efforts give no VDOT. */
const MILE_INDEX = STANDARD_DISTANCES.findIndex(({ distanceM }) => distanceM >= METRES_PER_MILE)

const SELECT = 'SELECT e.workout_id, e.distance_index, e.time_ms'

/** Efforts that are plausible or that the runner counts; without the runs themselves, which would take twice as long. */
const counting = (table: string, reason: string) => `${SELECT}
  FROM ${table} AS e
    LEFT JOIN effort_word AS said ON said.workout_id = e.workout_id AND said.distance_index = e.distance_index
  WHERE e.distance_index >= ${MILE_INDEX}
    AND e.workout_id NOT IN (SELECT workout_id FROM training_choice WHERE exclude_from_estimates = 1)
    AND coalesce(said.is_record, ${reason} IS NULL)`

/** An archive's count where the samples give none. */
const EFFORTS = `
  ${counting('workout_best_effort', 'e.implausible_reason')}
  UNION ALL
  ${counting('archived_best_effort', `CASE WHEN e.time_ms < ${fastestEver('e.distance_index')} THEN 1 END`)}
    AND NOT EXISTS (
      SELECT 1 FROM workout_best_effort AS own
      WHERE own.workout_id = e.workout_id AND own.distance_index = e.distance_index)`
const GRADED = 'SELECT workout_id, effort_graded FROM workout_training WHERE effort_graded IS NOT NULL'

/**
 * All efforts of a mile and more, which a VDOT is read from; `gradedM` are grade-equivalent metres, null: the altitude
 * cannot be used.
 */
export function vdotEfforts(tx: Tx) {
  const client = tx.$client
  const packed = client.query(GRADED).values() as [string, Uint8Array][]
  const graded = new Map(packed.map(([id, bytes]) => [id, unpackedGraded(bytes)]))
  return (client.query(EFFORTS).values() as unknown as Row[]).map(([workoutId, distanceIndex, timeMs]) => {
    return { workoutId, distanceIndex, timeMs, gradedM: graded.get(workoutId)?.get(distanceIndex) ?? null }
  })
}
