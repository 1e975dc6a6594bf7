import { and, eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/open.ts'
import { archivedBestEfforts, recordings, samples, workoutBestEfforts } from '../../db/schema.ts'
import { roundHalfUp } from '../../engine/units.ts'
import { workoutExists } from '../../library/add-workout.ts'
import { dataRows, type OpenArchive } from '../format/data-rows.ts'
import { rowReader } from '../format/fields.ts'
import { type ArchivedEffort, EFFORT_FIELDS, readEffort } from '../format/part-rows.ts'
import type { Parts } from './parts.ts'
import type { RestoreReport } from './report.ts'

/**
 * After all workouts: an effort that the samples give as well lends them its id; a faster one is kept beside them; a
 * slower one is no news (CONTRACT 12.2).
 * @throws BadDataFile
 */
export async function restoreEfforts(
  { db, nowMs }: { readonly db: Db; readonly nowMs: number },
  { archive, parts, report }: { readonly archive: OpenArchive; readonly parts: Parts; readonly report: RestoreReport },
): Promise<void> {
  const read = rowReader(EFFORT_FIELDS)
  let orphans = 0
  for await (const rows of dataRows(archive, 'bestEfforts')) {
    for (const value of rows) {
      const effort = readEffort(read(value), nowMs)
      if (effort === null) {
        report.failed('bestEfforts', 'Best efforts without workout, distance or time')
        continue
      }
      const workoutId = parts.storedId(effort.workoutId) ?? effort.workoutId
      if (!workoutExists(db, workoutId)) {
        orphans += 1
        report.skipped('bestEfforts')
        continue
      }
      const isNews = db.transaction((tx) => restoreEffort(tx, { ...effort, workoutId }), { behavior: 'immediate' })
      if (isNews) report.imported('bestEfforts')
      else report.skipped('bestEfforts')
    }
  }
  if (orphans > 0) report.warn(`Rows of bestEfforts whose workout is not there, left out: ${orphans}`)
}

/** @returns whether anything changed */
function restoreEffort(tx: Tx, effort: ArchivedEffort): boolean {
  const { id, workoutId, distanceIndex, timeMs, isExact, calculatedAt } = effort
  const ofWorkout = and(
    eq(workoutBestEfforts.workoutId, workoutId),
    eq(workoutBestEfforts.distanceIndex, distanceIndex),
  )
  const own = tx.select().from(workoutBestEfforts).where(ofWorkout).get()
  if (own !== undefined && isSameTime(own.timeMs, effort)) {
    if (own.id === id && own.calculatedAt === calculatedAt) return false
    tx.update(workoutBestEfforts).set({ id, calculatedAt }).where(ofWorkout).run()
    return true
  }
  const fastest = hasOwnTimes(tx, workoutId)
    ? Math.min(fastestOf(tx, workoutBestEfforts, distanceIndex), fastestOf(tx, archivedBestEfforts, distanceIndex))
    : fastestKnown(tx, workoutId, distanceIndex)
  if (!(timeMs < fastest) || (!isExact && roundHalfUp(fastest / 1000) * 1000 === timeMs)) return false
  const taken = tx.select().from(archivedBestEfforts).where(eq(archivedBestEfforts.id, id)).get()
  const isFree = taken === undefined || (taken.workoutId === workoutId && taken.distanceIndex === distanceIndex)
  const kept = { id: isFree ? id : Bun.randomUUIDv7(), timeMs, calculatedAt }
  tx.insert(archivedBestEfforts)
    .values({ ...kept, workoutId, distanceIndex })
    .onConflictDoUpdate({
      target: [archivedBestEfforts.workoutId, archivedBestEfforts.distanceIndex],
      set: kept,
    })
    .run()
  return true
}

/** A workout without samples has no other efforts than those that archives give it, records or not. */
function hasOwnTimes(tx: Tx, workoutId: string): boolean {
  const timed = tx
    .select({ id: recordings.id })
    .from(recordings)
    .innerJoin(samples, eq(samples.recordingId, recordings.id))
    .where(
      and(eq(recordings.workoutId, workoutId), eq(recordings.position, 0), eq(recordings.hasEstimatedTimes, false)),
    )
    .get()
  return timed !== undefined
}

/** What an archive said of this workout before; Infinity: nothing. */
function fastestKnown(tx: Tx, workoutId: string, distanceIndex: number): number {
  const known = tx
    .select({ timeMs: archivedBestEfforts.timeMs })
    .from(archivedBestEfforts)
    .where(and(eq(archivedBestEfforts.workoutId, workoutId), eq(archivedBestEfforts.distanceIndex, distanceIndex)))
    .get()
  return known?.timeMs ?? Number.POSITIVE_INFINITY
}

function isSameTime(timeMs: number, effort: ArchivedEffort): boolean {
  if (effort.isExact) return timeMs === effort.timeMs
  return roundHalfUp(timeMs / 1000) * 1000 === effort.timeMs
}

/** Milliseconds; Infinity when there is none. */
function fastestOf(
  tx: Tx,
  table: typeof workoutBestEfforts | typeof archivedBestEfforts,
  distanceIndex: number,
): number {
  const row = tx
    .select({ timeMs: sql<number | null>`min(${table.timeMs})` })
    .from(table)
    .where(eq(table.distanceIndex, distanceIndex))
    .get()
  return row?.timeMs ?? Number.POSITIVE_INFINITY
}
