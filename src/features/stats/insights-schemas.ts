import { type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { TIMES_OF_DAY } from '../../engine/calendar/insights.ts'
import {
  choice,
  day,
  flag,
  integer,
  meaning,
  moment,
  nullable,
  number,
  text,
  UtcOffset,
  uuid,
} from '../../http/schemas.ts'

/** An entry: its fields and its run; null when no run qualifies. */
function entry<T extends TProperties>(title: string, fields: T) {
  return Type.Object(
    {
      ...fields,
      date: moment('Start of the run'),
      utcOffsetMinutes: UtcOffset,
      workoutId: uuid('The run, of equals the earliest'),
      workoutName: nullable(text('Name of the run; null: it has none')),
    },
    { title },
  )
}

/** @param description of the entry, without why it may be null */
function found<T extends TSchema>(description: string, schema: T) {
  return meaning(`${description}; null: none`, nullable(schema))
}

const percentage = number('Percent of all runs, one decimal')

/** How many runs have a kind of data. */
export const Availability = Type.Object(
  {
    count: integer('Runs that have it'),
    percentage,
    available: flag('true: at least one run has it, of weather and heart rate at least 25%'),
  },
  { title: 'Availability' },
)

const have = (what: string) => Type.Optional(meaning(`Runs with ${what}`, Availability))

const DataAvailability = Type.Object(
  {
    weather: have('weather'),
    heartRate: have('a maximum heart rate'),
    elevation: have('an elevation gain'),
    calories: have('calories'),
    cadence: have('a maximum cadence'),
    power: have('a maximum power'),
  },
  { title: 'DataAvailability' },
)

const TemperatureEntry = entry('TemperatureEntry', {
  temperature: number('In `temperatureUnit`, one decimal'),
  temperatureUnit: meaning('By the unit preference', { ...choice('°C', '°F'), title: 'TemperatureUnit' }),
})

const weatherCode = integer('WMO weather code')
const condition = nullable(text('The weather in words; null: unknown'))
const ConditionEntry = entry('ConditionEntry', { weatherCode, condition })

const WindEntry = entry('WindEntry', {
  windSpeed: number('In `windSpeedUnit`, one decimal'),
  windSpeedUnit: meaning('By the unit preference', choice('km/h', 'mph')),
  windDirection: nullable(number('Degrees that the wind comes from; null: unknown')),
  windDirectionCardinal: nullable(text('One of 16 compass points, such as NNE; null: unknown')),
})

const SnowEntry = entry('SnowEntry', {
  weatherCode,
  condition,
  precipitation: nullable(number('Millimetres; null: unknown')),
})

const WeatherInsights = Type.Object(
  {
    coldest: found('The run with the lowest temperature', TemperatureEntry),
    hottest: found('The run with the highest temperature', TemperatureEntry),
    windiest: found('The run with the strongest wind', WindEntry),
    mostHumid: found('The run with the highest humidity', entry('HumidityEntry', { humidity: number('Percent') })),
    wettest: found(
      'The run with the most precipitation, above 0',
      entry('PrecipitationEntry', {
        precipitation: number('Millimetres'),
        precipitationUnit: meaning('Always mm', Type.Literal('mm')),
      }),
    ),
    mostEpic: found('The run with the highest weather code of 95 to 99, a thunderstorm', ConditionEntry),
    foggiest: found('The run with the highest weather code of 45 to 48, fog', ConditionEntry),
    snowiest: found('The run with the most precipitation of weather codes 71 to 77, 85 and 86, snow', SnowEntry),
  },
  { title: 'WeatherInsights' },
)

const BiggestWeek = Type.Object(
  {
    weekStart: day('Monday of the week'),
    weekEnd: day('Sunday of the week'),
    distanceM: number('Metres of its runs'),
    runs: integer('Number of its runs'),
  },
  { title: 'BiggestWeek' },
)

const PerformanceInsights = Type.Object(
  {
    longestRun: found(
      'The run with the greatest distance',
      entry('LongestRun', { distanceM: number('Metres'), durationS: integer('Seconds, elapsed') }),
    ),
    fastestAvgPace: found(
      'The run with the fastest mean pace, of those from 3000 m on',
      entry('FastestRun', { avgPaceS: number('Seconds per km'), distanceM: number('Metres') }),
    ),
    mostElevation: found(
      'The run with the greatest elevation gain, above 0',
      entry('HilliestRun', { elevGainM: number('Metres climbed') }),
    ),
    highestRelativeEffort: found(
      'The run with the highest relative effort, above 0',
      entry('HardestRun', { relativeEffort: integer('Relative effort') }),
    ),
    biggestWeek: found('The week from Monday with the most metres, of equals the earliest', BiggestWeek),
  },
  { title: 'PerformanceInsights' },
)

const HabitInsights = Type.Object(
  {
    favoriteWeekday: meaning(
      'The weekday on which most runs began, of equals the first of the week',
      Type.Object(
        {
          weekday: text('Its English name'),
          weekdayIndex: integer('Monday is 0'),
          runs: integer('Runs on it'),
          percentage,
        },
        { title: 'FavoriteWeekday' },
      ),
    ),
    favoriteTimeOfDay: meaning(
      'The part of the day in which most runs began, of equals the first of the day',
      Type.Object({
        timeOfDay: meaning(
          'By the hour of the start: morning 5 to 11, afternoon 12 to 16, evening 17 to 20, else night',
          choice(...TIMES_OF_DAY),
        ),
        runs: integer('Runs in it'),
        percentage,
      }),
    ),
    averageRunsPerWeek: number('Runs by calendar weeks from that of the first run to the current one, two decimals'),
    averageDistanceM: number('Metres of a run, two decimals'),
    longestStreakDays: integer('Most days in a row with a run'),
    longestStreakStart: day('First day of that streak'),
    longestStreakEnd: day('Last day of that streak'),
    currentStreakDays: integer('Days in a row with a run up to today or yesterday, else 0'),
    longestStreakWeeks: integer('Most weeks from Monday in a row with a run'),
  },
  { title: 'HabitInsights' },
)

const InsightsMetadata = Type.Object(
  {
    totalWorkouts: integer('Runs that count'),
    firstWorkoutDate: nullable(moment('Start of the first run; null: too few runs')),
    latestWorkoutDate: nullable(moment('Start of the latest run; null: too few runs')),
    daysSinceFirstWorkout: nullable(integer('Whole days since the first run; null: too few runs')),
    dataAvailability: meaning('How many runs have which data; empty: too few runs', DataAvailability),
    minimumWorkoutsRequired: integer('Fewest runs for insights'),
  },
  { title: 'InsightsMetadata' },
)

export const Insights = Type.Object(
  {
    message: nullable(text('Encouragement that names how many runs are missing; null: there are enough')),
    sufficientData: flag('false: too few runs; all insights are null'),
    currentWorkouts: nullable(integer('Number of runs while there are too few, else null')),
    requiredWorkouts: nullable(integer('Runs needed while there are too few, else null')),
    metadata: meaning('What the insights are based on', InsightsMetadata),
    weather: meaning('null: fewer than 3 runs, or than 25%, have weather', nullable(WeatherInsights)),
    performance: meaning('null: too few runs', nullable(PerformanceInsights)),
    habits: meaning('null: fewer than 10 runs', nullable(HabitInsights)),
  },
  { title: 'Insights' },
)
