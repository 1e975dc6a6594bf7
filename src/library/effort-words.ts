import { asc, eq } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { workouts } from '../db/schema.ts'
import { archivedBestEfforts, effortWords, workoutBestEfforts } from '../db/schema-efforts.ts'
import type { ImplausibleReason } from '../engine/analysis.ts'
import { STANDARD_DISTANCES } from '../engine/run/best-efforts.ts'

// Which efforts may hold a record: those that are plausible or that the runner counts, except those that the runner
// excluded and those of runs that are left out of statistics.

/** One effort of one workout, with everything that decides whether it counts. */
export interface JudgedEffort {
  readonly distanceIndex: number
  readonly timeMs: number
  /**
   * Milliseconds since the start of the run; null: the effort comes from an archive, which does not say where it was.
   */
  readonly startMs: number | null
  /** null: the effort is plausible. */
  readonly implausibleReason: ImplausibleReason | null
  /** The runner's decision; null: none. */
  readonly isRecord: boolean | null
  /** Whether it may hold the record of its distance. */
  readonly counts: boolean
}

/** The runner's decision on one effort; archives have them, too. */
export interface EffortWord {
  readonly distanceIndex: number
  readonly isRecord: boolean
}

/**
 * Why an effort that only an archive has is implausible. It has no samples to check, so it is compared with the world
 * record.
 */
export function archivedReason({
  distanceIndex,
  timeMs,
}: Pick<JudgedEffort, 'distanceIndex' | 'timeMs'>): ImplausibleReason | null {
  return timeMs < fastestEverMs(distanceIndex) ? 'fasterThanRecord' : null
}

export function fastestEverMs(distanceIndex: number): number {
  return Math.round(1000 * (STANDARD_DISTANCES[distanceIndex]?.fastestS ?? 0))
}

/** Index of the standard distance with so many metres, as in a path; null: there is none. */
export function distanceIndexOf(metres: unknown): number | null {
  const index = STANDARD_DISTANCES.findIndex(({ distanceM }) => String(distanceM) === metres)
  return index === -1 ? null : index
}

/**
 * The efforts computed from the samples of a workout, by distance, and those from archives at distances where the
 * samples give none.
 */
export function judgedEfforts(tx: Tx, workoutId: string): JudgedEffort[] {
  const workout = tx.select({ leftOut: workouts.leftOut }).from(workouts).where(eq(workouts.id, workoutId)).get()
  const words = new Map(effortWordsOf(tx, workoutId).map(({ distanceIndex, isRecord }) => [distanceIndex, isRecord]))
  const own = tx.select().from(workoutBestEfforts).where(eq(workoutBestEfforts.workoutId, workoutId)).all()
  const archived = tx.select().from(archivedBestEfforts).where(eq(archivedBestEfforts.workoutId, workoutId)).all()
  const others = archived
    .filter(({ distanceIndex }) => own.every((effort) => effort.distanceIndex !== distanceIndex))
    .map((effort) => ({ ...effort, startMs: null, implausibleReason: archivedReason(effort) }))
  return [...own, ...others]
    .toSorted((a, b) => a.distanceIndex - b.distanceIndex)
    .map(({ distanceIndex, timeMs, startMs, implausibleReason }) => {
      const isRecord = words.get(distanceIndex) ?? null
      const counts = workout?.leftOut === false && (isRecord ?? implausibleReason === null)
      return { distanceIndex, timeMs, startMs, implausibleReason, isRecord, counts }
    })
}

/** The runner's decisions, by distance. */
export function effortWordsOf(tx: Tx, workoutId: string): EffortWord[] {
  const { distanceIndex, isRecord } = effortWords
  return tx
    .select({ distanceIndex, isRecord })
    .from(effortWords)
    .where(eq(effortWords.workoutId, workoutId))
    .orderBy(asc(distanceIndex))
    .all()
}

/** The record of a distance. */
export interface RecordRow {
  /** null: the id is derived from workout and distance (row-ids.ts). */
  readonly id: string | null
  readonly timeMs: number
  readonly workoutId: string
  readonly startedAtMs: number
  readonly calculatedAtMs: number
  /** Set when the effort is implausible and the runner counts it nevertheless. */
  readonly implausibleReason: ImplausibleReason | null
}

/** Both queries read the efforts of a distance from an index, fastest first, until one counts. */
const OWN = fastestCounting('workout_best_effort', 'e.implausible_reason')
const ARCHIVED = fastestCounting('archived_best_effort', "CASE WHEN e.time_ms < ?2 THEN 'fasterThanRecord' END")

function fastestCounting(table: string, reason: string): string {
  return `
    SELECT e.id, e.time_ms AS timeMs, w.id AS workoutId, w.started_at AS startedAtMs, e.calculated_at AS calculatedAtMs,
      ${reason} AS implausibleReason
    FROM ${table} AS e CROSS JOIN workout AS w ON w.id = e.workout_id
      LEFT JOIN effort_word AS said ON said.workout_id = e.workout_id AND said.distance_index = e.distance_index
    WHERE e.distance_index = ?1 AND w.left_out = 0 AND coalesce(said.is_record, ${reason} IS NULL)
    ORDER BY e.time_ms, w.started_at, w.id LIMIT 1`
}

/**
 * The record of one standard distance, from samples or from an archive with a faster effort. Of equal times the earlier
 * workout holds it, and an effort from samples precedes one from an archive.
 */
export function recordOf(tx: Tx, distanceIndex: number): RecordRow | null {
  const client = tx.$client
  const own = client.query<RecordRow, [number]>(OWN).get(distanceIndex)
  const archived = client.query<RecordRow, [number, number]>(ARCHIVED).get(distanceIndex, fastestEverMs(distanceIndex))
  if (own === null || archived === null) return own ?? archived
  const later = own.timeMs - archived.timeMs || own.startedAtMs - archived.startedAtMs
  return later > 0 || (later === 0 && archived.workoutId < own.workoutId) ? archived : own
}
