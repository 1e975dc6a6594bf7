import { and, eq, or, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '../db/open.ts'
import { workouts } from '../db/schema.ts'
import { effortsBefore } from '../db/schema-efforts.ts'
import type { Zones } from '../engine/analysis.ts'
import type { RelativeEffort } from '../engine/run/effort.ts'
import { createPace } from '../pace.ts'
import { boundsOfZones } from './inputs.ts'
import { effortWriter } from './numbers.ts'

// All efforts change together or not at all, and nobody waits for it: they are written in short transactions, each beside
// what was there before, and the last transaction makes them count. Whatever ends before it is taken back.

/** What one workout comes to with the new zones. */
export interface NewScore {
  readonly id: string
  /** Of the workout, when it was scored. */
  readonly revision: number
  readonly effort: RelativeEffort | null
}

/** Workouts of one transaction at most: 10 ms, and a tenth of a second on a small machine. */
const MOST_AT_ONCE = 250

/** Writes scores where the workout is still the one that was scored, in slices between which others are answered. */
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
 * Workouts that were not scored with these zones as they are now: new ones, and those changed since.
 * @param among which workouts are to be scored
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

/** What was written counts from now on. Runs inside the caller's transaction. */
export function acceptScores(tx: Tx): void {
  tx.delete(effortsBefore).run()
}

/** Takes back what was written, but of workouts that were changed or scored otherwise since; in slices as it was written. */
export async function takeBackScores(db: Db): Promise<void> {
  const pace = createPace()
  while (takeBackSome(db)) await pace.rest()
}

/** `takeBackScores` of a change that the end of the process cut off, before anybody is answered. */
export function takeBackUnfinished(db: Db): void {
  while (takeBackSome(db)) {}
}

/** @returns false when nothing is left */
function takeBackSome({ $client: client }: Db): boolean {
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
