import { and, eq } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { archivedBestEfforts, workoutBestEfforts } from '../../db/schema.ts'
import { roundHalfUp } from '../../engine/units.ts'
import { commitItem, type RunChange } from '../../library/commit.ts'
import { isJoined, isResampled, runHead } from '../../library/documents/run.ts'
import { measuredRecordOf } from '../../library/effort-ranks.ts'
import { isCreatedBy } from '../../library/receipts/record.ts'
import { effortId } from '../../library/row-ids.ts'
import { eachRow } from '../format/data-rows.ts'
import { type ArchivedEffort, effortOfRow } from '../format/run-rows.ts'
import type { RestoreWork } from './parts.ts'

/**
 * Runs after all workouts. An effort equal to one computed from the samples passes on its id; a faster one is stored
 * beside them; a slower one is ignored (docs/api.md 12.2).
 * @throws BadDataFile
 */
export async function restoreEfforts({ deps, archive, parts, report, receipt, whole }: RestoreWork): Promise<void> {
  const { db, now } = deps
  let orphans = 0
  for await (const value of eachRow(archive, 'bestEfforts', report.warn)) {
    report.read('bestEfforts')
    const effort = effortOfRow(value, now())
    if (effort === null) {
      report.failed('bestEfforts', 'Best efforts without workout, distance or time')
      continue
    }
    if (whole.has(effort.workoutId)) {
      report.imported('bestEfforts')
      continue
    }
    const workoutId = parts.storedId(effort.workoutId) ?? effort.workoutId
    const isNews = db.transaction((tx) => {
      const change = effortChange(tx, { ...effort, workoutId }, now())
      if (change === null || change === 'orphan') return change
      // an effort of a workout created by this restore is undone together with it
      const isOfOther = receipt !== null && !isCreatedBy(tx, receipt.id, workoutId)
      commitItem(tx, deps, { changes: [change], item: { outcome: 'changed', workoutId } }, isOfOther ? receipt : null)
      return 'changed'
    })
    if (isNews === 'orphan') orphans += 1
    if (isNews === 'changed') report.imported('bestEfforts')
  }
  if (orphans > 0) report.warn(`Rows of bestEfforts without their workout, skipped: ${orphans}`)
}

/** What an effort changes of its run, which the runner does not see as a change of it; null: nothing. */
function effortChange(tx: Tx, effort: ArchivedEffort, nowMs: number): RunChange | 'orphan' | null {
  const { id, workoutId, distanceIndex, calculatedAt } = effort
  const head = runHead(tx, workoutId)
  if (head === null) return 'orphan'
  const { seq: from, body, asked } = head
  const change = { kind: 'run', id: workoutId, from, to: body, asked } as const
  const own = tx
    .select()
    .from(workoutBestEfforts)
    .where(isOf(workoutBestEfforts, workoutId, distanceIndex))
    .get()
  const isOwn = own !== undefined && isSameTime(own.timeMs, effort)
  if (isOwn && effortId(own) === id && own.calculatedAt === calculatedAt) return null
  const { carried, track } = body
  if (isOwn) {
    const { [distanceIndex]: _, ...times } = asked.effortTimes ?? {}
    const { effortTimes: __, ...rest } = asked
    const effortTimes = calculatedAt === body.createdAt ? times : { ...times, [distanceIndex]: calculatedAt }
    const isMade = effortId(own) === id
    const effortIds = isMade ? carried?.effortIds : { ...carried?.effortIds, [distanceIndex]: id }
    return {
      ...change,
      ...(isMade ? {} : { to: { ...body, carried: { ...carried, ...(effortIds && { effortIds }) } } }),
      asked: Object.keys(effortTimes).length === 0 ? rest : { ...rest, effortTimes },
    }
  }
  const fastest = fastestKnown(tx, workoutId, distanceIndex)
  if (effort.timeMs >= fastest || isSameTime(fastest, effort)) return null
  // those of before were forgotten when efforts were computed again
  const { ours = [], ...rest } = asked
  const others = ours.filter((part) => part !== 'bestEfforts')
  const known = others.length < ours.length ? [] : (carried?.efforts ?? [])
  const isLate = isJoined(track) || isResampled(track)
  const stated = { id, distanceIndex, timeMs: effort.timeMs, calculatedAt, ...(isLate ? { statedAt: nowMs } : {}) }
  const efforts = [...known.filter((one) => one.distanceIndex !== distanceIndex), stated]
  return {
    ...change,
    to: { ...body, carried: { ...carried, efforts } },
    asked: others.length === 0 ? rest : { ...rest, ours: others },
  }
}

function isSameTime(timeMs: number, effort: ArchivedEffort): boolean {
  return (effort.isExact ? timeMs : roundHalfUp(timeMs / 1000) * 1000) === effort.timeMs
}

const TIMED = `SELECT 1 FROM run_recording JOIN samples USING (recording_id) JOIN recording ON recording.id = recording_id
  WHERE run_id = ? AND live = 1 AND has_estimated_times = 0 LIMIT 1`

/**
 * The time that a restored effort must beat, milliseconds: that of the measured record. A workout without samples has only
 * efforts from archives, records or not; there the stored one counts. Infinity: none.
 */
function fastestKnown(tx: Tx, workoutId: string, distanceIndex: number): number {
  if (tx.$client.query(TIMED).get(workoutId) !== null) {
    return measuredRecordOf(tx, distanceIndex)?.timeMs ?? Number.POSITIVE_INFINITY
  }
  const isSaid = isOf(archivedBestEfforts, workoutId, distanceIndex)
  return tx.select().from(archivedBestEfforts).where(isSaid).get()?.timeMs ?? Number.POSITIVE_INFINITY
}

function isOf(table: typeof workoutBestEfforts | typeof archivedBestEfforts, workoutId: string, distanceIndex: number) {
  return and(eq(table.workoutId, workoutId), eq(table.distanceIndex, distanceIndex))
}
