import type { Db } from '../../db/open.ts'
import type { BestEffort } from '../../engine/analysis.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { STANDARD_DISTANCES } from '../../engine/run/best-efforts.ts'
import { roundHalfUp } from '../../engine/units.ts'
import { type RankedEffort, recordOf } from '../../library/effort-ranks.ts'
import { type EffortDifference, recordedIds, storedEfforts, writeDifferences } from '../../library/effort-rows.ts'
import { derivations, type RederiveDeps } from '../../library/rederive.ts'
import { effortId } from '../../library/row-ids.ts'
import { unconfirmedDistances } from '../../library/unusual-efforts.ts'

/** The record of one standard distance. */
export interface EffortRecord extends RankedEffort {
  readonly id: string
  readonly distance: string
  readonly distanceM: number
}

/** The record of each standard distance that has one, shortest first, as served. */
export function bestEffortRecords(db: Db) {
  return effortRecords(db).map((record) => {
    const { distance, distanceM, timeMs, workoutId, startedAtMs, implausibleReason } = record
    const timeS = roundHalfUp(timeMs / 1000)
    const isPlausible = implausibleReason === null
    const workoutDate = isoTime(startedAtMs)
    const mark = { isPlausible, implausibleReason, isUnconfirmed: isUnconfirmed(db, record) }
    return { distance, distanceM, timeS, timeMs, workoutId, workoutDate, ...mark }
  })
}

/** Whether the runner is asked if an effort counts. */
export function isUnconfirmed(db: Db, { workoutId, distanceIndex }: RankedEffort): boolean {
  return unconfirmedDistances(db, workoutId).has(distanceIndex)
}

/** The record of each standard distance that has one, shortest first. */
export function effortRecords(db: Db): EffortRecord[] {
  return STANDARD_DISTANCES.flatMap(({ label, distanceM }, distanceIndex) => {
    const record = recordOf(db, distanceIndex)
    if (record === null) return []
    const id = effortId({ id: record.id, workoutId: record.workoutId, distanceIndex })
    return { distance: label, distanceM, ...record, id }
  })
}

/**
 * Computes the efforts of every workout with samples again and writes what differs, all of it or nothing. The Worker
 * computes, so that others are answered meanwhile; what these change is newer than what was computed, and stays. Whoever
 * asks while a rebuild runs gets the same one.
 * @returns a function that resolves to the number of workouts whose efforts were corrected
 */
export function effortRebuild(deps: RederiveDeps): () => Promise<number> {
  let running: Promise<number> | null = null
  return () => {
    running ??= rebuild(deps).finally(() => {
      running = null
    })
    return running
  }
}

async function rebuild(deps: RederiveDeps): Promise<number> {
  const { db, now } = deps
  const differences: EffortDifference[] = []
  for await (const { id, head, outcome } of derivations(deps, recordedIds(db), { what: 'bestEfforts' })) {
    if ('error' in outcome) throw outcome.error
    if (outcome.derived.bestEfforts === null) continue
    const found = difference(storedEfforts(db, id), outcome.derived.bestEfforts)
    if (found !== null || hasArchivedEfforts(db, id)) differences.push({ head, ...(found ?? NO_DIFFERENCE) })
  }
  return writeDifferences(db, differences, now())
}

const NO_DIFFERENCE = { write: [], remove: [] }

/** Whether an effort of an archive is beside those of the samples, although these have times of their own. */
function hasArchivedEfforts(db: RederiveDeps['db'], id: string): boolean {
  const beside = `SELECT 1 FROM archived_best_effort AS effort WHERE effort.workout_id = ?1 AND EXISTS (
    SELECT 1 FROM naming JOIN recording ON recording.id = naming.recording_id JOIN samples ON samples.recording_id = recording.id
    WHERE run_id = ?1 AND live = 1 AND has_estimated_times = 0) LIMIT 1`
  return db.$client.query(beside).get(id) !== null
}

/** null: the stored efforts equal the computed ones. */
function difference(
  stored: readonly BestEffort[],
  computed: readonly BestEffort[],
): Omit<EffortDifference, 'head'> | null {
  const write = computed.filter((effort) => !stored.some((row) => Bun.deepEquals(row, effort)))
  const remove = stored
    .map((row) => row.distanceIndex)
    .filter((index) => !computed.some(({ distanceIndex }) => distanceIndex === index))
  return write.length + remove.length === 0 ? null : { write, remove }
}
