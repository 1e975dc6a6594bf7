import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '../db/open.ts'
import { recordings, repairs, samples } from '../db/schema.ts'
import type { Repair } from '../engine/repair/repairs.ts'
import type { Positions, Track } from '../engine/track.ts'
import { positionsOf, type StoredTrack, trackOf } from '../workers/compute.ts'
import type { PackedSamples } from '../workers/pack.ts'
import type { PassSamples } from '../workers/passes.ts'

export type StoredRecording = typeof recordings.$inferSelect
export type StoredRepair = typeof repairs.$inferSelect

/** The recordings of a workout in the order of their arrival. */
export function recordingsOf(tx: Tx, workoutId: string): StoredRecording[] {
  return tx.select().from(recordings).where(eq(recordings.workoutId, workoutId)).orderBy(asc(recordings.seq)).all()
}

export function samplesOf(tx: Tx, recordingId: string): PackedSamples | null {
  return tx.select().from(samples).where(eq(samples.recordingId, recordingId)).get() ?? null
}

/** The active repairs of a workout, in the order in which they were made. */
export function activeRepairRows(tx: Tx, workoutId: string) {
  return tx
    .select()
    .from(repairs)
    .where(and(eq(repairs.workoutId, workoutId), isNull(repairs.undoneAt)))
    .orderBy(asc(repairs.seq))
    .all()
}

/** @returns the index for a new repair, after all that the workout ever had */
export function nextRepair(tx: Tx, workoutId: string): number {
  const row = tx
    .select({ seq: sql<number | null>`max(${repairs.seq})` })
    .from(repairs)
    .where(eq(repairs.workoutId, workoutId))
    .get()
  return (row?.seq ?? -1) + 1
}

/**
 * Gives position 0 to the recording whose samples count: that with the most channels, then the most samples, then the
 * first to arrive; the others follow in order of arrival. Reverting calls it once no repair is active, since the times
 * of repairs are on the clock of the samples that counted.
 */
export function choosePrimary(tx: Tx, workoutId: string): void {
  const all = tx
    .select({ id: recordings.id, seq: recordings.seq, channels: recordings.channels, count: samples.sampleCount })
    .from(recordings)
    .leftJoin(samples, eq(samples.recordingId, recordings.id))
    .where(eq(recordings.workoutId, workoutId))
    .orderBy(asc(recordings.seq))
    .all()
  const ranked = all.toSorted(
    (a, b) =>
      Number(b.count !== null) - Number(a.count !== null) ||
      (b.channels?.length ?? 0) - (a.channels?.length ?? 0) ||
      (b.count ?? 0) - (a.count ?? 0) ||
      a.seq - b.seq,
  )
  // unique positions: two rows may not share one, not even between two statements
  tx.update(recordings)
    .set({ position: sql`-1 - ${recordings.seq}` })
    .where(eq(recordings.workoutId, workoutId))
    .run()
  for (const [position, { id }] of ranked.entries()) {
    tx.update(recordings).set({ position }).where(eq(recordings.id, id)).run()
  }
}

/**
 * The active repairs of a workout in the engine's form. The splits that a repair keeps for its reverting, thousands of a
 * run of days, are not read.
 */
export function activeRepairs(tx: Tx, workoutId: string): Repair[] {
  return tx
    .select({ kind: repairs.kind, data: sql<string>`json_remove(${repairs.data}, '$.zonesBefore', '$.before')` })
    .from(repairs)
    .where(and(eq(repairs.workoutId, workoutId), isNull(repairs.undoneAt)))
    .orderBy(asc(repairs.seq))
    .all()
    .map(({ kind, data }) => ({ kind, ...JSON.parse(data) }) as Repair)
}

/** A stored repair in the engine's form. */
export function repairOf({ kind, data }: Pick<StoredRepair, 'kind' | 'data'>): Repair {
  const { zonesBefore: _, before: __, ...change } = data
  return { kind, ...change } as Repair
}

// Reads the track of a workout with its repairs applied.

const PACKED = {
  sampleCount: samples.sampleCount,
  meta: samples.meta,
  timeHr: samples.timeHr,
  track: samples.track,
  rest: samples.rest,
} as const

/** The samples that count, packed, and the repairs of a workout; null when it has none. */
export function storedTrack(tx: Tx, workoutId: string): StoredTrack | null {
  const packed = primary(tx, workoutId)
  return packed === undefined ? null : { samples: packed, repairs: activeRepairs(tx, workoutId) }
}

/**
 * The samples that a search through many runs reads: for a run without repairs, neither cadence nor power, which take
 * as much as the rest. null when it has no samples.
 */
export function searchedTrack(db: Db, workoutId: string): PassSamples | StoredTrack | null {
  const found = db.$client
    .query<PassSamples & { isRepaired: 0 | 1 }, [string]>(
      `SELECT samples.meta, samples.time_hr AS timeHr, samples.track,
         EXISTS (SELECT 1 FROM repair WHERE repair.workout_id = recording.workout_id AND undone_at IS NULL) AS isRepaired
       FROM recording JOIN samples ON samples.recording_id = recording.id
       WHERE recording.workout_id = ? AND recording.position = 0`,
    )
    .get(workoutId)
  if (found === null) return null
  const { isRepaired, ...samples } = found
  return isRepaired === 1 ? storedTrack(db, workoutId) : samples
}

/** All samples of a workout; null when it has none. */
export function workoutTrack(tx: Tx, workoutId: string): Track | null {
  const stored = storedTrack(tx, workoutId)
  return stored && trackOf(stored)
}

/** Degrees; NaN where a row has no position. */
export function workoutPositions(tx: Tx, workoutId: string): Positions | null {
  const stored = storedTrack(tx, workoutId)
  return stored && positionsOf(stored)
}

/** Whether the workout has samples. */
export function hasSamples(tx: Tx, workoutId: string): boolean {
  const counted = tx.select({ id: samples.recordingId }).from(recordings)
  return counted.innerJoin(samples, OF_RECORDING).where(isPrimaryOf(workoutId)).get() !== undefined
}

function primary(tx: Tx, workoutId: string) {
  return tx.select(PACKED).from(recordings).innerJoin(samples, OF_RECORDING).where(isPrimaryOf(workoutId)).get()
}

const OF_RECORDING = eq(samples.recordingId, recordings.id)

function isPrimaryOf(workoutId: string) {
  return and(eq(recordings.workoutId, workoutId), eq(recordings.position, 0))
}
