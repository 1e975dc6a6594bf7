import { and, between, eq, gt, lt, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { workouts } from '../db/schema.ts'

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
  const columns = { id: workouts.id, hasRawFile: sql<number>`${workouts.rawFileName} IS NOT NULL`.mapWith(Boolean) }
  if (run.file !== null) {
    const sameBytes = tx
      .select(columns)
      .from(workouts)
      .where(and(eq(workouts.fileSha256, run.file.sha256), eq(workouts.fileSession, run.file.session)))
      .get()
    if (sameBytes !== undefined) return sameBytes
  }
  return tx.select(columns).from(workouts).where(isSameRun(run)).get() ?? null
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
