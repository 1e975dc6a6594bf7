import { and, eq, getTableColumns, gte, sql } from 'drizzle-orm'
import { updateRows } from '../db/insert.ts'
import type { Db, Tx } from '../db/open.ts'
import { preparedOnce } from '../db/prepared.ts'
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

// The only place that writes derived numbers. Everything runs inside the caller's transaction.

type WorkoutRow = typeof workouts.$inferInsert
type SplitRow = typeof workoutSplits.$inferInsert

/** The result of deriving a whole workout, and its parameters. */
export interface DerivedWork {
  readonly derived: DerivedRun
  readonly zones: Zones
  readonly elevation: AnalyzeOptions['elevation']
  readonly nowMs: number
  /** Numbers of a run without samples when nothing states them; absent: those stored. */
  readonly known?: Numbers
}

/**
 * Writes everything that was derived again for a stored workout, where it differs. Words, weather, and splits from an
 * archive stay.
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

/** Writes new distances of samples; times and sensor values stay as stored. */
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

/** Notes the channels of recordings of an older library, once. */
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
 * Keeps known values: a distance or duration is never replaced by zero, nor are numbers that depend on it; and the
 * numbers of a run whose samples are lost stay.
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

/** The numbers in the row of a workout. */
export function storedNumbers(stored: typeof workouts.$inferSelect): Numbers {
  const numbers = eachNumber((name) => stored[name] as number)
  return { ...numbers, hrZoneSeconds: stored.hrZoneSeconds as Numbers['hrZoneSeconds'] }
}

/** Whether the effort comes from an archive, where it was scored with unknown zones. */
function isEffortSaid(tx: Tx, { id, ours }: Pick<typeof workouts.$inferSelect, 'id' | 'ours'>): boolean {
  if (ours.includes('effort') || activeRepairs(tx, id).some(changesEffort)) return false
  return recordingKinds(tx, id).every((kind) => kind === 'archive')
}

/**
 * Whether the splits come from an archive; those stay until a recalculation or a repair. Where the archive has none,
 * they are computed.
 */
export function areSplitsSaid(
  tx: Tx,
  { id, ours, splitsCount }: Pick<typeof workouts.$inferSelect, 'id' | 'ours' | 'splitsCount'>,
): boolean {
  if (ours.includes('splits') || activeRepairs(tx, id).some(changesSamples)) return false
  const kinds = recordingKinds(tx, id)
  return kinds.includes('archive') && (splitsCount > 0 || kinds.length === 1)
}

/** Writes the splits of one workout in a unit, and marks them as computed here. @returns their number */
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

/** Marks only parts that an archive gave before. */
function withSplits(tx: Tx, id: string, ours: readonly OurPart[]): readonly OurPart[] {
  return hasArchive(tx, id) ? [...new Set<OurPart>([...ours, 'splits'])].toSorted() : ours
}

/** Whether a recording of the workout comes from an archive. */
export function hasArchive(tx: Tx, id: string): boolean {
  return recordingKinds(tx, id).includes('archive')
}

function recordingKinds(tx: Tx, id: string): Recording['kind'][] {
  const rows = tx.select({ kind: recordings.kind }).from(recordings).where(eq(recordings.workoutId, id)).all()
  return rows.map(({ kind }) => kind)
}

export function splitRows(workoutId: string, splits: readonly Split[]): SplitRow[] {
  return splits.map((split) => ({ ...split, workoutId }))
}

/** Splits keep their ids, and unchanged ones are not written. */
function writeSplits(tx: Tx, id: string, splits: readonly Split[]): void {
  const stored = new Map(splitObjects(tx, id).map((split) => [split.idx, split]))
  for (const split of splits) {
    const known = stored.get(split.idx)
    if (known === undefined || Bun.deepEquals(known, split)) continue
    updateRows(tx, workoutSplits, { set: split, where: { workoutId: id, idx: split.idx } })
  }
  if (stored.size > splits.length) {
    tx.delete(workoutSplits)
      .where(and(eq(workoutSplits.workoutId, id), gte(workoutSplits.idx, splits.length)))
      .run()
  }
  const added = splits.filter(({ idx }) => !stored.has(idx))
  insertSplits(tx, splitRows(id, added))
}

/**
 * Efforts keep their ids; unchanged ones also keep their time of calculation. Efforts from archives stay beside them.
 */
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

/** Notes that the inputs have changed, so that computations with the old inputs are repeated. */
export function touchInputs(tx: Tx, id: string): void {
  tx.update(workouts)
    .set({ inputsRevision: sql`${workouts.inputsRevision} + 1` })
    .where(eq(workouts.id, id))
    .run()
}

type SplitObject = Omit<typeof workoutSplits.$inferSelect, 'id' | 'workoutId'>

/** Prepared, and named as the API names them: drizzle would take three times as long for the thousands of a run of days. */
const splitsOf = preparedOnce((tx) => {
  const { id: _, workoutId, ...wire } = getTableColumns(workoutSplits)
  const named = Object.entries(wire).map(([name, column]) => `"${column.name}" AS "${name}"`)
  return tx.$client.prepare<SplitObject, [string]>(
    `SELECT ${named.join(', ')} FROM workout_split WHERE ${workoutId.name} = ? ORDER BY ${wire.idx.name}`,
  )
})

/** The splits of a workout in the form of the API, by index. */
export function splitObjects(tx: Tx, workoutId: string): SplitObject[] {
  return splitsOf(tx).all(workoutId)
}

/**
 * Writes relative efforts, and marks them as computed here where they came from an archive; prepared once for a whole
 * library.
 * @returns a function that writes one workout, inside a transaction
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
