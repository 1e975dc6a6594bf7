import { Type } from '@sinclair/typebox'
import { choice, integer, nullable } from '../http/schemas.ts'

const bpm = (description: string) => Type.Optional(nullable(integer({ description })))

/** What PUT takes; update-with-recalc adds one key to it. Ranges depend on the method and are checked with it. */
export const zonesRequestProperties = {
  calculationMethod: Type.String({ description: 'AgeBased, Karvonen or Custom, in any case' }),
  age: Type.Optional(nullable(integer({ description: 'AgeBased: 1 to 120' }))),
  restingHeartRateBpm: bpm('Karvonen: 30 to 120'),
  maxHeartRateBpm: bpm('Karvonen: 60 to 250, above the resting heart rate'),
  zones: Type.Optional(
    nullable(
      Type.Array(Type.Object({ minBpm: integer(), maxBpm: integer() }), {
        description: 'Custom: exactly 5, in order, each beginning at the end of the one before or 1 above it',
      }),
    ),
  ),
}

export const ZonesRequest = Type.Object(zonesRequestProperties, {
  examples: [{ calculationMethod: 'Karvonen', maxHeartRateBpm: 190, restingHeartRateBpm: 52 }],
})

/** Names of the same keys in earlier clients. */
export const ZONES_ALIASES = {
  method: 'calculationMethod',
  restingHeartRate: 'restingHeartRateBpm',
  maxHeartRate: 'maxHeartRateBpm',
} as const

export const HeartRateZones = Type.Object({
  calculationMethod: choice('AgeBased', 'Karvonen', 'Custom'),
  age: nullable(integer()),
  restingHeartRateBpm: nullable(integer()),
  maxHeartRateBpm: nullable(integer()),
  zones: Type.Array(Type.Object({ zoneNumber: integer(), minBpm: integer(), maxBpm: integer() }), {
    minItems: 5,
    maxItems: 5,
  }),
})

export const StoredHeartRateZones = Type.Object({
  ...HeartRateZones.properties,
  isFirstTimeSetup: Type.Boolean({ description: 'No zones had been stored before' }),
})

export const UnitPreferenceBody = Type.Object(
  { unitPreference: choice('metric', 'imperial') },
  { examples: [{ unitPreference: 'metric' }] },
)

export const WeatherSwitch = Type.Object(
  { lookups: Type.Boolean({ description: 'Place and hour of runs are sent to the weather service' }) },
  { examples: [{ lookups: false }] },
)

export const WeatherSettings = Type.Object({
  ...WeatherSwitch.properties,
  available: Type.Boolean({ description: 'false: whoever runs the service has switched lookups off altogether' }),
})
