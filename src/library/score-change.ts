import { and, eq, or, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '../db/open.ts'
import { workouts } from '../db/schema.ts'
import { effortsBefore } from '../db/schema-efforts.ts'
import type { Zones } from '../engine/analysis.ts'
import type { RelativeEffort } from '../engine/run/effort.ts'
import { createPace } from '../pace.ts'
import type { AnalyzedRun } from '../workers/analyze-file.ts'
import { deriveRun } from '../workers/derive.ts'
import { boundsOfZones, runJob } from './inputs.ts'
import { effortWriter, writeRun } from './numbers.ts'
import { zonesOrDefault } from './settings.ts'

// Changes the relative effort of all runs at once or not at all, without blocking requests: new scores are written in
// short transactions beside the old ones, and a final transaction makes them valid. If the process ends before that,
// the old scores are restored.

/** The relative effort of one workout with the new zones. */
export interface NewScore {
  readonly id: string
  /** Revision of the workout when it was scored. */
  readonly revision: number
  readonly effort: RelativeEffort | null
}

/** Most workouts per transaction: 10 ms, and a tenth of a second on a small machine. */
const MOST_AT_ONCE = 250

/**
 * Writes scores of workouts that are unchanged since they were scored, in slices between which other requests are
 * served.
 */
export async function writeScores(db: Db, scores: readonly NewScore[], zones: Zones): Promise<void> {
  const { $client: client } = db
  const newZones = JSON.stringify(boundsOfZones(zones))
  const write = effortWriter(db)
  const keep = client.prepare<{ id: string }, [string, string, number]>(
    `INSERT OR REPLACE INTO effort_before
       SELECT id, inputs_revision, ?, relative_effort, hr_zone_seconds, effort_zones, ours FROM workout
       WHERE id = ? AND inputs_revision = ? RETURNING workout_id AS id`,
  )
  const pace = createPace()
  for (let at = 0; at < scores.length; ) {
    at = client
      .transaction(() => {
        const end = Math.min(scores.length, at + MOST_AT_ONCE)
        let next = at
        while (next < end && (next === at || !pace.needsRest())) {
          const { id, revision, effort } = scores[next]!
          if (keep.get(newZones, id, revision) !== null) write(id, effort, zones)
          next += 1
        }
        return next
      })
      .immediate()
    await pace.rest()
  }
}

/**
 * Workouts not yet scored with these zones: new ones, and those changed since.
 * @param among restricts the workouts
 */
export function unscored(tx: Tx, zones: Zones, among: SQL | undefined): string[] {
  const isOther = or(
    sql`${effortsBefore.inputsRevision} IS NOT ${workouts.inputsRevision}`,
    sql`${workouts.effortZones} IS NOT ${JSON.stringify(boundsOfZones(zones))}`,
  )
  const rows = tx
    .select({ id: workouts.id })
    .from(workouts)
    .leftJoin(effortsBefore, eq(effortsBefore.workoutId, workouts.id))
    .where(and(among, isOther))
    .all()
  return rows.map(({ id }) => id)
}

/** Makes the written scores valid. Runs inside the caller's transaction. */
export function acceptScores(tx: Tx): void {
  tx.delete(effortsBefore).run()
}

/** Restores the old scores, except of workouts that were changed or scored otherwise since; in slices as well. */
export async function takeBackScores(db: Db): Promise<void> {
  const pace = createPace()
  while (takeBackSome(db)) await pace.rest()
}

/** `takeBackScores` for a change that the end of the process interrupted; runs before requests are served. */
export function takeBackUnfinished(db: Db): void {
  while (takeBackSome(db)) {}
}

/** @returns false when nothing is left */
function takeBackSome({ $client: client }: Db): boolean {
  if (client.query('SELECT 1 FROM effort_before LIMIT 1').get() === null) return false
  return client
    .transaction(() => {
      const ids = client
        .query<{ id: string }, [number]>('SELECT workout_id AS id FROM effort_before LIMIT ?')
        .all(MOST_AT_ONCE)
      const restore = client.query(
        `UPDATE workout SET (relative_effort, hr_zone_seconds, effort_zones, ours) =
           (SELECT relative_effort, hr_zone_seconds, effort_zones, ours FROM effort_before WHERE workout_id = ?1)
         WHERE id = ?1 AND (inputs_revision, effort_zones) =
           (SELECT inputs_revision, new_zones FROM effort_before WHERE workout_id = ?1)`,
      )
      const forget = client.query('DELETE FROM effort_before WHERE workout_id = ?')
      for (const { id } of ids) {
        restore.run(id)
        forget.run(id)
      }
      return ids.length > 0
    })
    .immediate()
}

/** Scores a stored run again when the runner changed the zones while it was analysed. */
export function scoreWithStoredZones(
  tx: Tx,
  { id, run, nowMs }: { readonly id: string; readonly run: AnalyzedRun; readonly nowMs: number },
): void {
  const zones = zonesOrDefault(tx)
  if (Bun.deepEquals(zones, run.zones)) return
  const job = runJob(tx, id, run.elevation)
  if (job !== null) writeRun(tx, id, { derived: deriveRun({ ...job, zones }), zones, elevation: run.elevation, nowMs })
}
