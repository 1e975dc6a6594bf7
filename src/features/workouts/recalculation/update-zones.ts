import { type Static, Type } from '@sinclair/typebox'
import { and } from 'drizzle-orm'
import type { Turns } from '../../../base/turns.ts'
import { changesSoFar } from '../../../db/kept.ts'
import type { Tx } from '../../../db/open.ts'
import type { Zones } from '../../../engine/analysis.ts'
import { integer, nullable } from '../../../http/schemas.ts'
import type { Deps, DepsBy } from '../../../library/deps.ts'
import { leaveRecalculation } from '../../../library/receipts/record.ts'
import { derivations } from '../../../library/rederive.ts'
import { acceptScores, type NewScore, takeBackScores, unscored, writeScores } from '../../../library/score-change.ts'
import type { ZoneSettings } from '../../../library/settings.ts'
import { StoredHeartRateZones, zonesRequestProperties } from '../../settings/schemas.ts'
import { putZones, requestedZones } from '../../settings/zones.ts'
import { allIdsWhere, countWhere, foundInSlices, idsWhere, SCORABLE } from '../queries.ts'

export const ZonesUpdate = Type.Object(
  {
    ...zonesRequestProperties,
    recalculateExisting: Type.Optional(nullable(Type.Boolean({ description: 'Score all stored workouts again' }))),
  },
  { examples: [{ calculationMethod: 'AgeBased', age: 40, recalculateExisting: true }] },
)

export const UpdatedZones = Type.Object({
  ...StoredHeartRateZones.properties,
  recalculatedCount: nullable(integer({ description: 'null unless it was asked for' })),
  recalculatedErrorCount: nullable(integer({ description: 'null unless it was asked for, then 0' })),
})

/**
 * Stores zones and, when requested, scores every workout with them, all or none. The Worker scores; the scores are
 * written in slices, between which other requests are served, and become valid when the zones are stored with the last
 * slice.
 * @param turns one change at a time
 * @throws AppError 400 for zones that break a rule
 */
export async function updateZones(
  deps: DepsBy,
  turns: Turns,
  request: Static<typeof ZonesUpdate>,
): Promise<Static<typeof UpdatedZones>> {
  const { events } = deps
  const zones = requestedZones(request)
  const isAsked = request.recalculateExisting === true
  const result = isAsked ? await turns.take(() => scoredWith(deps, zones)) : stored(deps, zones, null)
  events.emit({ event: 'settings.updated', data: {} })
  if (isAsked) {
    events.emit({ event: 'workout.updated', data: { id: null } })
    leaveRecalculation(deps, {
      title: 'Scored all runs with new heart-rate zones',
      changed: result.recalculatedCount ?? 0,
    })
  }
  return { ...result, recalculatedErrorCount: isAsked ? 0 : null }
}

/** @param accept makes the scores valid and returns their number */
function stored(deps: Deps, zones: ZoneSettings, accept: ((tx: Tx) => number) | null) {
  return deps.db.transaction((tx) => ({ ...putZones(tx, deps, zones), recalculatedCount: accept?.(tx) ?? null }))
}

async function scoredWith(deps: Deps, zones: ZoneSettings): Promise<ReturnType<typeof stored>> {
  const { db, log } = deps
  // nothing is written before every workout was read successfully
  let scores = await newScores(deps, zones.zones, await allIdsWhere(db, SCORABLE))
  try {
    for (;;) {
      await writeScores(db, scores, zones.zones)
      const before = changesSoFar(db)
      const found = await foundInSlices(db, (among) => unscored(db, zones.zones, idsWhere(db, and(SCORABLE, among))))
      const count = (await allIdsWhere(db, SCORABLE)).length
      // from here on everything happens in one go; what was written during the searches, they may have missed
      const isSure = changesSoFar(db) === before
      const ids = isSure || found.length > 0 ? found : unscored(db, zones.zones, idsWhere(db, SCORABLE))
      if (ids.length === 0) return stored(deps, zones, (tx) => accepted(tx, isSure ? count : null))
      scores = await newScores(deps, zones.zones, ids)
    }
  } catch (error) {
    await takeBackScores(db).catch((cause: unknown) => {
      log.error('Efforts of zones that could not be stored stay until the next start, which reverts them', cause)
    })
    throw error
  }
}

/** @param count of workouts that can be scored; null: unknown @returns that number */
function accepted(tx: Tx, count: number | null): number {
  acceptScores(tx)
  return count ?? countWhere(tx, SCORABLE)
}

/** @throws Error when a workout cannot be read */
async function newScores(deps: Deps, zones: Zones, ids: readonly string[]): Promise<NewScore[]> {
  const scores: NewScore[] = []
  for await (const { head, outcome } of derivations(deps, ids, { what: 'effort', zones })) {
    if ('error' in outcome) throw outcome.error
    scores.push({ head, effort: outcome.derived.effort })
  }
  return scores
}
