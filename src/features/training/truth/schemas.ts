import { Type } from '@sinclair/typebox'
import { LENGTHS } from '../../../base/texts.ts'
import { TREND_REFUSALS } from '../../../engine/training/truth/trend-rows.ts'
import {
  choice,
  day,
  flag,
  integer,
  meaning,
  nullable,
  number,
  optionalDay,
  text,
  trimmedText,
  uuid,
} from '../../../http/schemas.ts'
import { Estimate, recomputing, timezoneOffsetMinutes } from '../schemas.ts'

export const FitnessQuery = Type.Object({
  timezoneOffsetMinutes,
  day: optionalDay('Not after today; today when absent'),
  against: optionalDay('Before `day`; 182 days before it when absent'),
})

const MARK = {
  day: day('The first local day with the other sensor'),
  kind: meaning('The only kind', choice('sensor')),
  name: trimmedText({ minLength: 1, maxLength: LENGTHS.name, description: 'Of the sensor' }),
}
const MARKED = { day: '2026-03-02', kind: 'sensor' as const, name: 'Chest strap' }

export const NewMark = Type.Object(MARK, { title: 'NewMark', examples: [MARKED] })
export const MarkAnswer = Type.Object({ id: uuid('Of the mark'), ...MARK }, { title: 'Mark' })

const stated = flag('true: it differs from 0 with 95% certainty')
const ENDS = {
  value: number('Middle of the range'),
  low: number('Lower end of the 80% range'),
  high: number('Upper end of the 80% range'),
}
const workoutId = uuid('Of the run')
const localDay = day('Local day of the run')
const weekStart = day('Monday of the week')

export const FitnessAnswer = Type.Object(
  {
    day: day('Local day of which fitness is asked'),
    against: day('Local day that it is compared with'),
    referenceHeartRateBpm: number(
      'Heart rate at which speeds are compared: as set in the profile, else 75% of maximum',
    ),
    recomputing,
    withoutHeat: flag('true: weather is off, so heat is not taken out of some runs, and ranges are wider'),
    change: meaning(
      'Of speed at one heart rate, %: the mean of the 28 days up to one day against that of the other',
      Estimate,
    ),
    stated,
    runs: Type.Object(
      {
        used: integer('Of five years, the latest 3,000 at most; 60 are needed'),
        window: integer('Of the 28 days up to `day`; 8 are needed'),
        before: integer('Of the 28 days up to `against`; 8 are needed'),
        left: Type.Record(Type.String(), integer(), { description: 'Other runs, by reason' }),
      },
      { title: 'RunsUsed', description: 'Steady runs with heart rate, weather and usable altitude' },
    ),
    selfCheck: nullable(
      Type.Object(
        {
          share: number('0 to 1; below 0.7 confidence is low, below 0.6 there is no change'),
          n: integer('How many runs'),
        },
        {
          description:
            'Runs of the last 56 days within the 80% range that older ones expect; null: below 12 of them, or 60 older',
        },
      ),
    ),
    weeks: Type.Array(Type.Object({ weekStart, ...ENDS }, { title: 'FitnessWeek' }), {
      description: 'Fitness at the end of each week against `day`, %; empty: no fit',
    }),
    points: Type.Array(
      Type.Object(
        {
          workoutId,
          date: localDay,
          corrected: number('Adjusted for all conditions'),
          asRun: number('Adjusted for heart rate only'),
        },
        { title: 'FitnessPoint' },
      ),
      { description: 'Runs of the last year against fitness on `day`, %' },
    ),
    marks: Type.Array(
      Type.Object(
        {
          id: nullable(uuid('null: a device, from its recordings')),
          day: day('The first local day with it'),
          kind: meaning('device: from recordings; sensor: a mark of the runner', choice('device', 'sensor')),
          name: text('Of the device or sensor'),
        },
        { title: 'FitnessMark' },
      ),
      { description: 'Changes of device and sensor up to `day`, the earliest first' },
    ),
  },
  {
    title: 'FitnessChange',
  },
)

export const RunAnswer = Type.Object(
  {
    workoutId,
    date: localDay,
    recomputing,
    reason: nullable(meaning('Why the run does not take part; null: it may', choice(...TREND_REFUSALS))),
    sum: nullable(
      Type.Object(
        {
          paceS: number('Of its counted time on the flat, seconds per km'),
          referencePaceS: number(
            'Of that day at the reference heart rate, on a flat, cool, calm and usual day, seconds per km',
          ),
          parts: Type.Array(
            Type.Object(
              {
                name: text('One of pulse, heat, cold, wind, climb, length, hour, tired, place, device or sensor'),
                ...ENDS,
              },
              { title: 'PacePart' },
            ),
            { description: 'From that pace to the one of the run, s/km; positive: slower' },
          ),
          restS: number('What nothing explains, s/km; positive: slower'),
        },
        { title: 'PaceSum', description: 'null: not part of the fit, older than a year, or no fit' },
      ),
    ),
  },
  {
    title: 'RunConditionParts',
  },
)

export const ConditionsAnswer = Type.Object(
  {
    recomputing,
    heat: Type.Array(
      Type.Object(
        {
          wbgtC: integer('Simplified wet-bulb globe temperature, °C'),
          cost: meaning('% of the pace; positive: slower', Estimate),
          stated,
          atLeast: flag('true: most runners lose more than this range'),
        },
        { title: 'HeatCost' },
      ),
      { description: 'Against a day of WBGT 12; empty: below 60 runs with weather, or no fit' },
    ),
    week: nullable(
      Type.Object(
        {
          weekStart,
          cost: meaning('Mean of its runs by their distance, s/km; positive: slower', Estimate),
          stated,
          runs: integer('Runs with weather'),
        },
        {
          title: 'HeatOfWeek',
          description: 'What heat cost in the last full week before `day`; null: no such run, or no fit',
        },
      ),
    ),
    terms: Type.Array(
      Type.Object(
        {
          name: text('One of pulse, morning, cold, wind, climb, length, tired, or device or sensor with its name'),
          ...ENDS,
          unit: text('% of the pace, and for how much of the condition'),
        },
        { title: 'ConditionTerm' },
      ),
      { description: 'Other conditions, positive: slower; empty: no fit' },
    ),
  },
  {
    title: 'ConditionCosts',
  },
)
