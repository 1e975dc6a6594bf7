import { type Static, Type } from '@sinclair/typebox'
import { SECOND_RECORDING } from '../../db/stored.ts'
import { PAGE_CARDS } from '../../engine/limits.ts'
import { HEART_RATE_RANGE, ZONE_RANGES } from '../../engine/run/zones.ts'
import { choice, integer, nullable } from '../../http/schemas.ts'
import { TRIM_ENDS_M } from '../../library/places.ts'

/** In words, since other methods than the one that uses a value ignore it, whatever it is. */
const ranged = (method: string, [least, most]: readonly [number, number]) =>
  Type.Optional(nullable(integer({ description: `For ${method}: ${least} to ${most}` })))

/** Members of PUT; update-with-recalc adds one. */
export const zonesRequestProperties = {
  calculationMethod: Type.String({ description: 'AgeBased, Karvonen or Custom, in any case' }),
  age: ranged('AgeBased', ZONE_RANGES.age),
  restingHeartRateBpm: ranged('Karvonen', ZONE_RANGES.restingHeartRateBpm),
  maxHeartRateBpm: ranged('Karvonen, above the resting heart rate', ZONE_RANGES.maxHeartRateBpm),
  zones: Type.Optional(
    nullable(
      Type.Array(Type.Object({ minBpm: integer(), maxBpm: integer() }), {
        description: `For Custom: 5 in order within ${HEART_RATE_RANGE.join(' to ')}, each beginning at the end of the one before or 1 above it`,
      }),
    ),
  ),
}

export const ZonesRequest = Type.Object(zonesRequestProperties, {
  examples: [{ calculationMethod: 'Karvonen', maxHeartRateBpm: 190, restingHeartRateBpm: 52 }],
})

/** Names of the same keys in older clients. */
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
  { title: 'Units', examples: [{ unitPreference: 'metric' }] },
)

export const SecondRecordingBody = Type.Object(
  { mode: choice(...SECOND_RECORDING) },
  { title: 'SecondRecording', examples: [{ mode: 'suggest' }] },
)

export const Privacy = Type.Object(
  {
    trimEndsM: Type.Number({
      ...{ minimum: TRIM_ENDS_M[0], maximum: TRIM_ENDS_M[1] },
      description: 'Metres that are cut from either end of every run before others see it',
    }),
  },
  { examples: [{ trimEndsM: 200 }] },
)

export const WeatherSwitch = Type.Object(
  { lookups: Type.Boolean({ description: 'Place and hour of runs are sent to the weather service' }) },
  { examples: [{ lookups: false }] },
)

export const WeatherSettings = Type.Object({
  ...WeatherSwitch.properties,
  available: Type.Boolean({ description: 'false: the operator has turned lookups off (WEATHER_ENABLED)' }),
})

const cards = Type.Array(Type.Object({ id: choice(...PAGE_CARDS), shown: Type.Boolean() }, { title: 'PageCard' }))
const effort = choice('load', 'relative')

export const PageAnswer = Type.Object(
  { cards, effort },
  { title: 'PageSettings', examples: [{ cards: [{ id: 'latest', shown: true }], effort: 'load' }] },
)

export const PageRequest = Type.Object(
  { cards: Type.Optional(cards), effort: Type.Optional(effort) },
  { examples: [{ effort: 'relative' }] },
)

export const LibraryFiles = Type.Object(
  {
    found: Type.Object({
      count: integer({ description: 'Files without a run in the library, set aside in the folder found' }),
      keptDays: integer(),
    }),
    missing: Type.Object({
      count: integer({ description: 'Originals, photos and videos of the library that are missing' }),
      files: Type.Array(Type.Object({ workoutId: Type.String(), filename: Type.String() }), {
        description: 'The first hundred of them',
      }),
    }),
  },
  { examples: [{ found: { count: 0, keptDays: 30 }, missing: { count: 0, files: [] } }] },
)

const BackupMade = Type.Object({ at: Type.String(), bytes: integer(), verified: Type.Boolean() })
const BackupFailed = Type.Object({ at: Type.String(), error: Type.String() })

export const BackupAnswer = Type.Object(
  {
    enabled: Type.Boolean(),
    at: Type.String({ description: 'Local time of day of the service' }),
    last: nullable(BackupMade),
    failed: nullable(BackupFailed),
  },
  {
    examples: [
      {
        enabled: true,
        at: '03:00',
        last: { at: '2026-11-27T02:00:00.000Z', bytes: 104_000_000, verified: true },
        failed: null,
      },
    ],
  },
)
export type BackupAnswer = Static<typeof BackupAnswer>
