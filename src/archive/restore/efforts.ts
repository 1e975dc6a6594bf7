import { and, eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/open.ts'
import { archivedBestEfforts, workoutBestEfforts } from '../../db/schema-efforts.ts'
import type { EffortBefore } from '../../db/stored-receipts.ts'
import { roundHalfUp } from '../../engine/units.ts'
import { workoutExists } from '../../library/add-workout.ts'
import { recordOf } from '../../library/effort-words.ts'
import { isCreatedBy, type OpenReceipt } from '../../library/receipts/record.ts'
import { effortId, storedEffortId } from '../../library/row-ids.ts'
import { dataRows, type OpenArchive } from '../format/data-rows.ts'
import { rowReader } from '../format/fields.ts'
import { type ArchivedEffort, EFFORT_FIELDS, readEffort } from '../format/part-rows.ts'
import type { Parts } from './parts.ts'
import type { RestoreReport } from './report.ts'

/**
 * Runs after all workouts. An effort equal to one computed from the samples passes on its id; a faster one is stored
 * beside them; a slower one is ignored (docs/api.md 12.2).
 * @throws BadDataFile
 */
export async function restoreEfforts(
  { db, nowMs }: { readonly db: Db; readonly nowMs: number },
  { archive, parts, report, receipt }: EffortsWork,
): Promise<void> {
  const read = rowReader(EFFORT_FIELDS)
  let orphans = 0
  for await (const rows of dataRows(archive, 'bestEfforts', report.leftOut)) {
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
      const isNews = db.transaction((tx) => {
        const before = effortBefore(tx, workoutId, effort.distanceIndex)
        const isNews = restoreEffort(tx, { ...effort, workoutId })
        // an effort of a workout created by this restore is undone together with it
        const isOfOther = receipt !== null && isNews && !isCreatedBy(tx, receipt.id, workoutId)
        if (isOfOther) receipt.write(tx, { outcome: 'changed', workoutId, before })
        return isNews
      })
      if (isNews) report.imported('bestEfforts')
      else report.skipped('bestEfforts')
    }
  }
  if (orphans > 0) report.warn(`Rows of bestEfforts whose workout is not there, left out: ${orphans}`)
}

interface EffortsWork {
  readonly archive: OpenArchive
  readonly parts: Parts
  readonly report: RestoreReport
  readonly receipt: OpenReceipt | null
}

function effortBefore(tx: Tx, workoutId: string, distanceIndex: number): EffortBefore {
  const { id, calculatedAt } = workoutBestEfforts
  const ofOwn = and(eq(workoutBestEfforts.workoutId, workoutId), eq(workoutBestEfforts.distanceIndex, distanceIndex))
  const own = tx.select({ id, calculatedAt }).from(workoutBestEfforts).where(ofOwn).get() ?? null
  const ofArchived = and(
    eq(archivedBestEfforts.workoutId, workoutId),
    eq(archivedBestEfforts.distanceIndex, distanceIndex),
  )
  const archived = tx.select().from(archivedBestEfforts).where(ofArchived).get()
  if (archived === undefined) return { what: 'effort', distanceIndex, own, archived: null }
  const { workoutId: _, distanceIndex: __, ...kept } = archived
  return { what: 'effort', distanceIndex, own, archived: kept }
}

/** @returns whether anything changed */
function restoreEffort(tx: Tx, effort: ArchivedEffort): boolean {
  const { id, workoutId, distanceIndex, timeMs, calculatedAt } = effort
  const ofWorkout = and(
    eq(workoutBestEfforts.workoutId, workoutId),
    eq(workoutBestEfforts.distanceIndex, distanceIndex),
  )
  const own = tx.select().from(workoutBestEfforts).where(ofWorkout).get()
  if (own !== undefined && isSameTime(own.timeMs, effort)) {
    if (effortId(own) === id && own.calculatedAt === calculatedAt) return false
    tx.update(workoutBestEfforts)
      .set({ id: storedEffortId(effort), calculatedAt })
      .where(ofWorkout)
      .run()
    return true
  }
  const fastest = fastestKnown(tx, workoutId, distanceIndex)
  if (timeMs >= fastest || isSameTime(fastest, effort)) return false
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

function isSameTime(timeMs: number, effort: ArchivedEffort): boolean {
  return (effort.isExact ? timeMs : roundHalfUp(timeMs / 1000) * 1000) === effort.timeMs
}

/**
 * The time that a restored effort must beat, milliseconds: that of the record. A workout without samples has only
 * efforts from archives, records or not; there the stored one counts. Infinity: none.
 */
function fastestKnown(tx: Tx, workoutId: string, distanceIndex: number): number {
  const [recorded] = tx.values<[number]>(sql`SELECT EXISTS (SELECT 1 FROM recording JOIN samples ON recording_id = id
    WHERE workout_id = ${workoutId} AND position = 0 AND has_estimated_times = 0)`)
  if (recorded?.[0] === 1) return recordOf(tx, distanceIndex)?.timeMs ?? Number.POSITIVE_INFINITY
  const ofEffort = and(
    eq(archivedBestEfforts.workoutId, workoutId),
    eq(archivedBestEfforts.distanceIndex, distanceIndex),
  )
  const said = tx.select({ timeMs: archivedBestEfforts.timeMs }).from(archivedBestEfforts).where(ofEffort).get()
  return said?.timeMs ?? Number.POSITIVE_INFINITY
}
