import type { Tx } from '../db/open.ts'
import type { ImplausibleReason } from '../engine/analysis.ts'
import { STANDARD_DISTANCES } from '../engine/run/best-efforts.ts'
import { fastestEverMs } from './effort-words.ts'

// Ranks of efforts among all that count (see effort-words.ts). A run with an effort from its samples and one from an
// archive at the same distance is ranked by the faster one.

/** One counting effort of one workout. */
export interface RankedEffort {
  readonly distanceIndex: number
  readonly timeMs: number
  readonly workoutId: string
  readonly startedAtMs: number
  /** UTC offset of the run; null: unknown. */
  readonly utcOffsetMinutes: number | null
  /** Set when the effort is implausible and the runner counts it nevertheless. */
  readonly implausibleReason: ImplausibleReason | null
}

const FASTEST = `CASE distance_index ${STANDARD_DISTANCES.map((_, index) => `WHEN ${index} THEN ${fastestEverMs(index)}`).join(' ')} END`

const EFFORTS = `(
  SELECT workout_id, distance_index, time_ms, implausible_reason AS reason FROM workout_best_effort
  UNION ALL
  SELECT workout_id, distance_index, time_ms, CASE WHEN time_ms < ${FASTEST} THEN 'fasterThanRecord' END AS reason
  FROM archived_best_effort)`

const COLUMNS = `e.distance_index AS distanceIndex, e.time_ms AS timeMs, w.id AS workoutId, w.started_at AS startedAtMs,
  w.utc_offset_minutes AS utcOffsetMinutes, e.reason AS implausibleReason`
const COUNTS = 'w.left_out = 0 AND coalesce(said.is_record, e.reason IS NULL)'
const SAID = 'LEFT JOIN effort_word AS said ON said.workout_id = w.id AND said.distance_index = e.distance_index'

/** Efforts of one distance, the fastest first, read from an index. */
const FASTEST_FIRST = `SELECT ${COLUMNS} FROM ${EFFORTS} AS e CROSS JOIN workout AS w ON w.id = e.workout_id ${SAID}
  WHERE e.distance_index = ?1 AND ${COUNTS} ORDER BY e.time_ms, w.started_at, w.id LIMIT ?2`

/** Efforts of the runs of a time window, run by run. */
const BETWEEN = `SELECT ${COLUMNS} FROM workout AS w CROSS JOIN ${EFFORTS} AS e ON e.workout_id = w.id ${SAID}
  WHERE w.started_at >= ?1 AND w.started_at < ?2 AND ${COUNTS} ORDER BY w.started_at, w.id`

/** Efforts of one distance, ordered by time. */
const IN_ORDER = `SELECT ${COLUMNS} FROM ${EFFORTS} AS e CROSS JOIN workout AS w ON w.id = e.workout_id ${SAID}
  WHERE e.distance_index = ?1 AND ${COUNTS} ORDER BY w.started_at, w.id`

/** The fastest efforts of one distance, at most one per run and at most `most`. */
export function fastestEfforts(tx: Tx, distanceIndex: number, most: number): RankedEffort[] {
  const query = tx.$client.query<RankedEffort, [number, number]>(FASTEST_FIRST)
  // a run has at most two efforts of a distance
  return eachRunOnce(query.all(distanceIndex, 2 * most)).slice(0, most)
}

/**
 * All efforts of the runs that started within [startMs, endMs), by distance; the fastest first, at most one per run.
 */
export function effortsBetween(tx: Tx, startMs: number, endMs: number): Map<number, RankedEffort[]> {
  const rows = tx.$client.query<RankedEffort, [number, number]>(BETWEEN).all(startMs, endMs)
  const byDistance = Map.groupBy(rows, ({ distanceIndex }) => distanceIndex)
  return new Map([...byDistance].map(([index, efforts]) => [index, eachRunOnce(efforts.toSorted(byRank))]))
}

/** All efforts of one distance ordered by time, the faster one of each run. */
export function effortsInOrder(tx: Tx, distanceIndex: number): RankedEffort[] {
  const rows = tx.$client.query<RankedEffort, [number]>(IN_ORDER).all(distanceIndex)
  return eachRunOnce(rows.toSorted((a, b) => a.startedAtMs - b.startedAtMs || byRank(a, b)))
}

/** Orders by time; of equal times the earlier workout comes first. */
export function byRank(a: RankedEffort, b: RankedEffort): number {
  return a.timeMs - b.timeMs || a.startedAtMs - b.startedAtMs || (a.workoutId < b.workoutId ? -1 : 1)
}

/** The first effort of each run. */
function eachRunOnce(efforts: readonly RankedEffort[]): RankedEffort[] {
  const seen = new Set<string>()
  return efforts.filter(({ workoutId }) => {
    if (seen.has(workoutId)) return false
    seen.add(workoutId)
    return true
  })
}
