import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { recordings, repairs, samples } from '../db/schema.ts'
import type { PackedSamples } from '../workers/pack.ts'

export type StoredRecording = typeof recordings.$inferSelect

/** The recordings of a workout in the order of their arrival. */
export function recordingsOf(tx: Tx, workoutId: string): StoredRecording[] {
  return tx.select().from(recordings).where(eq(recordings.workoutId, workoutId)).orderBy(asc(recordings.seq)).all()
}

export function samplesOf(tx: Tx, recordingId: string): PackedSamples | null {
  return tx.select().from(samples).where(eq(samples.recordingId, recordingId)).get() ?? null
}

/** The repairs of a workout that are not undone, in the order in which they were made. */
export function activeRepairRows(tx: Tx, workoutId: string) {
  return tx
    .select()
    .from(repairs)
    .where(and(eq(repairs.workoutId, workoutId), isNull(repairs.undoneAt)))
    .orderBy(asc(repairs.seq))
    .all()
}

/** @returns the place of a repair after all that the workout ever had */
export function nextRepair(tx: Tx, workoutId: string): number {
  const row = tx
    .select({ seq: sql<number | null>`max(${repairs.seq})` })
    .from(repairs)
    .where(eq(repairs.workoutId, workoutId))
    .get()
  return (row?.seq ?? -1) + 1
}

/**
 * Gives position 0 to the recording whose samples count: that with most channels, then most samples, then the first to
 * arrive; the others follow as they arrived. Not while a repair is active, which is of the samples that counted.
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
  // two may not stand in one place, not even between two statements
  tx.update(recordings)
    .set({ position: sql`-1 - ${recordings.seq}` })
    .where(eq(recordings.workoutId, workoutId))
    .run()
  for (const [position, { id }] of ranked.entries()) {
    tx.update(recordings).set({ position }).where(eq(recordings.id, id)).run()
  }
}
