import { eq } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { workouts } from '../../db/schema.ts'
import { recordingsOf } from '../recordings.ts'

/** Why a run was skipped that is already stored. @param file the file that contained it; null: none */
export function knownReason(
  tx: Tx,
  workoutId: string,
  file: { readonly sha256: string; readonly session: number } | null,
): string {
  const { startedAt, utcOffsetMinutes } = workouts
  const run = tx.select({ startedAt, utcOffsetMinutes }).from(workouts).where(eq(workouts.id, workoutId)).get()
  if (run === undefined) return 'Duplicate of a stored run'
  const isSameFile = recordingsOf(tx, workoutId).some(
    ({ fileSha256, fileSession }) => file !== null && fileSha256 === file.sha256 && fileSession === file.session,
  )
  const day = dayText(run.startedAt, run.utcOffsetMinutes)
  return isSameFile ? `Same file as the run of ${day}` : `Duplicate of the run of ${day}`
}

const DAY = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const

/** A day in the form `3 May 2026`. @param offsetMinutes UTC offset of the place whose day it is; null: UTC */
export function dayText(ms: number, offsetMinutes: number | null = null): string {
  return new Date(ms + (offsetMinutes ?? 0) * 60_000).toLocaleDateString('en-GB', DAY)
}
