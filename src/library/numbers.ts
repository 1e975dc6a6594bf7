import { and, asc, eq, getTableColumns, gte, sql } from 'drizzle-orm'
import type { Db, Tx } from '../db/open.ts'
import { recordings, routeIndexes, samples, workoutSplits, workouts } from '../db/schema.ts'
import { workoutBestEfforts } from '../db/schema-efforts.ts'
import type { OurPart } from '../db/stored.ts'
import type { Analysis, AnalyzeOptions, Split, Zones } from '../engine/analysis.ts'
import { ENGINE_VERSION } from '../engine/analyze.ts'
import { eachNumber, type Numbers } from '../engine/numbers.ts'
import { changesEffort, changesSamples } from '../engine/repair/repairs.ts'
import type { RelativeEffort } from '../engine/run/effort.ts'
import type { Recording } from '../engine/run/telling.ts'
import type { DerivedRun } from '../workers/derive.ts'
import type { RouteIndex } from '../workers/route-index.ts'
import { insertRouteIndex, insertSplits, numberColumns, previewColumn } from './add-workout.ts'
import { storedEfforts } from './effort-rows.ts'
import { boundsOfZones } from './inputs.ts'
import { activeRepairs, hasSamples, recordingsOf } from './recordings.ts'
import { writeTraining } from './training/rows.ts'

// The only place that writes a number that was derived. Runs inside the caller's transaction.

type WorkoutRow = typeof workouts.$inferInsert
type SplitRow = typeof workoutSplits.$inferInsert

/** What was derived of a whole workout, and with what. */
export interface DerivedWork {
  readonly derived: DerivedRun
  readonly zones: Zones
  readonly elevation: AnalyzeOptions['elevation']
  readonly nowMs: number
  /** Of a run without samples, where nothing tells; absent: what is stored. */
  readonly known?: Numbers
}

/**
 * Writes everything that was derived anew of a stored workout, where it differs. The words, the weather and the splits that
 * an archive said stay.
 */
export function writeRun(tx: Tx, id: string, { derived, zones, elevation, nowMs, known }: DerivedWork): void {
  const { analysis, routeIndex, hasHeartRate } = derived
  const stored = tx.select().from(workouts).where(eq(workouts.id, id)).get()
  if (stored === undefined) return
  const isRecorded = hasSamples(tx, id)
  const splits = !isRecorded || areSplitsSaid(tx, stored) ? null : analysis.splits
  if (splits !== null) writeSplits(tx, id, splits)
  if (isRecorded) {
    writeEfforts(tx, id, { efforts: analysis.bestEfforts, nowMs })
    writeRouteIndex(tx, id, { startedAtMs: stored.startedAt, index: routeIndex })
  }
  const row: Partial<WorkoutRow> = {
    ...numberColumns(guarded(stored, analysis, { isRecorded, known: known ?? storedNumbers(stored) })),
    ...(splits === null ? {} : { splitsCount: splits.length }),
    ...(isRecorded ? { routePreview: previewColumn(analysis.preview), hasTimeSeriesHr: hasHeartRate } : {}),
    engineVersion: ENGINE_VERSION,
    ...(isEffortSaid(tx, stored) ? {} : { effortZones: boundsOfZones(zones) }),
    elevationSettings: elevation,
  }
  const isOther = Object.entries(row).some(([name, value]) => !Bun.deepEquals(stored[name as keyof typeof row], value))
  if (isOther) tx.update(workouts).set(row).where(eq(workouts.id, id)).run()
  writeTraining(tx, id, derived.training)
  noteChannels(tx, id, derived.channels)
  writeRemade(tx, id, derived.remade)
}

/** Only their distance is other, so that time and sensors stay as they are stored. */
function writeRemade(tx: Tx, id: string, remade: DerivedRun['remade']): void {
  if (remade.every((packed) => packed === null)) return
  for (const { id: recordingId, seq } of recordingsOf(tx, id)) {
    const packed = remade[seq]
    if (!packed) continue
    tx.update(samples)
      .set({ track: Buffer.from(packed.track) })
      .where(eq(samples.recordingId, recordingId))
      .run()
  }
}

/** What a recording of an older library has values of is looked at once. */
function noteChannels(tx: Tx, id: string, channels: DerivedRun['channels']): void {
  for (const { id: recordingId, channels: known, seq } of recordingsOf(tx, id)) {
    const found = channels[seq]
    if (known !== null || found === undefined) continue
    tx.update(recordings)
      .set({ channels: [...found] })
      .where(eq(recordings.id, recordingId))
      .run()
  }
}

/**
 * Zero never takes the place of a distance or a duration that was known, nor of what belongs to it; and what was known of a
 * run whose samples are lost stays.
 */
function guarded(
  stored: typeof workouts.$inferSelect,
  analysis: Numbers,
  { isRecorded, known }: { readonly isRecorded: boolean; readonly known: Numbers },
): Numbers {
  const isLost = (before: number, now: number) => before > 0 && now <= 0
  const keepsAll = isLost(stored.distanceM, analysis.distanceM) || isLost(stored.durationS, analysis.durationS)
  const kept = <T>(before: T, now: T) => (keepsAll || (!isRecorded && now === null) ? before : now)
  return {
    ...(eachNumber((name) => kept<number | null>(known[name], analysis[name])) as typeof analysis),
    hrZoneSeconds: kept(known.hrZoneSeconds, analysis.hrZoneSeconds),
  }
}

/** The numbers of a workout as they stand in its row. */
export function storedNumbers(stored: typeof workouts.$inferSelect): Numbers {
  const numbers = eachNumber((name) => stored[name] as number)
  return { ...numbers, hrZoneSeconds: stored.hrZoneSeconds as Numbers['hrZoneSeconds'] }
}

/** An effort that an archive said was scored with zones that nobody knows. */
function isEffortSaid(tx: Tx, { id, ours }: Pick<typeof workouts.$inferSelect, 'id' | 'ours'>): boolean {
  if (ours.includes('effort') || activeRepairs(tx, id).some(changesEffort)) return false
  return recordingKinds(tx, id).every((kind) => kind === 'archive')
}

/** Splits that an archive said stay until a recalculation or a repair; where it said none, other recordings are cut. */
export function areSplitsSaid(
  tx: Tx,
  { id, ours, splitsCount }: Pick<typeof workouts.$inferSelect, 'id' | 'ours' | 'splitsCount'>,
): boolean {
  if (ours.includes('splits') || activeRepairs(tx, id).some(changesSamples)) return false
  const kinds = recordingKinds(tx, id)
  return kinds.includes('archive') && (splitsCount > 0 || kinds.length === 1)
}

/** Splits of one workout in a unit, and that they are ours now. @returns how many there are */
export function writeCut(
  tx: Tx,
  id: string,
  { splits, splitUnitM }: { readonly splits: readonly Split[]; readonly splitUnitM: number },
): number {
  const stored = tx
    .select({ splitsCount: workouts.splitsCount, splitUnitM: workouts.splitUnitM, ours: workouts.ours })
    .from(workouts)
    .where(eq(workouts.id, id))
    .get()
  if (stored === undefined) return 0
  writeSplits(tx, id, splits)
  const row = { splitsCount: splits.length, splitUnitM, ours: withSplits(tx, id, stored.ours) }
  if (!Bun.deepEquals(row, stored)) tx.update(workouts).set(row).where(eq(workouts.id, id)).run()
  return splits.length
}

/** Only what an archive said can be taken over. */
function withSplits(tx: Tx, id: string, ours: readonly OurPart[]): readonly OurPart[] {
  const isArchived = recordingKinds(tx, id).includes('archive')
  return isArchived ? [...new Set<OurPart>([...ours, 'splits'])].toSorted() : ours
}

function recordingKinds(tx: Tx, id: string): Recording['kind'][] {
  const rows = tx.select({ kind: recordings.kind }).from(recordings).where(eq(recordings.workoutId, id)).all()
  return rows.map(({ kind }) => kind)
}

export function splitRows(workoutId: string, splits: readonly Split[]): SplitRow[] {
  return splits.map((split) => ({ ...split, workoutId }))
}

/** Splits keep their ids, and those that are the same are not written. */
function writeSplits(tx: Tx, id: string, splits: readonly Split[]): void {
  const stored = new Map(splitObjects(tx, id).map((split) => [split.idx, split]))
  for (const split of splits) {
    const known = stored.get(split.idx)
    if (known === undefined || Bun.deepEquals(known, split)) continue
    tx.update(workoutSplits)
      .set(split)
      .where(and(eq(workoutSplits.workoutId, id), eq(workoutSplits.idx, split.idx)))
      .run()
  }
  if (stored.size > splits.length) {
    tx.delete(workoutSplits)
      .where(and(eq(workoutSplits.workoutId, id), gte(workoutSplits.idx, splits.length)))
      .run()
  }
  const added = splits.filter(({ idx }) => !stored.has(idx))
  insertSplits(tx, splitRows(id, added))
}

/** Efforts keep their ids; those that are the same also when they were calculated. What archives said stays beside them. */
function writeEfforts(
  tx: Tx,
  workoutId: string,
  { efforts, nowMs }: { readonly efforts: Analysis['bestEfforts']; readonly nowMs: number },
): void {
  const stored = storedEfforts(tx, workoutId)
  const { workoutId: ofWorkout, distanceIndex: ofDistance } = workoutBestEfforts
  for (const { distanceIndex } of stored) {
    if (efforts.some((effort) => effort.distanceIndex === distanceIndex)) continue
    tx.delete(workoutBestEfforts)
      .where(and(eq(ofWorkout, workoutId), eq(ofDistance, distanceIndex)))
      .run()
  }
  for (const effort of efforts) {
    if (stored.some((known) => Bun.deepEquals(known, effort))) continue
    const { timeMs, startMs, implausibleReason } = effort
    tx.insert(workoutBestEfforts)
      .values({ ...effort, workoutId, calculatedAt: nowMs })
      .onConflictDoUpdate({
        target: [ofWorkout, ofDistance],
        set: { timeMs, startMs, implausibleReason, calculatedAt: nowMs },
      })
      .run()
  }
}

/** @param route.index null: the workout has no route and gets no row */
export function writeRouteIndex(
  tx: Tx,
  workoutId: string,
  { startedAtMs, index }: { readonly startedAtMs: number; readonly index: RouteIndex | null },
): void {
  tx.delete(routeIndexes).where(eq(routeIndexes.workoutId, workoutId)).run()
  if (index !== null) insertRouteIndex(tx, workoutId, { startedAtMs, index })
}

/** What the numbers are made of has changed: whoever is at work on the old inputs begins anew. */
export function touchInputs(tx: Tx, id: string): void {
  tx.update(workouts)
    .set({ inputsRevision: sql`${workouts.inputsRevision} + 1` })
    .where(eq(workouts.id, id))
    .run()
}

/** The splits of a workout as the wire has them, by index. */
export function splitObjects(tx: Tx, workoutId: string) {
  const { id: _, workoutId: __, ...wire } = getTableColumns(workoutSplits)
  return tx
    .select(wire)
    .from(workoutSplits)
    .where(eq(workoutSplits.workoutId, workoutId))
    .orderBy(asc(workoutSplits.idx))
    .all()
}

/**
 * Writes scores, and that they are ours now where an archive said others; prepared once for a whole library.
 * @returns a function that writes one workout, inside of a transaction
 */
export function effortWriter({
  $client: client,
}: Db): (id: string, effort: RelativeEffort | null, zones: Zones) => void {
  const write = client.prepare(
    'UPDATE workout SET relative_effort = ?, hr_zone_seconds = ?, effort_zones = ?, ours = coalesce(?, ours) WHERE id = ?',
  )
  const archived = new Map(
    client
      .query<{ id: string; ours: string }, []>(
        `SELECT DISTINCT w.id, w.ours FROM recording r JOIN workout w ON w.id = r.workout_id WHERE r.kind = 'archive'`,
      )
      .all()
      .map(({ id, ours }) => [id, JSON.parse(ours) as OurPart[]]),
  )
  return (id, effort, zones) => {
    const ours = archived.get(id)
    write.run(
      effort?.relativeEffort ?? null,
      effort === null ? null : JSON.stringify(effort.zoneSeconds),
      JSON.stringify(boundsOfZones(zones)),
      ours === undefined ? null : JSON.stringify([...new Set<OurPart>([...ours, 'effort'])].toSorted()),
      id,
    )
  }
}
