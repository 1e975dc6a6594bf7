import { and, eq, gt, lt, sql } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { workouts } from '../db/schema.ts'

/** What tells a run from others. */
export interface RunIdentity {
  readonly startedAtMs: number
  readonly distanceM: number
  readonly durationS: number
  /** SHA-256 of the unpacked original and the run's place in it; null without file. */
  readonly file: { readonly sha256: string; readonly session: number } | null
}

export interface StoredRun {
  readonly id: string
  readonly hasRawFile: boolean
}

const SAME_DISTANCE_M = 1

/** The stored workout that is the same run: same bytes and session, or same start, duration and distance within 1 m. */
export function duplicateOf(tx: Tx, run: RunIdentity): StoredRun | null {
  const columns = { id: workouts.id, hasRawFile: sql<number>`${workouts.rawFileName} IS NOT NULL`.mapWith(Boolean) }
  if (run.file !== null) {
    const sameBytes = tx
      .select(columns)
      .from(workouts)
      .where(and(eq(workouts.fileSha256, run.file.sha256), eq(workouts.fileSession, run.file.session)))
      .get()
    if (sameBytes !== undefined) return sameBytes
  }
  const sameRun = tx
    .select(columns)
    .from(workouts)
    .where(
      and(
        eq(workouts.startedAt, run.startedAtMs),
        eq(workouts.durationS, run.durationS),
        gt(workouts.distanceM, run.distanceM - SAME_DISTANCE_M),
        lt(workouts.distanceM, run.distanceM + SAME_DISTANCE_M),
      ),
    )
    .get()
  return sameRun ?? null
}
