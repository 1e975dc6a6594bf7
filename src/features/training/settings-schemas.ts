import { Type } from '@sinclair/typebox'
import { PROFILE_RANGES } from '../../engine/training/profile.ts'
import { choice, day, integer, meaning, nullable, number, titled } from '../../http/schemas.ts'

type Field = keyof typeof PROFILE_RANGES
const range = (field: Field) => ({ minimum: PROFILE_RANGES[field][0], maximum: PROFILE_RANGES[field][1] })
const bounded = (field: Field, description: string) => nullable(number({ ...range(field), description }))
const bpm = (field: Field, description: string) => nullable(integer({ ...range(field), description }))

/** Values from a day on; null: an older entry counts, else the zones or a default. */
export const PROFILE_ENTRY = {
  from: nullable(day('Effective from this local day; null: from the start')),
  maxHeartRateBpm: bpm('maxHeartRateBpm', 'Maximum heart rate; null: an older entry, else that of the zones'),
  restingHeartRateBpm: bpm(
    'restingHeartRateBpm',
    'More than 20 below the maximum; null: an older entry, else that of the zones, else 60',
  ),
  lthrBpm: bpm(
    'lthrBpm',
    'Threshold heart rate, 10 above resting to maximum; null: an older entry, else own zones, else 90% of maximum',
  ),
  thresholdPaceS: bounded(
    'thresholdPaceS',
    'Threshold pace, seconds per km; null: an older entry, else estimated from runs',
  ),
  massKg: bounded('massKg', 'For the cost of wind alone; null: an older entry, else 70'),
  heightCm: bounded('heightCm', 'For the cost of wind alone; null: an older entry, else a usual drag area'),
}

const ProfileEntry = Type.Object(PROFILE_ENTRY, { title: 'ProfileEntry' })

const SETTINGS = {
  sex: nullable(
    meaning('For the weight of intensity in loads; null: between both', titled('Sex', choice('female', 'male'))),
  ),
  fitnessDays: integer({ ...range('fitnessDays'), description: 'Time constant of fitness, days' }),
  fatigueDays: integer({ ...range('fatigueDays'), description: 'Time constant of fatigue, days; below fitnessDays' }),
  fitnessSeed: bounded('fitnessSeed', 'Fitness and fatigue of the day before the first run; null: 0'),
  referenceHeartRateBpm: bpm(
    'referenceHeartRateBpm',
    'Heart rate at which paces are compared; null: 75% of the maximum',
  ),
  minRunsPerWeek: integer({ ...range('minRunsPerWeek'), description: 'Runs that make a week full' }),
  paceZoneBorders: nullable(
    Type.Array(Type.Number({ minimum: 120, maximum: 1200 }), {
      minItems: 4,
      maxItems: 4,
      description:
        'Seconds per km at which marathon, threshold, interval and repetition begin, each faster; null: by VDOT',
    }),
  ),
}

const MOST_ENTRIES = 200

export const TrainingSettingsBody = Type.Object(
  {
    ...Type.Partial(Type.Object(SETTINGS)).properties,
    entries: Type.Optional(
      Type.Array(Type.Partial(Type.Object(PROFILE_ENTRY), { title: 'NewProfileEntry' }), {
        maxItems: MOST_ENTRIES,
        description: 'No two from one day; the values of each day must be consistent',
      }),
    ),
  },
  {
    title: 'NewTrainingProfile',
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

const ProfileValue = Type.Object(
  {
    value: nullable(number('null: unknown')),
    source: nullable(
      meaning(
        'runner: an entry; zones: the heart-rate zones; estimated: from runs; null: no value',
        choice('runner', 'zones', 'default', 'estimated'),
      ),
    ),
  },
  { title: 'ProfileValue' },
)

export const TrainingSettingsAnswer = Type.Object(
  {
    ...SETTINGS,
    entries: Type.Array(ProfileEntry, { description: 'The earliest first' }),
    effective: Type.Object(
      {
        maxHeartRateBpm: meaning('Maximum heart rate', ProfileValue),
        restingHeartRateBpm: meaning('Resting heart rate', ProfileValue),
        lthrBpm: meaning('Threshold heart rate', ProfileValue),
        thresholdPaceS: meaning('Threshold pace, seconds per km', ProfileValue),
        massKg: meaning('Body mass', ProfileValue),
        heightCm: meaning('Body height', ProfileValue),
      },
      { title: 'EffectiveProfile', description: "Today's values and their source" },
    ),
  },
  { title: 'TrainingProfile' },
)
