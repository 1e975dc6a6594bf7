import { t } from 'elysia'

// Shapes of CONTRACT 7 as the document shows them and answers are checked against.

const nullable = {
  integer: (description?: string) => t.Nullable(t.Integer(), { ...(description ? { description } : {}) }),
  number: (description?: string) => t.Nullable(t.Number(), { ...(description ? { description } : {}) }),
  string: () => t.Nullable(t.String()),
}

export const RunType = t.Union([t.Literal('Race'), t.Literal('Workout'), t.Literal('Long Run'), t.Literal('Easy Run')])

const Uuid = t.String({ format: 'uuid' })
const Timestamp = t.String({ description: 'ISO 8601, UTC', examples: ['2025-01-15T10:30:00Z'] })

export const LineString = t.Object({
  type: t.Literal('LineString'),
  coordinates: t.Array(t.Array(t.Number(), { minItems: 2, maxItems: 2 }), {
    minItems: 2,
    description: '[longitude, latitude]',
  }),
})

const workoutProperties = {
  id: Uuid,
  startedAt: Timestamp,
  createdAt: Timestamp,
  durationS: t.Integer({ description: 'elapsed seconds, pauses included' }),
  movingTimeS: nullable.integer('seconds'),
  timerTimeS: nullable.integer('seconds the watch was running'),
  distanceM: t.Number({ description: 'metres' }),
  avgPaceS: t.Number({ description: 'seconds per km' }),
  gapPaceS: nullable.number('grade-adjusted seconds per km'),
  elevGainM: nullable.number('metres'),
  elevLossM: nullable.number('metres'),
  minElevM: nullable.number('metres'),
  maxElevM: nullable.number('metres'),
  maxSpeedMps: nullable.number('m/s'),
  avgSpeedMps: nullable.number('m/s'),
  maxHeartRateBpm: nullable.integer(),
  avgHeartRateBpm: nullable.integer(),
  minHeartRateBpm: nullable.integer(),
  maxCadenceRpm: nullable.integer('one foot per minute'),
  avgCadenceRpm: nullable.integer('one foot per minute'),
  maxCadenceSpm: nullable.integer('steps per minute'),
  avgCadenceSpm: nullable.integer('steps per minute'),
  maxPowerWatts: nullable.integer(),
  avgPowerWatts: nullable.integer(),
  calories: nullable.integer('kcal'),
  relativeEffort: nullable.integer('minutes in zone times zone number'),
  hrZoneSeconds: t.Nullable(t.Array(t.Integer(), { minItems: 5, maxItems: 5 })),
  rpe: t.Nullable(t.Integer({ minimum: 1, maximum: 10 })),
  runType: t.Nullable(RunType),
  name: nullable.string(),
  source: nullable.string(),
  device: nullable.string(),
  shoeId: t.Nullable(Uuid),
  hasRoute: t.Boolean(),
  splitsCount: t.Integer(),
  utcOffsetMinutes: nullable.integer('local time minus UTC at the place of the run'),
  route: t.Nullable(LineString),
}

export const Workout = t.Object(workoutProperties, { description: 'route is a preview of at most 100 points' })

export const WorkoutPage = t.Object({
  items: t.Array(Workout),
  totalCount: t.Integer(),
  page: t.Integer(),
  pageSize: t.Integer(),
  totalPages: t.Integer(),
})

export const Split = t.Object({
  idx: t.Integer(),
  distanceM: t.Number(),
  durationS: t.Integer(),
  paceS: t.Number({ description: 'seconds per km' }),
  startElapsedS: nullable.number(),
  endElapsedS: nullable.number(),
  movingTimeS: nullable.integer(),
  elevGainM: nullable.number(),
  elevLossM: nullable.number(),
  avgHeartRateBpm: nullable.integer(),
  avgCadenceRpm: nullable.integer(),
  gapPaceS: nullable.number(),
})

export const Weather = t.Object(
  {
    source: nullable.string(),
    fetchedAt: nullable.string(),
    temperature: nullable.number('°C'),
    humidity: nullable.number('%'),
    precipitation: nullable.number('mm'),
    weatherCode: nullable.integer('WMO code'),
    condition: nullable.string(),
    windSpeed: nullable.number('m/s'),
    windDirection: nullable.number('degrees'),
    pressure: nullable.number('hPa'),
  },
  { additionalProperties: true },
)

const RawObject = t.Nullable(t.Object({}, { additionalProperties: true }))

export const WorkoutDetail = t.Object({
  ...workoutProperties,
  notes: nullable.string(),
  shoe: t.Nullable(t.Object({ id: Uuid, brand: t.String(), model: t.String() })),
  splits: t.Array(Split),
  weather: t.Nullable(Weather),
  rawGpxData: RawObject,
  rawFitData: RawObject,
  rawStravaData: RawObject,
})

export const WorkoutEdit = t.Object({
  runType: t.Optional(t.Nullable(RunType)),
  notes: t.Optional(nullable.string()),
  name: t.Optional(t.Nullable(t.String())),
  shoeId: t.Optional(nullable.string()),
  rpe: t.Optional(t.Nullable(t.Number({ multipleOf: 1, minimum: 1, maximum: 10 }))),
})

export const EditedWorkout = t.Object({
  id: Uuid,
  runType: t.Nullable(RunType),
  notes: nullable.string(),
  name: nullable.string(),
  shoeId: t.Nullable(Uuid),
  rpe: nullable.integer(),
})

export const TimeSeriesPage = t.Object({
  items: t.Array(
    t.Object({
      elapsedSeconds: t.Integer(),
      heartRateBpm: t.Integer(),
      distanceM: nullable.number(),
      cadenceRpm: nullable.integer(),
      powerWatts: nullable.integer(),
      speedMps: nullable.number(),
      elevationM: nullable.number(),
      temperatureC: nullable.number(),
    }),
  ),
  page: t.Integer(),
  pageSize: t.Integer(),
  totalCount: t.Integer(),
  totalPages: t.Integer(),
})

export const SingleImport = t.Object({
  id: Uuid,
  startedAt: Timestamp,
  durationS: t.Integer(),
  distanceM: t.Number(),
  avgPaceS: t.Number(),
  elevGainM: nullable.number(),
  splitsCount: t.Integer(),
  action: t.Union([t.Literal('created'), t.Literal('updated'), t.Literal('skipped')]),
  message: t.String(),
  skippedOther: t.Optional(t.Integer({ description: 'sessions of other sports; only when not 0' })),
})

export const ImportSummary = t.Object({
  totalProcessed: t.Integer(),
  successful: t.Integer(),
  skipped: t.Integer(),
  updated: t.Integer(),
  errors: t.Integer(),
  errorDetails: t.Array(t.Object({ filename: t.String(), error: t.String() })),
  skippedOther: t.Integer(),
})
