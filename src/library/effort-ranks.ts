import type { Tx } from '../db/open.ts'
import type { ImplausibleReason } from '../engine/analysis.ts'
import { fastestEver } from './effort-words.ts'
import { raced } from './race-efforts.ts'

// Ranks of efforts among all that count (see effort-words.ts). A run with an effort from its samples and one from an
// archive at the same distance is ranked by the faster one; the result of a race stands in place of both.

export interface RankedEffort {
  /** null: the id is derived from workout and distance (row-ids.ts). */
  readonly id: string | null
  readonly calculatedAtMs: number
  readonly distanceIndex: number
  readonly timeMs: number
  readonly workoutId: string
  readonly startedAtMs: number
  /** UTC offset of the run; null: unknown. */
  readonly utcOffsetMinutes: number | null
  /** Set when the effort is implausible and the runner counts it nevertheless. */
  readonly implausibleReason: ImplausibleReason | null
  /** The time of a race over its official distance, in place of what was recorded. */
  readonly isRaceResult?: true
}

const EFFORT = 'workout_id, distance_index, time_ms, id, calculated_at'
const OWN = `SELECT ${EFFORT}, implausible_reason AS reason FROM workout_best_effort`
const ARCHIVED = `SELECT ${EFFORT},
    CASE WHEN time_ms < ${fastestEver('distance_index')} THEN 'fasterThanRecord' END AS reason
  FROM archived_best_effort`
const EFFORTS = `(${OWN} UNION ALL ${ARCHIVED})`

const COLUMNS = `e.id, e.distance_index AS distanceIndex, e.time_ms AS timeMs, e.calculated_at AS calculatedAtMs,
  w.id AS workoutId, w.started_at AS startedAtMs, w.utc_offset_minutes AS utcOffsetMinutes, e.reason AS implausibleReason`
const COUNTS = 'w.left_out = 0 AND coalesce(said.is_record, e.reason IS NULL)'
const SAID = 'LEFT JOIN effort_word AS said ON said.workout_id = w.id AND said.distance_index = e.distance_index'

/** Efforts of one distance, the fastest first, each table read from an index until enough of them count. */
const FASTEST_FIRST = [OWN, ARCHIVED].map(
  (efforts) => `SELECT ${COLUMNS} FROM (${efforts}) AS e CROSS JOIN workout AS w ON w.id = e.workout_id ${SAID}
  WHERE e.distance_index = ?1 AND ${COUNTS} ORDER BY e.time_ms, w.started_at, w.id LIMIT ?2`,
)

const BETWEEN = `SELECT ${COLUMNS} FROM workout AS w CROSS JOIN ${EFFORTS} AS e ON e.workout_id = w.id ${SAID}
  WHERE w.started_at >= ?1 AND w.started_at < ?2 AND ${COUNTS} ORDER BY w.started_at, w.id`

/** Efforts of one distance, those of all runs or, each table by the runs, of a time window. */
const OF_DISTANCE = `SELECT ${COLUMNS} FROM ${EFFORTS} AS e CROSS JOIN workout AS w ON w.id = e.workout_id ${SAID}
  WHERE e.distance_index = ?1 AND ${COUNTS}`
const OF_DISTANCE_BETWEEN = [OWN, ARCHIVED].map(
  (efforts) => `SELECT ${COLUMNS} FROM workout AS w CROSS JOIN (${efforts}) AS e ON e.workout_id = w.id ${SAID}
  WHERE e.distance_index = ?1 AND w.started_at >= ?2 AND w.started_at < ?3 AND ${COUNTS}`,
)

/** The fastest efforts of one distance, at most one per run and at most `most`. */
export function fastestEfforts(tx: Tx, distanceIndex: number, most: number): RankedEffort[] {
  const races = countingRaces(tx).filter((race) => race.distanceIndex === distanceIndex)
  const found = measured(tx, distanceIndex, most + races.length)
  return eachRunOnce(withRaces(found, races).toSorted(byRank)).slice(0, most)
}

/**
 * The record of one standard distance. Of equal times the earlier workout holds it, and an effort from samples precedes
 * one from an archive.
 */
export function recordOf(tx: Tx, distanceIndex: number): RankedEffort | null {
  return fastestEfforts(tx, distanceIndex, 1)[0] ?? null
}

/** The same without results of races, which follow from their links. */
export function measuredRecordOf(tx: Tx, distanceIndex: number): RankedEffort | null {
  return measured(tx, distanceIndex, 1).toSorted(byRank)[0] ?? null
}

/** All efforts of the runs that started within [startMs, endMs), by distance; the fastest first, at most one per run. */
export function effortsBetween(tx: Tx, startMs: number, endMs: number): Map<number, RankedEffort[]> {
  const found = tx.$client.query<RankedEffort, [number, number]>(BETWEEN).all(startMs, endMs)
  const races = countingRaces(tx).filter(({ startedAtMs }) => startedAtMs >= startMs && startedAtMs < endMs)
  const byDistance = Map.groupBy(withRaces(found, races), ({ distanceIndex }) => distanceIndex)
  return new Map([...byDistance].map(([index, efforts]) => [index, eachRunOnce(efforts.toSorted(byRank))]))
}

/** The efforts of one distance by time, the faster one of each run. @param span of the starts, its end exclusive; absent: all */
export function effortsInOrder(
  tx: Tx,
  distanceIndex: number,
  span?: { readonly fromMs: number; readonly toMs: number },
): RankedEffort[] {
  const { fromMs = Number.NEGATIVE_INFINITY, toMs = Number.POSITIVE_INFINITY } = span ?? {}
  const found =
    span === undefined
      ? tx.$client.query<RankedEffort, [number]>(OF_DISTANCE).all(distanceIndex)
      : OF_DISTANCE_BETWEEN.flatMap((sql) =>
          tx.$client.query<RankedEffort, [number, number, number]>(sql).all(distanceIndex, fromMs, toMs),
        )
  const races = countingRaces(tx).filter(
    (race) => race.distanceIndex === distanceIndex && race.startedAtMs >= fromMs && race.startedAtMs < toMs,
  )
  const rows = withRaces(found, races)
  return eachRunOnce(rows.toSorted((a, b) => a.startedAtMs - b.startedAtMs || byRank(a, b)))
}

function measured(tx: Tx, distanceIndex: number, most: number): RankedEffort[] {
  return FASTEST_FIRST.flatMap((sql) => tx.$client.query<RankedEffort, [number, number]>(sql).all(distanceIndex, most))
}

export type Ranked = Pick<RankedEffort, 'timeMs' | 'startedAtMs' | 'workoutId'>

/** Orders by time; of equal times the earlier workout comes first. */
export function byRank(a: Ranked, b: Ranked): number {
  return (
    a.timeMs - b.timeMs ||
    a.startedAtMs - b.startedAtMs ||
    Number(a.workoutId > b.workoutId) - Number(a.workoutId < b.workoutId)
  )
}

/** Results of races over standard distances, unless the runner left the run or the effort out. */
function countingRaces(tx: Tx): RankedEffort[] {
  return raced(tx).efforts.flatMap(({ id: workoutId, distanceIndex, timeMs, startedAt, offset, counts }) => {
    if (distanceIndex < 0 || !counts) return []
    const of = { workoutId, startedAtMs: startedAt, utcOffsetMinutes: offset, calculatedAtMs: startedAt }
    return [{ ...of, id: null, distanceIndex, timeMs, implausibleReason: null, isRaceResult: true as const }]
  })
}

function withRaces(found: readonly RankedEffort[], races: readonly RankedEffort[]): RankedEffort[] {
  const isRaced = (effort: RankedEffort) =>
    races.some((race) => race.workoutId === effort.workoutId && race.distanceIndex === effort.distanceIndex)
  return races.length === 0 ? [...found] : [...found.filter((effort) => !isRaced(effort)), ...races]
}

function eachRunOnce(efforts: readonly RankedEffort[]): RankedEffort[] {
  const seen = new Set<string>()
  return efforts.filter(({ workoutId }) => {
    if (seen.has(workoutId)) return false
    seen.add(workoutId)
    return true
  })
}
