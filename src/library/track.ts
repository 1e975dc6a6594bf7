import { and, eq } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { recordings, samples } from '../db/schema.ts'
import { repaired } from '../engine/settle.ts'
import type { Track } from '../engine/track.ts'
import { startMsOf, unpackPositions, unpackTrack } from '../workers/pack.ts'
import { activeRepairs } from './inputs.ts'

// What readers of samples ask for: the track of a workout as its repairs leave it. Of a workout without repair only the
// groups of columns are unpacked that the question needs.

const PACKED = {
  sampleCount: samples.sampleCount,
  meta: samples.meta,
  timeHr: samples.timeHr,
  track: samples.track,
  rest: samples.rest,
} as const

/** All samples of a workout; null when it has none. */
export function workoutTrack(tx: Tx, workoutId: string): Track | null {
  const packed = primary(tx, workoutId)
  return packed === undefined ? null : repaired(unpackTrack(packed), activeRepairs(tx)(workoutId))
}

/** Degrees; NaN where a row has no position. */
export function workoutPositions(tx: Tx, workoutId: string): Pick<Track, 'latDeg' | 'lonDeg'> | null {
  if (activeRepairs(tx)(workoutId).length > 0) return workoutTrack(tx, workoutId)
  const packed = primary(tx, workoutId)
  return packed === undefined ? null : unpackPositions(packed.track)
}

/** Unix milliseconds of elapsed second 0 of the samples that count, before repairs. */
export function recordedStartMs(tx: Tx, workoutId: string): number | null {
  const packed = primary(tx, workoutId)
  return packed === undefined ? null : startMsOf(packed)
}

/** True when the workout has samples. */
export function hasSamples(tx: Tx, workoutId: string): boolean {
  return primary(tx, workoutId) !== undefined
}

function primary(tx: Tx, workoutId: string) {
  return tx
    .select(PACKED)
    .from(recordings)
    .innerJoin(samples, eq(samples.recordingId, recordings.id))
    .where(and(eq(recordings.workoutId, workoutId), eq(recordings.position, 0)))
    .get()
}
