import { type Static, Type } from '@sinclair/typebox'
import type { Turns } from '../../../base/turns.ts'
import { flag, integer, nullable } from '../../../http/schemas.ts'
import type { Deps, DepsBy } from '../../../library/deps.ts'
import { boundsOfZones } from '../../../library/inputs.ts'
import { leaveRecalculation } from '../../../library/receipts/record.ts'
import { rederive } from '../../../library/rederive.ts'
import type { ZoneSettings } from '../../../library/settings.ts'
import { StoredHeartRateZones, zonesRequestProperties } from '../../settings/schemas.ts'
import { putZones, requestedZones } from '../../settings/zones.ts'
import { idsWhere, SCORABLE } from '../queries.ts'
import { type Score, writeScore } from './recalculate.ts'

export const ZonesUpdate = Type.Object(
  {
    ...zonesRequestProperties,
    recalculateExisting: Type.Optional(nullable(flag('true: all runs are scored again; null is false'))),
  },
  { title: 'ZonesUpdate' },
)

export const UpdatedZones = Type.Object(
  {
    ...StoredHeartRateZones.properties,
    recalculatedCount: nullable(integer('Runs that were scored; null: not asked for')),
    recalculatedErrorCount: nullable(integer('0, since all are scored or none; null: not asked for')),
  },
  { title: 'UpdatedZones' },
)

/**
 * Stores zones and, when requested, scores every workout with them, all or none. The Worker scores, while other requests
 * are served; zones and scores are written together.
 * @param turns one change at a time
 * @throws AppError 400 for zones that break a rule
 */
export async function updateZones(
  deps: DepsBy,
  turns: Turns,
  request: Static<typeof ZonesUpdate>,
): Promise<Static<typeof UpdatedZones>> {
  const { db, events } = deps
  const zones = requestedZones(request)
  if (request.recalculateExisting !== true) {
    const stored = db.transaction((tx) => putZones(tx, deps, zones))
    events.emit({ event: 'settings.updated', data: {} })
    return { ...stored, recalculatedCount: null, recalculatedErrorCount: null }
  }
  const stored = await turns.take(() => scoredWith(deps, zones))
  events.emit({ event: 'settings.updated', data: {} })
  events.emit({ event: 'workout.updated', data: { id: null } })
  leaveRecalculation(deps, {
    title: 'Scored all runs with new heart-rate zones',
    changed: stored.recalculatedCount,
  })
  return { ...stored, recalculatedErrorCount: 0 }
}

async function scoredWith(deps: Deps, zones: ZoneSettings) {
  const { db } = deps
  const scores = new Map<string, Score>()
  for (;;) {
    const ids = idsWhere(db, SCORABLE)
    const seqs = new Map(db.$client.query('SELECT id, seq FROM document').values() as [string, number][])
    const due = ids.filter((id) => scores.get(id)?.head.seq !== seqs.get(id))
    if (due.length === 0)
      return db.transaction((tx) => {
        for (const id of ids) writeScore(tx, scores.get(id)!, zones.zones)
        return { ...putZones(tx, deps, zones), recalculatedCount: ids.length }
      })
    const { unreadable } = await rederive(deps, due, {
      what: 'effort',
      asked: { zones: boundsOfZones(zones.zones) },
      write: (_, head, { effort }) => scores.set(head.id, { head, effort }),
    })
    if (unreadable[0] !== undefined) throw unreadable[0].error
  }
}
