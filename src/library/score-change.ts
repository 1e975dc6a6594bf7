import { gently } from '../base/pace.ts'
import type { Db, Tx } from '../db/open.ts'
import { effortsBefore } from '../db/schema.ts'
import { inSlices } from '../db/transactions.ts'
import type { Zones } from '../engine/analysis.ts'
import type { RelativeEffort } from '../engine/run/effort.ts'
import { writeAsked } from './commit.ts'
import { writeEffort, writeEffortColumns } from './derive.ts'
import { type Asked, documentRow, type RunHead, runHead, withOurs } from './documents/run.ts'
import { boundsOfZones } from './inputs.ts'
import { hasArchive } from './recordings.ts'

// Changes the relative effort of all runs at once or not at all, without blocking requests: new scores are written in
// short transactions beside the old ones, and a final transaction makes them valid. If the process ends before that,
// the old scores are restored.

/** The relative effort of one run with the new zones. */
export interface NewScore {
  /** As it was scored. */
  readonly head: RunHead
  readonly effort: RelativeEffort | null
}

/** Runs whose old scores are restored in one transaction. */
const MOST_AT_ONCE = 250

/** What a run is asked with once its effort was scored with zones: an archive's effort no longer counts. */
export function scoredWith(tx: Tx, { id, asked }: Pick<RunHead, 'id' | 'asked'>, zones: Zones): Asked {
  return { ...(hasArchive(tx, id) ? withOurs(asked, 'effort') : asked), zones: boundsOfZones(zones) }
}

/** Writes scores of runs that are unchanged since they were scored, in slices between which other requests are served. */
export async function writeScores(db: Db, scores: readonly NewScore[], zones: Zones): Promise<void> {
  const { $client: client } = db
  const keep = client.prepare<{ id: string }, [string, string, number]>(
    `INSERT OR REPLACE INTO effort_before
       SELECT w.id, d.seq + 1, ?, relative_effort, hr_zone_seconds, d.asked FROM workout AS w JOIN document AS d ON d.id = w.id
       WHERE w.id = ? AND d.seq = ? RETURNING workout_id AS id`,
  )
  await inSlices(db, scores, (tx, { head, effort }) => {
    const asked = scoredWith(tx, head, zones)
    if (keep.get(JSON.stringify(asked), head.id, head.seq) === null) return
    writeEffort(tx, head.id, effort)
    writeAsked(tx, head.id, asked)
  })
}

/** Those of the runs that are not yet scored with these zones: new ones, and those changed since. */
export function unscored(tx: Tx, zones: Zones, ids: readonly string[]): string[] {
  const scored = tx.$client.query<{ seq: number }, [string]>('SELECT seq FROM effort_before WHERE workout_id = ?')
  const bounds = boundsOfZones(zones)
  return ids.filter((id) => {
    const head = runHead(tx, id)
    return head !== null && (scored.get(id)?.seq !== head.seq || !Bun.deepEquals(head.asked.zones, bounds))
  })
}

/** Makes the written scores valid. Runs inside the caller's transaction. */
export function acceptScores(tx: Tx): void {
  tx.$client.query('DELETE FROM effort_before').run()
}

/** Restores the old scores, except of runs that were changed or scored otherwise since; in slices as well. */
export async function takeBackScores(db: Db): Promise<void> {
  while (takeBackSome(db)) await gently()
}

/** `takeBackScores` for a change that the end of the process interrupted; runs before requests are served. */
export function takeBackUnfinished(db: Db): void {
  while (takeBackSome(db)) {}
}

/** @returns false when nothing is left */
function takeBackSome(db: Db): boolean {
  return db.transaction((tx) => {
    const rows = tx.select().from(effortsBefore).limit(MOST_AT_ONCE).all()
    const forget = tx.$client.query('DELETE FROM effort_before WHERE workout_id = ?')
    for (const { workoutId: id, seq, newAsked, relativeEffort, hrZoneSeconds, asked } of rows) {
      const now = documentRow(tx, id)
      if (now?.seq === seq && now.asked === newAsked) {
        const zoneSeconds = hrZoneSeconds === null ? null : (JSON.parse(hrZoneSeconds) as RelativeEffort['zoneSeconds'])
        writeEffortColumns(tx, id, { relativeEffort, hrZoneSeconds: zoneSeconds })
        writeAsked(tx, id, JSON.parse(asked) as Asked)
      }
      forget.run(id)
    }
    return rows.length > 0
  })
}
