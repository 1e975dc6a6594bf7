import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { recordings, repairs, samples } from '../db/schema.ts'
import type { FileType, RecordingOrigin, RecordingWords } from '../db/stored.ts'
import type { Said } from '../engine/numbers.ts'
import type { Channel } from '../engine/run/channels.ts'
import type { Recording } from '../engine/run/telling.ts'
import type { PackedSamples } from '../workers/pack.ts'

/** One telling of a run as it is stored; nothing of it changes afterwards but whose it is and its position. */
export interface NewRecording {
  readonly id: string
  readonly origin: RecordingOrigin
  readonly kind: Recording['kind']
  readonly externalId: string | null
  readonly file: RecordedFile | null
  readonly startedAtMs: number
  readonly utcOffsetMinutes: number | null
  readonly said: Said
  readonly words: RecordingWords
  /** JSON text. */
  readonly weather: string | null
  readonly samples: PackedSamples | null
  /** null: not looked at yet. */
  readonly channels: readonly Channel[] | null
  /** What was read out of the original lies beside it. */
  readonly hasRaw: boolean
  readonly hasEstimatedTimes: boolean
  readonly addedAtMs: number
}

export interface RecordedFile {
  /** SHA-256 of the unpacked bytes and the place of the run in them; null: the bytes cannot be unpacked. */
  readonly sha256: string | null
  readonly session: number | null
  readonly name: string
  /** null: nobody knows. */
  readonly type: FileType | null
  /** false: only its name is known. */
  readonly isStored: boolean
}

export type StoredRecording = typeof recordings.$inferSelect

/** @param place.position 0: its samples count */
export function insertRecording(
  tx: Tx,
  workoutId: string,
  { recording, seq, position }: { readonly recording: NewRecording; readonly seq: number; readonly position: number },
): void {
  const { id, file } = recording
  tx.insert(recordings)
    .values({
      id,
      workoutId,
      seq,
      position,
      origin: recording.origin,
      kind: recording.kind,
      externalId: recording.externalId,
      fileSha256: file?.sha256 ?? null,
      fileSession: file?.sha256 ? (file.session ?? 0) : null,
      fileName: file?.name ?? null,
      fileType: file?.type ?? null,
      storedAs: file?.isStored === true ? id : null,
      startedAt: recording.startedAtMs,
      utcOffsetMinutes: recording.utcOffsetMinutes,
      totals: recording.said,
      words: recording.words,
      weather: recording.weather,
      channels: recording.channels === null ? null : [...recording.channels],
      hasRaw: recording.hasRaw,
      hasEstimatedTimes: recording.hasEstimatedTimes,
      addedAt: recording.addedAtMs,
    })
    .run()
  if (recording.samples !== null) insertSamples(tx, id, recording.samples)
}

function insertSamples(tx: Tx, recordingId: string, packed: PackedSamples): void {
  tx.insert(samples)
    .values({
      recordingId,
      sampleCount: packed.sampleCount,
      meta: packed.meta,
      timeHr: Buffer.from(packed.timeHr),
      track: Buffer.from(packed.track),
      rest: Buffer.from(packed.rest),
    })
    .run()
}

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
