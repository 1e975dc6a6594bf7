import type { Db } from '../db/open.ts'
import type { OurPart } from '../db/stored.ts'
import type { Zones } from '../engine/analysis.ts'
import type { RelativeEffort } from '../engine/run/effort.ts'
import { boundsOfZones } from './inputs.ts'

/**
 * Writes scores, and that they are ours now where an archive said others; prepared once for a whole library.
 * @returns a function that writes one workout, inside of a transaction
 */
export function effortWriter({
  $client: client,
}: Db): (id: string, effort: RelativeEffort | null, zones: Zones) => void {
  const write = client.prepare(
    'UPDATE workout SET relative_effort = ?, hr_zone_seconds = ?, effort_zones = ?, ours = coalesce(?, ours) WHERE id = ?',
  )
  const archived = new Map(
    client
      .query<{ id: string; ours: string }, []>(
        `SELECT DISTINCT w.id, w.ours FROM recording r JOIN workout w ON w.id = r.workout_id WHERE r.kind = 'archive'`,
      )
      .all()
      .map(({ id, ours }) => [id, JSON.parse(ours) as OurPart[]]),
  )
  return (id, effort, zones) => {
    const ours = archived.get(id)
    write.run(
      effort?.relativeEffort ?? null,
      effort === null ? null : JSON.stringify(effort.zoneSeconds),
      JSON.stringify(boundsOfZones(zones)),
      ours === undefined ? null : JSON.stringify([...new Set<OurPart>([...ours, 'effort'])].toSorted()),
      id,
    )
  }
}
