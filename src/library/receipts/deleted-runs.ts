import { eq } from 'drizzle-orm'
import { clientOf, type Tx } from '../../db/open.ts'
import { deletedRuns } from '../../db/schema-receipts.ts'
import { dayText } from './day-text.ts'

// What a runner deleted does not come back by itself. By hand it is imported as any other.

/** What tells a run that comes by itself from others. */
export interface DeletedKey {
  /** SHA-256 of the unpacked bytes and the run's place in them. */
  readonly file: { readonly sha256: string; readonly session: number } | null
  /** What a service calls it. */
  readonly external?: { readonly origin: string; readonly id: string } | null
}

export interface Deletion {
  readonly workoutId: string
  readonly deletedAtMs: number
  /** It can be brought back from there. */
  readonly isInTrash: boolean
  /** Why it is left out when it comes by itself. */
  readonly reason: string
}

/** Notes the files and external ids of a workout that is about to be deleted. */
export function rememberDeleted(tx: Tx, workoutId: string, nowMs: number): void {
  clientOf(tx)
    .query(
      `INSERT OR REPLACE INTO deleted_run (workout_id, file_sha256, file_session, origin, external_id, deleted_at)
       SELECT workout_id, file_sha256, coalesce(file_session, 0), origin, external_id, ?2 FROM recording
       WHERE workout_id = ?1 AND (file_sha256 IS NOT NULL OR external_id IS NOT NULL)`,
    )
    .run(workoutId, nowMs)
}

/** The workout is back: neither it nor another one of the same file counts as deleted. */
export function forgetDeleted(tx: Tx, workoutId: string): void {
  tx.delete(deletedRuns).where(eq(deletedRuns.workoutId, workoutId)).run()
  clientOf(tx)
    .query(
      `DELETE FROM deleted_run WHERE (file_sha256, file_session) IN (
         SELECT file_sha256, coalesce(file_session, 0) FROM recording WHERE workout_id = ? AND file_sha256 IS NOT NULL)`,
    )
    .run(workoutId)
}

/** The same of a run of several files, of which one suffices. */
export function firstDeleted(
  tx: Tx,
  files: readonly { readonly sha256: string | null; readonly session: number }[],
): Deletion | null {
  for (const { sha256, session } of files) {
    const found = sha256 === null ? null : wasDeleted(tx, { file: { sha256, session } })
    if (found !== null) return found
  }
  return null
}

interface Row {
  readonly workoutId: string
  readonly deletedAtMs: number
  readonly isInTrash: 0 | 1
}

const FOUND = `SELECT workout_id AS workoutId, deleted_at AS deletedAtMs, EXISTS (
    SELECT 1 FROM capsule WHERE capsule.workout_id = deleted_run.workout_id AND is_deleted = 1) AS isInTrash
  FROM deleted_run WHERE`

/**
 * Whether the runner deleted this run: whoever imports by himself, such as a folder that is watched, leaves it out then.
 * @returns null: never
 */
export function wasDeleted(tx: Tx, { file, external = null }: DeletedKey): Deletion | null {
  const client = clientOf(tx)
  const byFile =
    file &&
    client.query<Row, [string, number]>(`${FOUND} file_sha256 = ? AND file_session = ?`).get(file.sha256, file.session)
  const byId =
    external &&
    client.query<Row, [string, string]>(`${FOUND} origin = ? AND external_id = ?`).get(external.origin, external.id)
  const found = byFile ?? byId
  if (found === null) return null
  const { workoutId, deletedAtMs, isInTrash } = found
  return {
    workoutId,
    deletedAtMs,
    isInTrash: isInTrash === 1,
    reason: `You deleted this run on ${dayText(deletedAtMs)}`,
  }
}
