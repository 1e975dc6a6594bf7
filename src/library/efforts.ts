import { and, eq, sql } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { recordings, workouts } from '../db/schema.ts'
import type { Zones } from '../engine/analysis.ts'
import type { RelativeEffort } from '../engine/run/effort.ts'
import { boundsOfZones } from './inputs.ts'

/**
 * Writes scores, and that they are ours now where an archive said others; prepared once for a whole library.
 * @returns a function that writes one workout
 */
export function effortWriter(tx: Tx): (id: string, effort: RelativeEffort | null, zones: Zones) => void {
  const write = tx
    .update(workouts)
    .set({
      relativeEffort: sql`${sql.placeholder('points')}`,
      hrZoneSeconds: sql`${sql.placeholder('zoneSeconds')}`,
      effortZones: sql`${sql.placeholder('zones')}`,
    })
    .where(eq(workouts.id, sql.placeholder('id')))
    .prepare()
  const archived = tx
    .select({ ours: workouts.ours })
    .from(recordings)
    .innerJoin(workouts, eq(workouts.id, recordings.workoutId))
    .where(and(eq(recordings.workoutId, sql.placeholder('id')), eq(recordings.kind, 'archive')))
    .limit(1)
    .prepare()
  return (id, effort, zones) => {
    write.run({
      id,
      points: effort?.relativeEffort ?? null,
      zoneSeconds: effort === null ? null : JSON.stringify(effort.zoneSeconds),
      zones: JSON.stringify(boundsOfZones(zones)),
    })
    const ours = archived.get({ id })?.ours
    if (ours === undefined || ours.includes('effort')) return
    tx.update(workouts)
      .set({ ours: [...ours, 'effort' as const].toSorted() })
      .where(eq(workouts.id, id))
      .run()
  }
}
