import { and, eq, gte } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { workoutBestEfforts, workoutSplits, workouts } from '../db/schema.ts'
import type { Analysis, Split } from '../engine/analysis.ts'
import { NO_TOTALS } from '../engine/totals.ts'
import type { Derived } from '../workers/derive.ts'
import { splitObjects } from './splits.ts'
import { derivedColumns, insertSplits, replaceRouteIndex } from './store.ts'
import { COLUMN_OF, TOTALS } from './total-columns.ts'

/** What was derived of a stored workout, and from what. */
export interface SavedWork extends Derived {
  /** false: a summary, of which only the totals are known. */
  readonly hasSamples: boolean
  readonly nowMs: number
}

type Stored = NonNullable<ReturnType<typeof storedNumbers>>

/**
 * Writes what a newer engine derives of a stored workout over what an older one did. What no engine derived stays: what
 * the runner wrote, what an archive of another program said, what was never there. Runs inside the caller's transaction.
 */
export function saveDerived(tx: Tx, id: string, work: SavedWork): void {
  const stored = storedNumbers(tx, id)
  if (stored === undefined) return
  const { analysis, hasSamples, nowMs } = work
  const splits = hasSamples ? ourSplits(stored, analysis.splits, splitObjects(tx, id)) : null
  if (splits !== null) saveSplits(tx, id, splits)
  if (hasSamples) {
    saveEfforts(tx, id, { efforts: analysis.bestEfforts, nowMs })
    replaceRouteIndex(tx, id, { startedAtMs: stored.startedAt, index: work.routeIndex })
  }
  const columns = derivedColumns(analysis)
  tx.update(workouts)
    .set({
      ...ourNumbers(stored, analysis, hasSamples),
      ...ourEffort(stored, work),
      ...(splits === null ? {} : { splitsCount: splits.length }),
      ...(hasSamples ? { routePreview: columns.routePreview } : {}),
      engineVersion: columns.engineVersion,
    })
    .where(eq(workouts.id, id))
    .run()
}

function storedNumbers(tx: Tx, id: string) {
  return tx.select().from(workouts).where(eq(workouts.id, id)).get()
}

/**
 * An archive of another program says the numbers itself, and its restore takes them as totals, too: they are equal, but for
 * the average speed, of which it says nothing.
 */
function saysArchive(stored: Stored): boolean {
  const totals = { ...NO_TOTALS, ...stored.deviceTotals }
  return TOTALS.every((total) => totals[total] === (total === 'avgSpeedMps' ? null : stored[COLUMN_OF[total]]))
}

/**
 * Climb and pace of the equal effort may turn out to be unknowable. Any other number that is not known now came from
 * elsewhere, such as a file that completed the workout without bringing samples, and stays.
 */
function ourNumbers(stored: Stored, analysis: Derived['analysis'], hasSamples: boolean) {
  const isLost = (before: number, now: number) => before > 0 && now <= 0
  const isNothing = isLost(stored.distanceM, analysis.distanceM) || isLost(stored.durationS, analysis.durationS)
  if (isNothing || saysArchive(stored)) return {}
  const { relativeEffort, hrZoneSeconds, splitsCount, routePreview, engineVersion, ...numbers } =
    derivedColumns(analysis)
  const known: Partial<typeof numbers> = Object.fromEntries(
    Object.entries(numbers).filter(([, value]) => value !== null),
  )
  const { gapPaceS, elevGainM, elevLossM, minElevM, maxElevM } = numbers
  return hasSamples ? { ...known, gapPaceS, elevGainM, elevLossM, minElevM, maxElevM } : known
}

/** Only who was scored here has seconds in zones; the score alone is an archive's. */
function ourEffort(stored: Stored, { analysis, hasSamples }: SavedWork) {
  const { relativeEffort, hrZoneSeconds } = derivedColumns(analysis)
  const isOurs = stored.hrZoneSeconds !== null && (hasSamples || hrZoneSeconds !== null)
  return isOurs ? { relativeEffort, hrZoneSeconds } : {}
}

/** null: the stored ones, which know no times or are none, are an archive's. */
function ourSplits(
  stored: Stored,
  splits: readonly Split[],
  before: ReturnType<typeof splitObjects>,
): readonly Split[] | null {
  const isArchived =
    before.length === 0 ? saysArchive(stored) : before.some(({ startElapsedS }) => startElapsedS === null)
  return isArchived ? null : splits
}

/** Splits keep their ids, and those that are the same are not written. */
function saveSplits(tx: Tx, id: string, splits: readonly Split[]): void {
  const before = splitObjects(tx, id)
  const stored = new Map(before.map((split) => [split.idx, split]))
  for (const split of splits) {
    const known = stored.get(split.idx)
    if (known === undefined || Bun.deepEquals(known, split)) continue
    tx.update(workoutSplits)
      .set({ ...split })
      .where(and(eq(workoutSplits.workoutId, id), eq(workoutSplits.idx, split.idx)))
      .run()
  }
  tx.delete(workoutSplits)
    .where(and(eq(workoutSplits.workoutId, id), gte(workoutSplits.idx, splits.length)))
    .run()
  insertSplits(
    tx,
    id,
    splits.filter(({ idx }) => !stored.has(idx)),
  )
}

/** Efforts keep their ids; those that are the same also when they were calculated. What archives said stays beside them. */
function saveEfforts(
  tx: Tx,
  workoutId: string,
  { efforts, nowMs }: { readonly efforts: Analysis['bestEfforts']; readonly nowMs: number },
): void {
  const stored = tx.select().from(workoutBestEfforts).where(eq(workoutBestEfforts.workoutId, workoutId)).all()
  const ofDistance = (distanceIndex: number) =>
    and(eq(workoutBestEfforts.workoutId, workoutId), eq(workoutBestEfforts.distanceIndex, distanceIndex))
  for (const { distanceIndex } of stored) {
    if (efforts.some((effort) => effort.distanceIndex === distanceIndex)) continue
    tx.delete(workoutBestEfforts).where(ofDistance(distanceIndex)).run()
  }
  for (const effort of efforts) {
    const known = stored.find(({ distanceIndex }) => distanceIndex === effort.distanceIndex)
    if (known?.timeMs === effort.timeMs && known.startMs === effort.startMs) continue
    const { timeMs, startMs } = effort
    tx.insert(workoutBestEfforts)
      .values({ ...effort, workoutId, calculatedAt: nowMs })
      .onConflictDoUpdate({
        target: [workoutBestEfforts.workoutId, workoutBestEfforts.distanceIndex],
        set: { timeMs, startMs, calculatedAt: nowMs },
      })
      .run()
  }
}
