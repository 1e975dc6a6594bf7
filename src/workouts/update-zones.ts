import { type Static, Type } from '@sinclair/typebox'
import type { Tx } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import type { Zones } from '../engine/analysis.ts'
import { integer, nullable } from '../http/schemas.ts'
import { elevationOptions, inputRevisions, runJob } from '../library/inputs.ts'
import { effortWriter } from '../library/numbers.ts'
import { derivations } from '../library/rederive.ts'
import { StoredHeartRateZones, zonesRequestProperties } from '../settings/schemas.ts'
import { putZones, requestedZones } from '../settings/zones.ts'
import { type Derived, derive } from '../workers/derive.ts'
import { idsWhere, SCORABLE } from './queries.ts'

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
 * Stores zones and, when asked, scores every workout with them: all of it in one transaction or nothing. The Worker scores
 * before it; the transaction itself scores only what has been stored or changed meanwhile.
 * @throws AppError 400 for zones that break a rule
 */
export async function updateZones(
  deps: Deps,
  request: Static<typeof ZonesUpdate>,
): Promise<Static<typeof UpdatedZones>> {
  const { db, now, events } = deps
  const zones = requestedZones(request)
  const scored = request.recalculateExisting === true ? await scores(deps, zones.zones) : null
  const result = db.transaction(
    (tx) => {
      const stored = putZones(tx, zones, now())
      return { ...stored, recalculatedCount: scored === null ? null : writeScores(tx, deps, { scored, ...zones }) }
    },
    { behavior: 'immediate' },
  )
  events.emit({ event: 'settings.updated', data: {} })
  if (scored !== null) events.emit({ event: 'workout.updated', data: { id: null } })
  return { ...result, recalculatedErrorCount: scored === null ? null : 0 }
}

/** By workout; what is kept of ten thousand must be small. */
type Scores = ReadonlyMap<string, { readonly revision: number; readonly derived: Derived }>

/** @throws Error when a workout cannot be read: all of them or none */
async function scores(deps: Deps, zones: Zones): Promise<Scores> {
  const found = new Map<string, { revision: number; derived: Derived }>()
  for await (const { id, outcome } of derivations(deps, idsWhere(deps.db, SCORABLE), { what: 'effort', zones })) {
    if ('error' in outcome) throw outcome.error
    found.set(id, { revision: outcome.job.revision, derived: outcome.derived })
  }
  return found
}

/** @returns how many workouts have a heart rate */
function writeScores(
  tx: Tx,
  deps: Deps,
  { scored, zones }: { readonly scored: Scores; readonly zones: Zones },
): number {
  const write = effortWriter(deps.db)
  const revisions = inputRevisions(tx)
  const ids = idsWhere(tx, SCORABLE)
  for (const id of ids) {
    const known = scored.get(id)
    const derived =
      known !== undefined && known.revision === revisions.get(id) ? known.derived : scoredNow(tx, deps, { id, zones })
    if (derived?.what === 'effort') write(id, derived.effort, zones)
  }
  return ids.length
}

function scoredNow(tx: Tx, deps: Deps, { id, zones }: { readonly id: string; readonly zones: Zones }): Derived | null {
  const job = runJob(tx, id, elevationOptions(deps))
  return job && derive({ ...job, zones, what: 'effort' })
}
