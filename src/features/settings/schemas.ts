import { type Static, Type } from '@sinclair/typebox'
import { SECOND_RECORDING } from '../../db/stored.ts'
import { PAGE_CARDS } from '../../engine/limits.ts'
import { HEART_RATE_RANGE, ZONE_RANGES } from '../../engine/run/zones.ts'
import { choice, flag, integer, meaning, nullable, number, text } from '../../http/schemas.ts'
import { TRIM_ENDS_M } from '../../library/places.ts'

/** In words, since other methods than the one that uses a value ignore it, whatever it is. */
const ranged = (method: string, [least, most]: readonly [number, number]) =>
  Type.Optional(nullable(integer(`For ${method}: ${least} to ${most}`)))

const CUSTOM = `For Custom: 5 in order within ${HEART_RATE_RANGE.join(' to ')} beats per minute, each beginning at the end of the one before or 1 above it`

/** Members of PUT; update-with-recalc adds one. */
export const zonesRequestProperties = {
  calculationMethod: text('AgeBased, Karvonen or Custom, in any case; members that it does not use are ignored'),
  age: ranged('AgeBased, in years', ZONE_RANGES.age),
  restingHeartRateBpm: ranged('Karvonen', ZONE_RANGES.restingHeartRateBpm),
  maxHeartRateBpm: ranged('Karvonen, above the resting heart rate', ZONE_RANGES.maxHeartRateBpm),
  zones: Type.Optional(
    nullable(
      Type.Array(
        Type.Object(
          { minBpm: integer('Least heart rate of the zone'), maxBpm: integer('Its end, above minBpm') },
          { title: 'HeartRateZoneBounds' },
        ),
        { description: CUSTOM },
      ),
    ),
  ),
}

export const ZonesRequest = Type.Object(zonesRequestProperties, {
  title: 'HeartRateZonesRequest',
  examples: [{ calculationMethod: 'Karvonen', maxHeartRateBpm: 190, restingHeartRateBpm: 52 }],
})

/** Names of the same keys in older clients. */
export const ZONES_ALIASES = {
  method: 'calculationMethod',
  restingHeartRate: 'restingHeartRateBpm',
  maxHeartRate: 'maxHeartRateBpm',
} as const

const HeartRateZone = Type.Object(
  {
    zoneNumber: integer('1 to 5'),
    minBpm: integer('Least heart rate of the zone'),
    maxBpm: integer('Its end; a heart rate from the next minBpm on is of the next zone, zone 5 has no upper end'),
  },
  { title: 'HeartRateZone' },
)

export const HeartRateZones = Type.Object(
  {
    calculationMethod: meaning(
      'AgeBased: 50, 60, 70, 80, 90 and 100% of the maximum; Karvonen: of maximum − resting, plus resting; Custom: as sent',
      { ...choice('AgeBased', 'Karvonen', 'Custom'), title: 'HeartRateZoneMethod' },
    ),
    age: nullable(integer('Years; null unless AgeBased')),
    restingHeartRateBpm: nullable(integer('Resting heart rate; null unless Karvonen')),
    maxHeartRateBpm: nullable(integer('Maximum heart rate, 220 − age if AgeBased; null if Custom')),
    zones: Type.Array(HeartRateZone, {
      ...{ minItems: 5, maxItems: 5 },
      description: 'The zones, lowest first; their bounds are rounded half up',
    }),
  },
  { title: 'HeartRateZones' },
)

export const StoredHeartRateZones = Type.Object(
  {
    ...HeartRateZones.properties,
    isFirstTimeSetup: flag('true: no zones had been stored before'),
  },
  { title: 'StoredHeartRateZones' },
)

export const UnitPreferenceBody = Type.Object(
  {
    unitPreference: meaning('metric: km and °C; imperial: miles and °F', {
      ...choice('metric', 'imperial'),
      title: 'UnitPreference',
    }),
  },
  { title: 'Units' },
)

export const SecondRecordingBody = Type.Object(
  {
    mode: meaning('suggest: offer to merge; merge: merge certain ones on import, offer the others; keep: store both', {
      ...choice(...SECOND_RECORDING),
      title: 'SecondRecordingMode',
    }),
  },
  { title: 'SecondRecording' },
)

export const Privacy = Type.Object(
  {
    trimEndsM: number({
      ...{ minimum: TRIM_ENDS_M[0], maximum: TRIM_ENDS_M[1] },
      description: 'Metres that are cut from either end of every run before others see it',
    }),
  },
  { title: 'Privacy' },
)

export const WeatherSwitch = Type.Object({
  lookups: flag('true: place and hour of runs are sent to the weather service'),
})

export const WeatherSettings = Type.Object(
  {
    ...WeatherSwitch.properties,
    available: flag('false: the operator has turned lookups off (WEATHER_ENABLED)'),
  },
  { title: 'WeatherSettings' },
)

const PageCard = Type.Object(
  {
    id: meaning('The card', { ...choice(...PAGE_CARDS), title: 'PageCardId' }),
    shown: flag('false: it is hidden'),
  },
  { title: 'PageCard' },
)
const cards = Type.Array(PageCard, {
  description: 'The cards in their order, each once; what a request omits follows, shown',
})
const effort = meaning('Whether weeks show load or relative effort; load once a run has one, until chosen', {
  ...choice('load', 'relative'),
  title: 'PageEffort',
})

export const PageAnswer = Type.Object({ cards, effort }, { title: 'PageSettings' })

export const PageRequest = Type.Object({ cards: Type.Optional(cards), effort: Type.Optional(effort) })

const FilesFound = Type.Object({
  count: integer('Files without a run in the library, set aside in the folder found'),
  keptDays: integer('Days for which they are kept'),
})

const FilesMissing = Type.Object({
  count: integer('Originals, photos and videos of the library that are missing'),
  files: Type.Array(
    Type.Object(
      {
        workoutId: text('Id of the run that the file is of'),
        filename: text('Name of the file as it was sent, else as it was stored'),
      },
      { title: 'MissingFile' },
    ),
    { description: 'The first hundred of them' },
  ),
})

export const LibraryFiles = Type.Object(
  {
    found: meaning('Files that were set aside', FilesFound),
    missing: meaning('Files that are missing', FilesMissing),
  },
  { title: 'LibraryFiles' },
)

const BackupMade = Type.Object({
  at: text('When it was made, ISO 8601 UTC'),
  bytes: integer('Bytes that it takes, those shared with earlier backups included'),
  verified: flag('true: it was read again, and every hash was right'),
})
const BackupFailed = Type.Object({ at: text('When it failed, ISO 8601 UTC'), error: text('Why it failed') })

export const BackupAnswer = Type.Object(
  {
    enabled: flag('true: backups are made daily (BACKUP_DIR is set)'),
    at: text('Local time of day of the service at which backups are made, HH:mm (BACKUP_AT)'),
    last: meaning('The last backup, also one made by a command; null: none yet', nullable(BackupMade)),
    failed: meaning('A failure since the last backup; null: none', nullable(BackupFailed)),
  },
  {
    title: 'BackupState',
  },
)
export type BackupAnswer = Static<typeof BackupAnswer>
