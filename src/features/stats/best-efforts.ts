import type { Db, Tx } from '../../db/open.ts'
import type { BestEffort } from '../../engine/analysis.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { STANDARD_DISTANCES } from '../../engine/run/best-efforts.ts'
import { roundHalfUp } from '../../engine/units.ts'
import { storedEfforts } from '../../library/derive.ts'
import type { RunHead } from '../../library/documents/run.ts'
import { measuredRecordOf, type RankedEffort, recordOf } from '../../library/effort-ranks.ts'
import { currentHead, type RederiveDeps, rederive, rewriteEfforts } from '../../library/rederive.ts'
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
  return recordsBy(db, recordOf).map((record) => {
    const { distance, distanceM, timeMs, workoutId, utcOffsetMinutes, implausibleReason } = record
    const timeS = roundHalfUp(timeMs / 1000)
    const isPlausible = implausibleReason === null
    const workoutDate = isoTime(record.startedAtMs)
    const isRaceResult = record.isRaceResult === true
    const mark = { isPlausible, implausibleReason, isRaceResult, isUnconfirmed: isUnconfirmed(db, record) }
    return { distance, distanceM, timeS, timeMs, workoutId, workoutDate, utcOffsetMinutes, ...mark }
  })
}

/** Whether the runner is asked if an effort counts. */
export function isUnconfirmed(db: Db, { workoutId, distanceIndex }: RankedEffort): boolean {
  return unconfirmedDistances(db, workoutId).has(distanceIndex)
}

/** What archives state: efforts over the distance that was measured, as a restore of rows would keep them. */
export function measuredRecords(db: Db): EffortRecord[] {
  return recordsBy(db, measuredRecordOf)
}

function recordsBy(db: Db, recordOf: (tx: Tx, distanceIndex: number) => RankedEffort | null): EffortRecord[] {
  return STANDARD_DISTANCES.flatMap(({ label, distanceM }, distanceIndex) => {
    const record = recordOf(db, distanceIndex)
    if (record === null) return []
    const id = effortId({ id: record.id, workoutId: record.workoutId, distanceIndex })
    return { distance: label, distanceM, ...record, id }
  })
}

/**
 * Computes the efforts of every workout with samples again and writes what differs, all of it or nothing; one that cannot
 * be read keeps its own. The Worker computes, so that others are answered meanwhile; what these change is newer than what
 * was computed, and stays. Whoever asks while a rebuild runs gets the same one.
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
  const { db, now, log } = deps
  const computed: { readonly head: RunHead; readonly efforts: readonly BestEffort[] }[] = []
  const { unreadable } = await rederive(deps, recordedIds(db), {
    what: 'bestEfforts',
    write: (tx, head, { bestEfforts: efforts }) => {
      if (efforts !== null && areOther(tx, head.id, efforts)) computed.push({ head, efforts })
    },
  })
  for (const { id, error } of unreadable) log.error(`The run ${id} cannot be read and keeps its best efforts`, error)
  return db.transaction((tx) => {
    const current = computed.flatMap(({ head, efforts }) => {
      const now = currentHead(tx, head)
      return now === null ? [] : { head: now, efforts }
    })
    for (const { head, efforts } of current) rewriteEfforts(tx, head, efforts, now())
    return current.length
  })
}

/** Ids of all runs with samples. */
function recordedIds(tx: Tx): string[] {
  const ids = `SELECT DISTINCT run_id FROM run_recording JOIN samples ON samples.recording_id = run_recording.recording_id
    WHERE live = 1 ORDER BY run_id`
  return tx.$client.query(ids).values().flat() as string[]
}

/** Whether other efforts are stored, or one of an archive beside those of samples with times of their own. */
function areOther(tx: Tx, id: string, efforts: readonly BestEffort[]): boolean {
  const beside = `SELECT 1 FROM archived_best_effort AS effort WHERE effort.workout_id = ?1 AND EXISTS (
    SELECT 1 FROM run_recording JOIN recording ON recording.id = run_recording.recording_id JOIN samples ON samples.recording_id = recording.id
    WHERE run_id = ?1 AND live = 1 AND has_estimated_times = 0) LIMIT 1`
  return !Bun.deepEquals(storedEfforts(tx, id), efforts) || tx.$client.query(beside).get(id) !== null
}
