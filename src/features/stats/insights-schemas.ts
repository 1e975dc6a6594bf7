import { type TProperties, Type } from '@sinclair/typebox'
import { TIMES_OF_DAY } from '../../engine/calendar/insights.ts'
import { CalendarDate, choice, integer, nullable, Timestamp, UtcOffset, Uuid } from '../../http/schemas.ts'

const optionalNumber = nullable(Type.Number())
const optionalText = nullable(Type.String())

/** The fields of an entry and its run; null when no run qualifies. */
function entry<T extends TProperties>(fields: T) {
  return nullable(
    Type.Object({
      ...fields,
      date: Timestamp,
      utcOffsetMinutes: UtcOffset,
      workoutId: Uuid,
      workoutName: optionalText,
    }),
  )
}

/** How many runs have a kind of data. */
export const Availability = Type.Object(
  { count: integer(), percentage: Type.Number(), available: Type.Boolean() },
  { title: 'Availability' },
)

/** Empty while there are too few workouts. */
const dataAvailability = Type.Object({
  weather: Type.Optional(Availability),
  heartRate: Type.Optional(Availability),
  elevation: Type.Optional(Availability),
  calories: Type.Optional(Availability),
  cadence: Type.Optional(Availability),
  power: Type.Optional(Availability),
})

const temperature = entry({
  temperature: Type.Number(),
  temperatureUnit: choice('°C', '°F'),
})

const condition = entry({ weatherCode: integer({ description: 'WMO' }), condition: optionalText })

const weather = Type.Object({
  coldest: temperature,
  hottest: temperature,
  windiest: entry({
    windSpeed: Type.Number(),
    windSpeedUnit: choice('km/h', 'mph'),
    windDirection: optionalNumber,
    windDirectionCardinal: optionalText,
  }),
  mostHumid: entry({ humidity: Type.Number() }),
  wettest: entry({ precipitation: Type.Number(), precipitationUnit: Type.Literal('mm') }),
  mostEpic: condition,
  foggiest: condition,
  snowiest: entry({ weatherCode: integer(), condition: optionalText, precipitation: optionalNumber }),
})

const performance = Type.Object({
  longestRun: entry({ distanceM: Type.Number(), durationS: integer() }),
  fastestAvgPace: entry({ avgPaceS: Type.Number(), distanceM: Type.Number() }),
  mostElevation: entry({ elevGainM: Type.Number() }),
  highestRelativeEffort: entry({ relativeEffort: integer() }),
  biggestWeek: nullable(
    Type.Object({ weekStart: CalendarDate, weekEnd: CalendarDate, distanceM: Type.Number(), runs: integer() }),
  ),
})

const habits = Type.Object({
  favoriteWeekday: Type.Object({
    weekday: Type.String(),
    weekdayIndex: integer({ description: 'Monday is 0' }),
    runs: integer(),
    percentage: Type.Number(),
  }),
  favoriteTimeOfDay: Type.Object({
    timeOfDay: choice(...TIMES_OF_DAY),
    runs: integer(),
    percentage: Type.Number(),
  }),
  averageRunsPerWeek: Type.Number(),
  averageDistanceM: Type.Number(),
  longestStreakDays: integer(),
  longestStreakStart: CalendarDate,
  longestStreakEnd: CalendarDate,
  currentStreakDays: integer(),
  longestStreakWeeks: integer(),
})

export const Insights = Type.Object({
  message: optionalText,
  sufficientData: Type.Boolean(),
  currentWorkouts: nullable(integer()),
  requiredWorkouts: nullable(integer()),
  metadata: Type.Object({
    totalWorkouts: integer(),
    firstWorkoutDate: nullable(Timestamp),
    latestWorkoutDate: nullable(Timestamp),
    daysSinceFirstWorkout: nullable(integer()),
    dataAvailability,
    minimumWorkoutsRequired: integer(),
  }),
  weather: nullable(weather),
  performance: nullable(performance),
  habits: nullable(habits),
})
