import { type Static, Type } from '@sinclair/typebox'
import type { Db } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import type { Zones } from '../engine/analysis.ts'
import type { RelativeEffort } from '../engine/run/effort.ts'
import { integer, nullable } from '../http/schemas.ts'
import { allEffortInputs, type EffortInputs, saveEffort, storedEffort } from '../library/effort.ts'
import { createPace } from '../pace.ts'
import { StoredHeartRateZones, zonesRequestProperties } from '../settings/schemas.ts'
import { putZones, requestedZones, zonesObject } from '../settings/zones.ts'

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
 * Stores zones and, when asked, scores every workout with them: all of it in one transaction or nothing. The scoring is
 * done before it, in slices between which other requests are answered; the transaction itself scores only what has been
 * stored or changed meanwhile.
 * @throws AppError 400 for zones that break a rule
 */
export async function updateZones(
  { db, now, events }: Deps,
  request: Static<typeof ZonesUpdate>,
): Promise<Static<typeof UpdatedZones>> {
  const zones = requestedZones(request)
  const computed = request.recalculateExisting === true ? await scored(db, zones.zones) : null
  const result = db.transaction(
    (tx) => {
      const stored = putZones(tx, zones, now())
      return { ...stored, recalculatedCount: computed === null ? null : saveAll(db, zones.zones, computed) }
    },
    { behavior: 'immediate' },
  )
  events.emit({ event: 'settings.updated', data: {} })
  if (computed !== null) events.emit({ event: 'workout.updated', data: { id: null } })
  return { ...zonesObject(zones), ...result, recalculatedErrorCount: computed === null ? null : 0 }
}

interface Scored {
  readonly inputs: EffortInputs
  readonly effort: RelativeEffort | null
}

async function scored(db: Db, zones: Zones): Promise<ReadonlyMap<string, Scored>> {
  const found = new Map<string, Scored>()
  const pace = createPace()
  for (const inputs of allEffortInputs(db)) {
    found.set(inputs.id, { inputs, effort: storedEffort(db, inputs, zones) })
    if (pace.needsRest()) await pace.rest()
  }
  return found
}

/** @returns how many workouts have a heart rate */
function saveAll(db: Db, zones: Zones, computed: ReadonlyMap<string, Scored>): number {
  const all = allEffortInputs(db)
  for (const inputs of all) {
    const known = computed.get(inputs.id)
    const isCurrent = known !== undefined && Bun.deepEquals(known.inputs, inputs)
    saveEffort(db, inputs.id, isCurrent ? known.effort : storedEffort(db, inputs, zones))
  }
  return all.length
}
