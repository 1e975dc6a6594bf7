import { eq } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { preparedOnce } from '../db/prepared.ts'
import type { recordings } from '../db/schema.ts'
import { forgottenRuns } from '../db/schema-receipts.ts'
import type { RecordingOrigin } from '../db/stored.ts'
import type { AnalyzedRun } from '../workers/analyze-file.ts'
import { dayText } from './receipts/known-reason.ts'
import { recordingsOf } from './recordings.ts'

// Keys of deleted runs. A run that the runner deleted is skipped when an automatic import finds it again; importing it
// by hand stores it as usual.

interface Deletion {
  readonly workoutId: string
  /** Whether it can be brought back from the trash. */
  readonly isInTrash: boolean
  readonly reason: string
}

type ForgottenRun = Pick<
  typeof recordings.$inferSelect,
  'origin' | 'kind' | 'externalId' | 'startedAt' | 'totals' | 'words'
>

/**
 * The ids under which services know the run of a recording. A row of Strava's table has two: the number of its activity,
 * and one made of start and distance, which a table without numbers has as well.
 */
export function externalsOf(recording: ForgottenRun): { readonly origin: RecordingOrigin; readonly id: string }[] {
  const { origin, kind, externalId, startedAt, totals, words } = recording
  const isRow = kind === 'row' && (origin === 'strava_archive' || words.source === 'strava_import')
  if (!isRow) return externalId === null ? [] : [{ origin, id: externalId }]
  const ids = [externalId, rowId(startedAt, totals.distanceM ?? 0)].filter((id) => id !== null)
  return ids.map((id) => ({ origin: 'strava_archive', id }))
}

/** The id of a table row without an activity number; dates in the table have whole seconds. */
function rowId(startedAtMs: number, distanceM: number): string {
  return `${Math.floor(startedAtMs / 1000)} ${Math.round(distanceM)}`
}

const insertKey = preparedOnce((tx) =>
  tx.$client.prepare(
    `INSERT OR REPLACE INTO forgotten (workout_id, file_sha256, file_session, origin, external_id, deleted_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
  ),
)

/** Notes the keys of a run that is about to be deleted. */
export function rememberKeys(tx: Tx, workoutId: string, nowMs: number): void {
  const insert = insertKey(tx)
  for (const recording of recordingsOf(tx, workoutId)) {
    const { fileSha256, fileSession, origin } = recording
    if (fileSha256 !== null) insert.run(workoutId, fileSha256, fileSession ?? 0, origin, null, nowMs)
    for (const external of externalsOf(recording)) {
      insert.run(workoutId, null, null, external.origin, external.id, nowMs)
    }
  }
}

/** Removes the keys when the run is stored again, also those of other runs with the same file or id. */
export function forgetKeys(tx: Tx, workoutId: string): void {
  tx.delete(forgottenRuns).where(eq(forgottenRuns.workoutId, workoutId)).run()
  const ofFile = tx.$client.query('DELETE FROM forgotten WHERE file_sha256 = ? AND file_session = ?')
  const ofExternal = tx.$client.query('DELETE FROM forgotten WHERE origin = ? AND external_id = ?')
  for (const recording of recordingsOf(tx, workoutId)) {
    if (recording.fileSha256 !== null) ofFile.run(recording.fileSha256, recording.fileSession ?? 0)
    for (const { origin, id } of externalsOf(recording)) ofExternal.run(origin, id)
  }
}

/** All keys of one run; a match of any of them suffices. */
interface DeletedKeys {
  readonly files: readonly { readonly sha256: string | null; readonly session: number }[]
  readonly externals: ReturnType<typeof externalsOf>
}

/** The keys of a run that was just read. @param file null: it is a row of a table */
export function keysOfRun(run: AnalyzedRun, file: DeletedKeys['files'][number] | null): DeletedKeys {
  const { external, startedAtMs, source, samples, statements } = run
  const isRow = samples === null && source === 'strava_import'
  const id = rowId(startedAtMs, statements[0]?.said.distanceM ?? 0)
  const row = isRow ? [{ origin: 'strava_archive' as const, id }] : []
  return { files: file === null ? [] : [file], externals: [...(external === null ? [] : [external]), ...row] }
}

interface Row {
  readonly workoutId: string
  readonly deletedAtMs: number
  readonly isInTrash: 0 | 1
}

const FOUND = `SELECT workout_id AS workoutId, deleted_at AS deletedAtMs, EXISTS (
    SELECT 1 FROM document WHERE document.id = forgotten.workout_id AND body IS NULL) AS isInTrash
  FROM forgotten WHERE`

/**
 * The deletion of a run with one of these keys, in which case automatic imports, such as that of a watched folder, skip
 * it.
 * @returns null: it was not deleted
 */
export function firstDeleted({ $client: client }: Tx, { files, externals }: DeletedKeys): Deletion | null {
  const ofFile = client.query<Row, [string | null, number]>(`${FOUND} file_sha256 = ? AND file_session = ?`)
  const ofExternal = client.query<Row, [string, string]>(`${FOUND} origin = ? AND external_id = ?`)
  const found = [
    ...files.map(({ sha256, session }) => ofFile.get(sha256, session)),
    ...externals.map(({ origin, id }) => ofExternal.get(origin, id)),
  ].find((row) => row !== null)
  if (found === undefined) return null
  const { workoutId, deletedAtMs, isInTrash } = found
  return { workoutId, isInTrash: isInTrash === 1, reason: `You deleted this run on ${dayText(deletedAtMs)}` }
}
