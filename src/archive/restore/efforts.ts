import { and, eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/open.ts'
import { archivedBestEfforts, workoutBestEfforts, workoutSamples } from '../../db/schema.ts'
import { STANDARD_DISTANCES } from '../../engine/run/best-efforts.ts'
import { roundHalfUp } from '../../engine/units.ts'
import { workoutExists } from '../../library/add-workout.ts'
import { dataRows, type OpenArchive } from '../format/data-rows.ts'
import { numberOf, type Row, rowReader, textOf, timeOf, uuidOf } from '../format/row-fields.ts'
import type { Parts } from './parts.ts'
import type { RestoreReport } from './report.ts'

const FIELDS = ['id', 'distance', 'distanceM', 'timeS', 'timeMs', 'workoutId', 'calculatedAt'] as const
/** Metres by which programs differ in what they call a mile or a marathon. */
const SAME_DISTANCE_M = 1
/** A hundred days. */
const LONGEST_MS = 8_640_000_000

interface ArchivedEffort {
  readonly id: string
  readonly workoutId: string
  readonly distanceIndex: number
  readonly timeMs: number
  /** false: the archive has whole seconds only. */
  readonly isExact: boolean
  readonly calculatedAt: number
}

/**
 * After all workouts: an effort that the samples give as well lends them its id; a faster one is kept beside them; a
 * slower one is no news (CONTRACT 12.2).
 * @throws BadDataFile
 */
export async function restoreEfforts(
  { db, nowMs }: { readonly db: Db; readonly nowMs: number },
  { archive, parts, report }: { readonly archive: OpenArchive; readonly parts: Parts; readonly report: RestoreReport },
): Promise<void> {
  const read = rowReader(FIELDS)
  let orphans = 0
  for await (const rows of dataRows(archive, 'bestEfforts')) {
    for (const value of rows) {
      const effort = effortOf(read(value), nowMs)
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
  const samples = tx
    .select({ meta: workoutSamples.meta })
    .from(workoutSamples)
    .where(eq(workoutSamples.workoutId, workoutId))
    .get()
  return samples !== undefined && !samples.meta.includes('"hasEstimatedTimes":true')
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

function effortOf(row: Row | null, nowMs: number): ArchivedEffort | null {
  const workoutId = uuidOf(row?.workoutId)
  if (row === null || workoutId === null) return null
  const distanceIndex = distanceIndexOf(row)
  const exactMs = numberOf(row.timeMs, 1, LONGEST_MS)
  const timeMs = exactMs ?? (numberOf(row.timeS, 0.001, LONGEST_MS / 1000) ?? Number.NaN) * 1000
  if (distanceIndex === -1 || !(timeMs > 0)) return null
  return {
    id: uuidOf(row.id) ?? Bun.randomUUIDv7(),
    workoutId,
    distanceIndex,
    timeMs: roundHalfUp(timeMs),
    isExact: exactMs !== null,
    calculatedAt: timeOf(row.calculatedAt) ?? nowMs,
  }
}

/** By label, else by metres; -1 for a distance that is no standard one. */
function distanceIndexOf(row: Row): number {
  const label = textOf(row.distance)?.trim().toLowerCase()
  const labelled = STANDARD_DISTANCES.findIndex((distance) => distance.label.toLowerCase() === label)
  if (labelled !== -1) return labelled
  const metres = numberOf(row.distanceM)
  if (metres === null) return -1
  return STANDARD_DISTANCES.findIndex(({ distanceM }) => Math.abs(distanceM - metres) <= SAME_DISTANCE_M)
}
