import type { Static } from '@sinclair/typebox'
import { invalid } from '../../base/errors.ts'
import type { Tx } from '../../db/open.ts'
import { DEFAULT_ZONES, type ZoneMethod, zonesOf, zonesProblem } from '../../engine/run/zones.ts'
import type { Deps } from '../../library/deps.ts'
import { changeSettings, storedZones, type ZoneSettings, zoneMembers } from '../../library/settings.ts'
import type { HeartRateZones, StoredHeartRateZones, ZonesRequest } from './schemas.ts'

/** Answered while no zones are stored (docs/api.md 4). */
const DEFAULT_ZONE_SETTINGS: ZoneSettings = {
  calculationMethod: 'AgeBased',
  age: 30,
  restingHeartRateBpm: null,
  maxHeartRateBpm: 190,
  zones: DEFAULT_ZONES,
}

/** The zones as served: those stored, else those of age 30. */
export function heartRateZones(tx: Tx): Static<typeof HeartRateZones> {
  return zonesObject(storedZones(tx) ?? DEFAULT_ZONE_SETTINGS)
}

function zonesObject({ zones, ...made }: ZoneSettings): Static<typeof HeartRateZones> {
  return { ...made, zones: zones.map((zone, k) => ({ zoneNumber: k + 1, ...zone })) }
}

/**
 * Stores zones. Runs inside the caller's transaction, so that scoring effort again can be part of it.
 * @returns the answer of the call
 */
export function putZones(
  tx: Tx,
  deps: Pick<Deps, 'config' | 'now'>,
  zoneSettings: ZoneSettings,
): Static<typeof StoredHeartRateZones> {
  const isFirstTimeSetup = storedZones(tx) === null
  changeSettings(tx, deps, zoneMembers(tx, zoneSettings))
  return { ...zonesObject(zoneSettings), isFirstTimeSetup }
}

/**
 * The zones of a request. Members that its method does not use are ignored.
 * @throws AppError 400 that names the field and the rule
 */
export function requestedZones(request: Static<typeof ZonesRequest>): ZoneSettings {
  const needed = <T>(field: string, value: T | null | undefined): T => {
    if (value === null || value === undefined) {
      throw invalid(`${field} is required for the calculation method ${request.calculationMethod}`, { field })
    }
    return value
  }
  const unused = { age: null, restingHeartRateBpm: null, maxHeartRateBpm: null }
  switch (request.calculationMethod.trim().toLowerCase()) {
    case 'agebased': {
      const made = sound({ calculationMethod: 'AgeBased', age: needed('age', request.age) })
      const zones = zonesOf(made)
      return { ...unused, ...made, maxHeartRateBpm: zones[4].maxBpm, zones }
    }
    case 'karvonen': {
      const made = sound({
        calculationMethod: 'Karvonen',
        maxHeartRateBpm: needed('maxHeartRateBpm', request.maxHeartRateBpm),
        restingHeartRateBpm: needed('restingHeartRateBpm', request.restingHeartRateBpm),
      })
      return { ...unused, ...made, zones: zonesOf(made) }
    }
    case 'custom': {
      const made = sound({ calculationMethod: 'Custom', zones: needed('zones', request.zones) })
      return { ...unused, ...made, zones: zonesOf(made) }
    }
    default:
      throw invalid('calculationMethod must be one of AgeBased, Karvonen, Custom', { field: 'calculationMethod' })
  }
}

/** @throws AppError 400 for values that break a rule of their method */
function sound<T extends ZoneMethod>(method: T): T {
  const problem = zonesProblem(method)
  if (problem === null) return method
  // a rule of one zone begins with that zone's member
  const [member = ''] = problem.split(' ', 1)
  throw invalid(problem, { field: member in method ? member : 'zones' })
}
