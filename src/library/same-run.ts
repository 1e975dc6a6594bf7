import { and, between, eq, gt, inArray, isNull, lt, type SQL } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { recordings, repairs, workouts } from '../db/schema.ts'

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

const SAME_DISTANCE_M = 1

/** The same run by the start that was told of it, which the runner moved since. */
export function movedRun(tx: Tx, run: RunIdentity): { readonly id: string } | undefined {
  return tx
    .select({ id: workouts.id })
    .from(recordings)
    .innerJoin(workouts, eq(workouts.id, recordings.workoutId))
    .innerJoin(
      repairs,
      and(eq(repairs.workoutId, workouts.id), inArray(repairs.kind, ['shift', 'numbers']), isNull(repairs.undoneAt)),
    )
    .where(isSameRun(run, recordings.startedAt))
    .get()
}

/** Same start, duration and distance within 1 m; of a summary row the same second. */
export function isSameRun(
  { startedAtMs, distanceM, durationS, isSummary }: RunIdentity,
  startedAt: typeof workouts.startedAt | typeof recordings.startedAt,
): SQL | undefined {
  if (isSummary) {
    const secondMs = Math.floor(startedAtMs / 1000) * 1000
    return between(startedAt, secondMs, secondMs + 999)
  }
  return and(
    eq(startedAt, startedAtMs),
    eq(workouts.durationS, durationS),
    gt(workouts.distanceM, distanceM - SAME_DISTANCE_M),
    lt(workouts.distanceM, distanceM + SAME_DISTANCE_M),
  )
}
