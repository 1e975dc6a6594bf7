import { Type } from '@sinclair/typebox'
import { MOST_DAYS, MOST_FORECAST_DAYS } from '../../engine/limits.ts'
import { CONFIDENCES, REASONS, type Reason } from '../../engine/training/confidence.ts'
import { LOAD_SOURCES } from '../../engine/training/library-loads.ts'
import {
  choice,
  day,
  documented,
  flag,
  integer,
  meaning,
  nullable,
  number,
  offsetMinutes,
  optionalDay,
  text,
  titled,
} from '../../http/schemas.ts'

export const timezoneOffsetMinutes = offsetMinutes('that of the latest run when absent')

export const OffsetQuery = Type.Object({ timezoneOffsetMinutes })

export const WindowQuery = Type.Object({
  timezoneOffsetMinutes,
  from: optionalDay('First local day; 366 days before `to` when absent'),
  to: optionalDay(`The day after the last one, at most ${MOST_DAYS} days after \`from\`; tomorrow when absent`),
})

export const recomputing = flag('true: loads are being computed; these are older')

export const Confidence = titled('Confidence', choice(...CONFIDENCES))

const shape = {
  unit: text('Of the value and its range; empty: a bare number'),
  confidence: nullable(
    meaning('By the range (high: ±3%, medium: ±8%), or by the source of a load; null: no value', Confidence),
  ),
  basis: Type.Unsafe<readonly string[]>(
    Type.Array(Type.String(), {
      description: 'Kinds of evidence: race, heartRate, pace, effort, weather, rpe, duration, manual',
    }),
  ),
  n: integer('Runs or efforts that it is based on'),
  asOf: nullable(day('Local day of the latest evidence; null: none')),
  reasons: Type.Unsafe<readonly Reason[]>(
    Type.Array(titled('EstimateReason', choice(...REASONS)), {
      description: 'Why it is less certain than possible, or missing',
    }),
  ),
  missing: nullable(text('What would narrow the range, one sentence; null: nothing to suggest')),
}

export const Estimate = Type.Object(
  {
    value: nullable(number('null: see the reasons')),
    low: nullable(number('Lower end of the 80% range: 1 in 5 falls outside; null: no range')),
    high: nullable(number('Upper end of the 80% range; null: no range')),
    ...shape,
  },
  { title: 'Estimate', description: 'value null: see the reasons' },
)

export const LoadSource = titled('LoadSource', choice(...LOAD_SOURCES))
export const DecouplingReason = titled(
  'DecouplingReason',
  choice('tooShort', 'heartRateGaps', 'notSteady', 'noDistance'),
)

const DayForm = {
  date: day('Local day'),
  load: number('Of all runs of the day; 100: an hour at threshold'),
  fitness: number('Average load after the runs of the day, by `fitnessDays` of the profile (42 days)'),
  fatigue: number('The same by `fatigueDays` (7 days)'),
  form: number('Fitness less fatigue in the morning, before the runs of the day'),
}

export const BALANCE = {
  ramp: nullable(number('Change of fitness in seven days; null: before the seventh day')),
  weekToUsual: nullable(
    number('Mean load of 7 days over that of the 21 before; null: before the 28th day, or these are below 1 a day'),
  ),
  monotony: nullable(
    number('Mean load of 7 days over its standard deviation, at most 10; null: no load, or before the seventh day'),
  ),
  strain: nullable(number('Load of 7 days times monotony; null: no monotony')),
}

export const LoadDays = Type.Object(
  {
    from: day('First day asked for'),
    to: day('The day after the last one asked for'),
    recomputing,
    days: Type.Array(
      Type.Object(
        {
          ...DayForm,
          runs: integer('Runs of the day'),
          ...BALANCE,
          acwr: Type.Object(
            {
              coupled: nullable(
                number('Mean load of 7 days over that of the 28 that end with them; null: as weekToUsual'),
              ),
              ewma: nullable(number('The same of exponential averages (Williams 2017); null: as weekToUsual')),
            },
            { description: 'Acute to chronic workload ratios' },
          ),
          warmingUp: flag('true: one of the first 42 days, whose form has no word'),
          share: number('Part of its full weight that fitness has seen, 0 to 1'),
          estimatedShare: number('Part of fitness from loads that are neither by heart rate nor by hand, 0 to 1'),
          sources: Type.Record(Type.String(), Type.Number(), { description: 'Load of the day by its source' }),
        },
        { title: 'LoadDay' },
      ),
      { description: 'One row a day from the first run on, days without runs included' },
    ),
  },
  { title: 'LoadDays' },
)

export const ForecastQuery = Type.Object({
  timezoneOffsetMinutes,
  days: Type.Optional(integer({ minimum: 1, maximum: MOST_FORECAST_DAYS, description: 'Days ahead; 14 when absent' })),
  plan: Type.Optional(
    documented(
      Type.String({
        title: 'ForecastPlan',
        description: 'usual: the mean of the last four loads of each weekday; rest when absent',
      }),
      { enum: ['rest', 'usual', 'custom'] },
    ),
  ),
  loads: Type.Optional(
    Type.String({
      description: `For custom: up to ${MOST_FORECAST_DAYS} loads of 0 to 1000 with commas between, then rest`,
    }),
  ),
})

export const restDaysToFormZero = nullable(integer('Days of rest until form is not below 0; null: no fitness'))

export const Forecast = Type.Object(
  {
    from: day('The first day ahead, after today or the last run'),
    plan: meaning('The plan that was asked for', titled('ForecastPlan', choice('rest', 'usual', 'custom'))),
    recomputing,
    days: Type.Array(Type.Object(DayForm, { title: 'ForecastDay' }), { description: 'One row a day' }),
    restDaysToFormZero,
  },
  { title: 'Forecast' },
)

export const formWord = nullable(
  meaning(
    'Form over fitness of the morning: heavy below −0.30, building below −0.10, steady below 0.05, fresh up to 0.20, ' +
      'rested above; null: fitness below 10, or one of the first 42 days',
    choice('heavy', 'building', 'steady', 'fresh', 'rested'),
  ),
)

export const ef = nullable(
  number('Metres on the flat for each heartbeat; null: no heart rate after 10 minutes, or no distance'),
)
export const decouplingPct = nullable(number('% of `ef` that the second half lost; null: see decouplingReason'))
export const decouplingReason = nullable(
  meaning('Why there is no decoupling; null: there is, or the run is not computed yet', DecouplingReason),
)
export const DURABILITY = {
  last: number('Heart rate over speed of the last full 5 km, against km 5 to 10'),
  onsetKm: nullable(integer('First km from which two such parts in a row are above 1.025; null: none')),
}
const ENDS = {
  low: number('Lower end'),
  mid: number('Middle of the range'),
  high: number('Upper end'),
}

export const WorkoutTraining = Type.Object(
  {
    load: meaning('The load that counts; 100: an hour at threshold', Estimate),
    loads: Type.Object(
      {
        heartRate: nullable(number('By heart rate; null: known for less than half of the moving time')),
        pace: nullable(number('By pace on the flat; null: no distance, or no threshold pace set or estimated')),
        rpe: nullable(number('By effort and time; null: no RPE')),
        duration: nullable(number('By moving time; null: no time')),
        manual: nullable(number('By hand; null: none was entered')),
      },
      { title: 'LoadsBySource', description: 'What each source would give, on one scale' },
    ),
    source: nullable(meaning('Where the load is from; null: no load', LoadSource)),
    chosen: meaning(
      'Chosen by the runner; auto: the first that exists',
      titled('ChosenLoadSource', choice('auto', ...LOAD_SOURCES)),
    ),
    excludeFromEstimates: flag('true: the runner excluded it from predictions'),
    wasRaced: flag('true: the runner said that this slow race was raced'),
    calibration: nullable(
      Type.Object(
        {
          factor: number('The load by its source was multiplied by this'),
          n: integer('Runs that it is based on; 0: by pace alone, so that the middle run is 50 an hour'),
          spread: number('Scatter of a single run, as a standard deviation of ln of the load'),
        },
        { description: 'Scale of a load by pace, RPE or time; null: another load, or no scale' },
      ),
    ),
    intensityPct: nullable(integer('100: an hour at threshold; null: no load')),
    suspectHeartRate: flag('true: heart rate and pace disagree'),
    ef,
    decouplingPct,
    decouplingReason,
    durability: nullable(
      Type.Object(
        {
          ...DURABILITY,
          ratios: Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), {
            description: 'First km of each 5 km, and heart rate over speed in them against km 5 to 10',
          }),
        },
        { description: 'null: below 20 km, or gaps in heart rate' },
      ),
    ),
    vo2max: meaning('VDOT by this run alone, whether or not it is used', Estimate),
    paceZoneSeconds: nullable(
      Type.Array(integer(), {
        minItems: 5,
        maxItems: 5,
        description: 'Seconds in easy, marathon, threshold, interval and repetition pace; null: no pace or no zones',
      }),
    ),
    bandSeconds: nullable(
      Type.Array(Type.Number(), {
        minItems: 3,
        maxItems: 3,
        description: 'Seconds of low, moderate and high intensity, by heart rate, else by pace; null: neither',
      }),
    ),
    conditions: nullable(
      Type.Object(
        {
          wbgtC: nullable(number('Simplified wet-bulb globe temperature, °C; null: no temperature or humidity')),
          dewPointC: nullable(number('Dew point, °C; null: no temperature or humidity')),
          heatCostPct: nullable(
            Type.Object(
              { ...ENDS, own: flag("true: the middle is from this runner's runs") },
              { description: '% of the time that heat cost; null: shorter than 30 minutes, or no weather' },
            ),
          ),
          headWindMps: nullable(
            number('Mean wind at 10 m against the runner, m/s; negative: from behind; null: no wind or no route'),
          ),
          windCostPct: nullable(
            Type.Object(ENDS, { description: '% of the energy that wind cost; null: no wind or no route' }),
          ),
        },
        { title: 'RunConditions', description: 'null: no weather' },
      ),
    ),
    recomputing,
  },
  { title: 'WorkoutTraining' },
)
