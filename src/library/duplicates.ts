import { and, between, eq, gt, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { recordings, workouts } from '../db/schema.ts'

/** What tells a run from others. */
export interface RunIdentity {
  readonly startedAtMs: number
  readonly distanceM: number
  readonly durationS: number
  /** A row of Strava's table without file: any run that started in the same second is the same (CONTRACT 7.3). */
  readonly isSummary: boolean
  /** SHA-256 of the unpacked original and the run's place in it; null without file. */
  readonly file: { readonly sha256: string; readonly session: number } | null
}

export interface StoredRun {
  readonly id: string
  readonly hasRawFile: boolean
}

const SAME_DISTANCE_M = 1

/**
 * The stored workout that is the same run: same bytes and session, or same start, duration and distance within 1 m; for
 * a summary row, whose date has whole seconds and whose totals are Strava's, the same second.
 */
export function duplicateOf(tx: Tx, run: RunIdentity): StoredRun | null {
  if (run.file !== null) {
    const sameBytes = tx
      .select({ id: recordings.workoutId })
      .from(recordings)
      .where(
        and(
          eq(recordings.fileSha256, run.file.sha256),
          eq(recordings.fileSession, run.file.session),
          isNull(recordings.partFromMs),
        ),
      )
      .get()
    if (sameBytes !== undefined) return { id: sameBytes.id, hasRawFile: hasOriginal(tx, sameBytes.id) }
  }
  const same = tx.select({ id: workouts.id }).from(workouts).where(isSameRun(run)).get()
  return same === undefined ? null : { id: same.id, hasRawFile: hasOriginal(tx, same.id) }
}

function hasOriginal(tx: Tx, workoutId: string): boolean {
  const stored = tx
    .select({ one: sql<number>`1` })
    .from(recordings)
    .where(and(eq(recordings.workoutId, workoutId), isNotNull(recordings.fileName)))
    .get()
  return stored !== undefined
}

function isSameRun({ startedAtMs, distanceM, durationS, isSummary }: RunIdentity): SQL | undefined {
  if (isSummary) {
    const secondMs = Math.floor(startedAtMs / 1000) * 1000
    return between(workouts.startedAt, secondMs, secondMs + 999)
  }
  return and(
    eq(workouts.startedAt, startedAtMs),
    eq(workouts.durationS, durationS),
    gt(workouts.distanceM, distanceM - SAME_DISTANCE_M),
    lt(workouts.distanceM, distanceM + SAME_DISTANCE_M),
  )
}
