import { Type } from '@sinclair/typebox'
import { LENGTHS } from '../../../base/texts.ts'
import { TREND_REFUSALS } from '../../../engine/training/truth/trend-rows.ts'
import { CalendarDate, choice, integer, nullable, optionalDay, trimmedText, Uuid } from '../../../http/schemas.ts'
import { Estimate, recomputing, timezoneOffsetMinutes } from '../schemas.ts'

export const FitnessQuery = Type.Object({
  timezoneOffsetMinutes,
  day: optionalDay('Today when absent'),
  against: optionalDay('182 days before `day` when absent'),
})

const MARK = {
  day: Type.String({ format: 'date', description: 'The first day with the other sensor' }),
  kind: choice('sensor'),
  name: trimmedText({ minLength: 1, maxLength: LENGTHS.name }),
}
const MARKED = { day: '2026-03-02', kind: 'sensor' as const, name: 'Chest strap' }
const ID = '0198a000-0000-7000-8000-000000000001'

export const NewMark = Type.Object(MARK, { examples: [MARKED] })
export const MarkAnswer = Type.Object({ id: Uuid, ...MARK }, { title: 'Mark', examples: [{ id: ID, ...MARKED }] })

const stated = Type.Boolean({ description: 'It differs from 0 with 95% certainty' })
const reason = choice(...TREND_REFUSALS)
const ENDS = { value: Type.Number(), low: Type.Number(), high: Type.Number() }

const estimate = (unit: string, [value, low, high]: readonly [number, number, number]) => ({
  ...{ value, low, high, unit, confidence: 'high' as const, basis: ['heartRate', 'weather'], n: 212 },
  ...{ asOf: '2026-05-20', reasons: [], missing: null },
})

export const FitnessAnswer = Type.Object(
  {
    day: CalendarDate,
    against: CalendarDate,
    referenceHeartRateBpm: Type.Number(),
    recomputing,
    withoutHeat: Type.Boolean({ description: 'Weather is off: heat is not taken out, and ranges are wider' }),
    change: Estimate,
    stated,
    runs: Type.Object({
      used: integer(),
      window: integer({ description: 'Of the 28 days up to `day`' }),
      before: integer({ description: 'Of the 28 days up to `against`' }),
      left: Type.Record(Type.String(), integer(), { description: 'Other runs, by reason' }),
    }),
    selfCheck: nullable(
      Type.Object(
        { share: Type.Number(), n: integer() },
        { description: 'Runs of the last 56 days within the 80% range that older ones expect' },
      ),
    ),
    weeks: Type.Array(Type.Object({ weekStart: CalendarDate, ...ENDS }), {
      description: 'Fitness at the end of each week against `day`, %',
    }),
    points: Type.Array(
      Type.Object({
        workoutId: Uuid,
        date: CalendarDate,
        corrected: Type.Number(),
        asRun: Type.Number({ description: 'Adjusted for heart rate only' }),
      }),
      { description: 'Runs of the last year against `day`, %' },
    ),
    marks: Type.Array(
      Type.Object({
        id: nullable(Type.String({ format: 'uuid', description: 'null: a device, from its recordings' })),
        day: CalendarDate,
        kind: choice('device', 'sensor'),
        name: Type.String(),
      }),
    ),
  },
  {
    examples: [
      {
        ...{ day: '2026-05-20', against: '2025-11-19', referenceHeartRateBpm: 140, recomputing: false, stated: true },
        withoutHeat: false,
        change: estimate('%', [2.1, 1, 3.2]),
        runs: { used: 212, window: 17, before: 15, left: { noWeather: 4 } },
        selfCheck: { share: 0.84, n: 32 },
        weeks: [{ weekStart: '2026-05-11', value: -0.1, low: -0.3, high: 0.1 }],
        points: [],
        marks: [],
      },
    ],
  },
)

export const RunAnswer = Type.Object(
  {
    workoutId: Uuid,
    date: CalendarDate,
    recomputing,
    reason: nullable(reason),
    sum: nullable(
      Type.Object(
        {
          paceS: Type.Number(),
          referencePaceS: Type.Number({ description: 'At the reference heart rate, cool and calm' }),
          parts: Type.Array(Type.Object({ name: Type.String(), ...ENDS }), { description: 's/km; positive: slower' }),
          restS: Type.Number({ description: 'What nothing explains, s/km' }),
        },
        { description: 'null: not part of the fit, or older than a year' },
      ),
    ),
  },
  {
    examples: [
      {
        ...{ workoutId: ID, date: '2026-05-20', recomputing: false, reason: null },
        sum: {
          ...{ paceS: 342.1, referencePaceS: 331.4, restS: -1.3 },
          parts: [{ name: 'heat', value: 12, low: 8.1, high: 15.9 }],
        },
      },
    ],
  },
)

export const ConditionsAnswer = Type.Object(
  {
    recomputing,
    heat: Type.Array(
      Type.Object({
        wbgtC: integer(),
        cost: Estimate,
        stated,
        atLeast: Type.Boolean({ description: 'Most runners lose more than this range' }),
      }),
      { description: '% of the pace against a day of WBGT 12' },
    ),
    week: nullable(
      Type.Object(
        { weekStart: CalendarDate, cost: Estimate, stated, runs: integer() },
        { description: 'The last full week' },
      ),
    ),
    terms: Type.Array(Type.Object({ name: Type.String(), ...ENDS, unit: Type.String() }), {
      description: 'Other conditions, positive: slower',
    }),
  },
  {
    examples: [
      {
        recomputing: false,
        heat: [{ wbgtC: 20, cost: estimate('%', [3.1, 2.1, 4.1]), stated: true, atLeast: false }],
        week: null,
        terms: [{ name: 'length', value: 1.5, low: 0.4, high: 2.6, unit: '%/h' }],
      },
    ],
  },
)
