import type { Zone, Zones } from '../analysis.ts'

/** Heart rates outside are ignored in everything derived; zone bounds are within (docs/api.md 7.1). */
export const HEART_RATE_RANGE = [30, 250] as const
/** Values that zones are made of: least and most. */
export const ZONE_RANGES = { age: [1, 120], maxHeartRateBpm: [60, 250], restingHeartRateBpm: [30, 120] } as const
/** Lower bounds of zones 1 to 5 and the upper end of zone 5, in per cent of the maximum or of the reserve. */
const PERCENTS = [50, 60, 70, 80, 90, 100] as const

/** How zones are defined; the fields of PUT /settings/heart-rate-zones that the method uses. */
export type ZoneMethod =
  | { readonly calculationMethod: 'AgeBased'; readonly age: number }
  | {
      readonly calculationMethod: 'Karvonen'
      readonly maxHeartRateBpm: number
      readonly restingHeartRateBpm: number
    }
  | { readonly calculationMethod: 'Custom'; readonly zones: readonly Zone[] }

/** The zones that apply until some are stored: those of age 30 (docs/api.md 4). */
export const DEFAULT_ZONES: Zones = [
  { minBpm: 95, maxBpm: 114 },
  { minBpm: 114, maxBpm: 133 },
  { minBpm: 133, maxBpm: 152 },
  { minBpm: 152, maxBpm: 171 },
  { minBpm: 171, maxBpm: 190 },
]

/** Names the field and the rule that it breaks; null when the zones are valid. */
export function zonesProblem(method: ZoneMethod): string | null {
  if (method.calculationMethod === 'AgeBased') return wholeProblem('age', method.age, ZONE_RANGES.age)
  if (method.calculationMethod === 'Custom') return customProblem(method.zones)
  const { maxHeartRateBpm, restingHeartRateBpm } = method
  return (
    wholeProblem('maxHeartRateBpm', maxHeartRateBpm, ZONE_RANGES.maxHeartRateBpm) ??
    wholeProblem('restingHeartRateBpm', restingHeartRateBpm, ZONE_RANGES.restingHeartRateBpm) ??
    (maxHeartRateBpm > restingHeartRateBpm
      ? null
      : `maxHeartRateBpm must be above restingHeartRateBpm, not ${maxHeartRateBpm} and ${restingHeartRateBpm}`)
  )
}

/** @throws RangeError with what `zonesProblem` names */
export function zonesOf(method: ZoneMethod): Zones {
  const problem = zonesProblem(method)
  if (problem !== null) throw new RangeError(problem)
  if (method.calculationMethod === 'Custom') {
    return eachZone((k) => ({ minBpm: method.zones[k]!.minBpm, maxBpm: method.zones[k]!.maxBpm }))
  }
  const isByAge = method.calculationMethod === 'AgeBased'
  return isByAge ? zonesBetween(220 - method.age, 0) : zonesBetween(method.maxHeartRateBpm, method.restingHeartRateBpm)
}

function eachZone(zone: (k: number) => Zone): Zones {
  return [zone(0), zone(1), zone(2), zone(3), zone(4)]
}

/** 1 to 5, or 0 below zone 1. A zone reaches from its min to the min of the next one; zone 5 has no upper end. */
export function zoneOf(heartRateBpm: number, zones: Zones): number {
  let zone = zones.length
  while (zone > 0 && !(heartRateBpm >= zones[zone - 1]!.minBpm)) zone -= 1
  return zone
}

/** Computed in whole numbers, rounded half up; in floating point 0.7 * 185 would depend on how 0.7 is rounded. */
function zonesBetween(maxBpm: number, restingBpm: number): Zones {
  const bound = (k: number) => restingBpm + Math.floor(((maxBpm - restingBpm) * PERCENTS[k]! + 50) / 100)
  return eachZone((k) => ({ minBpm: bound(k), maxBpm: bound(k + 1) }))
}

function customProblem(zones: readonly Zone[]): string | null {
  if (zones.length !== 5) return `zones must have exactly 5 entries, not ${zones.length}`
  for (const [k, { minBpm, maxBpm }] of zones.entries()) {
    const problem =
      wholeProblem(`minBpm of zone ${k + 1}`, minBpm, HEART_RATE_RANGE) ??
      wholeProblem(`maxBpm of zone ${k + 1}`, maxBpm, HEART_RATE_RANGE)
    if (problem !== null) return problem
    if (minBpm >= maxBpm) return `minBpm of zone ${k + 1} must be below its maxBpm, not ${minBpm} and ${maxBpm}`
    const previous = zones[k - 1]
    if (previous !== undefined && minBpm !== previous.maxBpm && minBpm !== previous.maxBpm + 1) {
      return `minBpm of zone ${k + 1} must be ${previous.maxBpm} or ${previous.maxBpm + 1}, not ${minBpm}`
    }
  }
  return null
}

function wholeProblem(field: string, value: number, [lowest, highest]: readonly [number, number]): string | null {
  if (Number.isInteger(value) && value >= lowest && value <= highest) return null
  return `${field} must be a whole number from ${lowest} to ${highest}, not ${value}`
}
