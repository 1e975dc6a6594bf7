import { Type } from '@sinclair/typebox'
import { MOST_DAYS, MOST_FORECAST_DAYS } from '../../engine/limits.ts'
import { CONFIDENCES, REASONS, type Reason } from '../../engine/training/confidence.ts'
import { LOAD_SOURCES } from '../../engine/training/library-loads.ts'
import { CalendarDate, choice, documented, integer, nullable, offsetMinutes, optionalDay } from '../../http/schemas.ts'

export const timezoneOffsetMinutes = offsetMinutes('that of the latest run when absent')

export const OffsetQuery = Type.Object({ timezoneOffsetMinutes })

export const WindowQuery = Type.Object({
  timezoneOffsetMinutes,
  from: optionalDay('First local day; 366 days before `to` when absent'),
  to: optionalDay(`The day after the last one, at most ${MOST_DAYS} days after \`from\`; tomorrow when absent`),
})

export const number = nullable(Type.Number())
export const whole = nullable(integer())
export const recomputing = Type.Boolean({ description: 'true: loads are being computed; these are older' })

const shape = {
  unit: Type.String(),
  confidence: nullable(choice(...CONFIDENCES)),
  basis: Type.Unsafe<readonly string[]>(Type.Array(Type.String(), { description: 'What it is based on' })),
  n: integer({ description: 'How many of them' }),
  asOf: nullable(CalendarDate),
  reasons: Type.Unsafe<readonly Reason[]>(
    Type.Array(choice(...REASONS), { description: 'Why it is less certain than possible, or missing' }),
  ),
  missing: nullable(Type.String({ description: 'What would narrow the range, one sentence' })),
}

export const Estimate = Type.Object(
  {
    value: number,
    low: nullable(Type.Number({ description: 'Ends of the 80% range: 1 in 5 falls outside' })),
    high: number,
    ...shape,
  },
  { title: 'Estimate', description: 'value null: see the reasons' },
)

export const loadSource = nullable(choice(...LOAD_SOURCES))

const DayForm = {
  date: CalendarDate,
  load: Type.Number(),
  fitness: Type.Number({ description: '42-day average of the load' }),
  fatigue: Type.Number({ description: '7-day average of the load' }),
  form: Type.Number({ description: 'Fitness less fatigue in the morning, before the runs of the day' }),
}

export const BALANCE = { ramp: number, weekToUsual: number, monotony: number, strain: number }

export const LoadDays = Type.Object({
  from: CalendarDate,
  to: CalendarDate,
  recomputing,
  days: Type.Array(
    Type.Object({
      ...DayForm,
      runs: integer(),
      ...BALANCE,
      acwr: Type.Object({ coupled: number, ewma: number }),
      warmingUp: Type.Boolean(),
      share: Type.Number({ description: 'Part of the full weight that was seen' }),
      estimatedShare: Type.Number({ description: 'Part of fitness from loads that were not measured' }),
      sources: Type.Record(Type.String(), Type.Number(), { description: 'Load of the day by its source' }),
    }),
    { description: 'One row a day from the first run on, days without runs included' },
  ),
})

export const ForecastQuery = Type.Object({
  timezoneOffsetMinutes,
  days: Type.Optional(integer({ minimum: 1, maximum: MOST_FORECAST_DAYS, description: '14 when absent' })),
  plan: Type.Optional(
    documented(
      Type.String({ description: 'usual: the mean of the last four loads of each weekday; rest when absent' }),
      { enum: ['rest', 'usual', 'custom'] },
    ),
  ),
  loads: Type.Optional(
    Type.String({
      description: `For custom: up to ${MOST_FORECAST_DAYS} loads of 0 to 1000 with commas between, then rest`,
    }),
  ),
})

export const Forecast = Type.Object({
  from: CalendarDate,
  plan: choice('rest', 'usual', 'custom'),
  recomputing,
  days: Type.Array(Type.Object(DayForm)),
  restDaysToFormZero: nullable(
    integer({ description: 'Days of rest until form is not below 0; null without fitness' }),
  ),
})

export const formWord = nullable(choice('heavy', 'building', 'steady', 'fresh', 'rested'))

const ENDS = { low: Type.Number(), mid: Type.Number(), high: Type.Number() }

export const WorkoutTraining = Type.Object({
  load: Estimate,
  loads: Type.Object(
    { heartRate: number, pace: number, rpe: number, duration: number, manual: number },
    { description: 'What each source would give, on one scale' },
  ),
  source: loadSource,
  chosen: choice('auto', ...LOAD_SOURCES),
  excludeFromEstimates: Type.Boolean({ description: 'The runner excluded it from predictions' }),
  wasRaced: Type.Boolean({ description: 'The runner said that this slow race was raced' }),
  calibration: nullable(Type.Object({ factor: Type.Number(), n: integer(), spread: Type.Number() })),
  intensityPct: nullable(integer({ description: '100: an hour at threshold' })),
  suspectHeartRate: Type.Boolean({ description: 'Heart rate and pace disagree' }),
  ef: number,
  decouplingPct: number,
  decouplingReason: nullable(choice('tooShort', 'heartRateGaps', 'notSteady', 'noDistance')),
  durability: nullable(
    Type.Object({
      last: Type.Number(),
      onsetKm: whole,
      ratios: Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 })),
    }),
  ),
  vo2max: Estimate,
  paceZoneSeconds: nullable(Type.Array(integer(), { minItems: 5, maxItems: 5 })),
  bandSeconds: nullable(Type.Array(Type.Number(), { minItems: 3, maxItems: 3 })),
  conditions: nullable(
    Type.Object({
      wbgtC: number,
      dewPointC: number,
      heatCostPct: nullable(
        Type.Object(
          { ...ENDS, own: Type.Boolean({ description: "The middle is from this runner's runs" }) },
          { description: '% of the time' },
        ),
      ),
      headWindMps: number,
      windCostPct: nullable(Type.Object(ENDS, { description: '% of the energy' })),
    }),
  ),
  recomputing,
})
