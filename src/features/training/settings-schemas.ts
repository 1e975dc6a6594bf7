import { Type } from '@sinclair/typebox'
import { PROFILE_RANGES } from '../../engine/training/profile.ts'
import { choice, integer, nullable } from '../../http/schemas.ts'

type Field = keyof typeof PROFILE_RANGES
const range = (field: Field) => ({ minimum: PROFILE_RANGES[field][0], maximum: PROFILE_RANGES[field][1] })
const bounded = (field: Field, about: { readonly description?: string } = {}) =>
  nullable(Type.Number({ ...range(field), ...about }))
const bpm = (field: Field) => nullable(integer(range(field)))

const ProfileEntry = Type.Object({
  from: nullable(Type.String({ format: 'date', description: 'Effective from this local day; null: from the start' })),
  maxHeartRateBpm: bpm('maxHeartRateBpm'),
  restingHeartRateBpm: bpm('restingHeartRateBpm'),
  lthrBpm: bpm('lthrBpm'),
  thresholdPaceS: bounded('thresholdPaceS', { description: 'Threshold pace, seconds per km' }),
  massKg: bounded('massKg'),
  heightCm: bounded('heightCm'),
})

const SETTINGS = {
  sex: nullable(choice('female', 'male')),
  fitnessDays: integer(range('fitnessDays')),
  fatigueDays: integer({ ...range('fatigueDays'), description: 'Below fitnessDays' }),
  fitnessSeed: bounded('fitnessSeed', { description: 'Fitness and fatigue of the day before the first run' }),
  referenceHeartRateBpm: bpm('referenceHeartRateBpm'),
  minRunsPerWeek: integer(range('minRunsPerWeek')),
  paceZoneBorders: nullable(
    Type.Array(Type.Number({ minimum: 120, maximum: 1200 }), {
      minItems: 4,
      maxItems: 4,
      description: 'Seconds per km at which marathon, threshold, interval and repetition begin',
    }),
  ),
}

const MOST_ENTRIES = 200

export const TrainingSettingsBody = Type.Object(
  {
    ...Type.Partial(Type.Object(SETTINGS)).properties,
    entries: Type.Optional(Type.Array(Type.Partial(ProfileEntry), { maxItems: MOST_ENTRIES })),
  },
  {
    description: 'Replaces all values; absent members get their default',
    examples: [
      {
        sex: 'female',
        fitnessDays: 42,
        fatigueDays: 7,
        minRunsPerWeek: 4,
        entries: [
          { from: null, maxHeartRateBpm: 188, restingHeartRateBpm: 52 },
          { from: '2026-03-01', maxHeartRateBpm: 190, lthrBpm: 172, thresholdPaceS: 268 },
        ],
      },
    ],
  },
)

const sourced = (unit: string) =>
  Type.Object({
    value: nullable(Type.Number({ description: unit })),
    source: nullable(choice('runner', 'zones', 'default', 'estimated')),
  })

export const TrainingSettingsAnswer = Type.Object({
  ...SETTINGS,
  entries: Type.Array(ProfileEntry),
  effective: Type.Object(
    {
      maxHeartRateBpm: sourced('bpm'),
      restingHeartRateBpm: sourced('bpm'),
      lthrBpm: sourced('bpm'),
      thresholdPaceS: sourced('s/km'),
      massKg: sourced('kg'),
      heightCm: sourced('cm'),
    },
    { description: "Today's values and their source" },
  ),
})
