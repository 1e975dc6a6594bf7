import type { Static } from '@sinclair/typebox'
import type { Tx } from '../db/open.ts'
import {
  ageZones,
  customZones,
  DEFAULT_ZONES,
  karvonenZones,
  type ZoneMethod,
  zonesProblem,
} from '../engine/run/zones.ts'
import { invalid } from '../errors.ts'
import { storedZones, storeZones, type ZoneSettings } from '../library/settings.ts'
import type { HeartRateZones, StoredHeartRateZones, ZonesRequest } from './schemas.ts'

/** What is shown while no zones are stored (SPEC 2). */
const DEFAULT_ZONE_SETTINGS: ZoneSettings = {
  calculationMethod: 'AgeBased',
  age: 30,
  restingHeartRateBpm: null,
  maxHeartRateBpm: 190,
  zones: DEFAULT_ZONES,
}

/** The zones as they are served: the stored ones, else those of age 30. */
export function heartRateZones(tx: Tx): Static<typeof HeartRateZones> {
  return zonesObject(storedZones(tx) ?? DEFAULT_ZONE_SETTINGS)
}

function zonesObject({ zones, ...made }: ZoneSettings): Static<typeof HeartRateZones> {
  return { ...made, zones: zones.map((zone, k) => ({ zoneNumber: k + 1, ...zone })) }
}

/**
 * Stores zones. Runs inside the caller's transaction, so that scoring effort again can be part of it.
 * @returns the answer to whoever sent them
 */
export function putZones(tx: Tx, zoneSettings: ZoneSettings, nowMs: number): Static<typeof StoredHeartRateZones> {
  const isFirstTimeSetup = storedZones(tx) === null
  storeZones(tx, zoneSettings, nowMs)
  return { ...zonesObject(zoneSettings), isFirstTimeSetup }
}

/**
 * The zones a request asks for. What its method does not use is left out, whatever it is.
 * @throws AppError 400 that names the field and the rule
 */
export function requestedZones(request: Static<typeof ZonesRequest>): ZoneSettings {
  const method = methodOf(request)
  const problem = zonesProblem(method)
  if (problem !== null) throw invalid(problem)
  const unused = { age: null, restingHeartRateBpm: null, maxHeartRateBpm: null }
  const { calculationMethod } = method
  switch (calculationMethod) {
    case 'AgeBased': {
      const zones = ageZones(method.age)
      return { ...unused, calculationMethod, age: method.age, maxHeartRateBpm: zones[4].maxBpm, zones }
    }
    case 'Karvonen': {
      const { maxHeartRateBpm, restingHeartRateBpm } = method
      const zones = karvonenZones(maxHeartRateBpm, restingHeartRateBpm)
      return { ...unused, calculationMethod, maxHeartRateBpm, restingHeartRateBpm, zones }
    }
    case 'Custom':
      return { ...unused, calculationMethod, zones: customZones(method.zones) }
  }
}

function methodOf(request: Static<typeof ZonesRequest>): ZoneMethod {
  const needed = <T>(field: string, value: T | null | undefined): T => {
    if (value === null || value === undefined) {
      throw invalid(`${field} is required for the calculation method ${request.calculationMethod}`)
    }
    return value
  }
  switch (request.calculationMethod.trim().toLowerCase()) {
    case 'agebased':
      return { calculationMethod: 'AgeBased', age: needed('age', request.age) }
    case 'karvonen':
      return {
        calculationMethod: 'Karvonen',
        maxHeartRateBpm: needed('maxHeartRateBpm', request.maxHeartRateBpm),
        restingHeartRateBpm: needed('restingHeartRateBpm', request.restingHeartRateBpm),
      }
    case 'custom':
      return { calculationMethod: 'Custom', zones: needed('zones', request.zones) }
    default:
      throw invalid('calculationMethod must be one of AgeBased, Karvonen, Custom')
  }
}
