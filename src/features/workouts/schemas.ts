import { type TInteger, type TNumber, type TOptional, Type } from '@sinclair/typebox'
import { LENGTHS } from '../../base/texts.ts'
import { MOST_MANUAL_LOAD, RPE_RANGE, RUN_TYPES } from '../../engine/limits.ts'
import { eachNumber, NEEDED, type NeededNumber, NUMBERS, type NumberName } from '../../engine/numbers.ts'
import { LOAD_SOURCES } from '../../engine/training/library-loads.ts'
import { SPORT_WORDS, type SportWord } from '../../formats/sport-words.ts'
import { choice, documented, integer, nullable, Timestamp, Uuid } from '../../http/schemas.ts'
import { FieldSources } from './sources/sources-schemas.ts'

// Schemas of docs/api.md 7, for the document and for validating answers of handlers that return objects; a `Response`,
// as the detail is, is not validated.

const number = (description?: string) => Type.Number(description === undefined ? {} : { description })
const count = (description?: string) => integer(description === undefined ? {} : { description })
const text = nullable(Type.String())

const RunType = nullable(choice(...RUN_TYPES))
const rpe = nullable(integer({ minimum: RPE_RANGE[0], maximum: RPE_RANGE[1] }))

export const LineString = Type.Object({
  type: Type.Literal('LineString'),
  coordinates: Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), {
    minItems: 2,
    description: '[longitude, latitude]',
  }),
})

type NumberProperties = {
  readonly [K in NumberName]: K extends NeededNumber ? TNumber : ReturnType<typeof nullable<TNumber>>
}

/** One property for each number, of the type that the table states. */
export function numberProperties(): NumberProperties {
  const properties = eachNumber((name) => {
    const { decimals, unit } = NUMBERS[name]
    const property = decimals === 0 ? count(unit) : number(unit)
    return NEEDED.some((needed) => needed === name) ? property : nullable(property)
  })
  return properties as NumberProperties
}

const workoutProperties = {
  id: Uuid,
  startedAt: Timestamp,
  createdAt: Timestamp,
  ...numberProperties(),
  hrZoneSeconds: nullable(Type.Array(count(), { minItems: 5, maxItems: 5 })),
  rpe,
  runType: RunType,
  name: text,
  source: text,
  device: text,
  shoeId: nullable(Uuid),
  hasRoute: Type.Boolean(),
  splitsCount: count(),
  utcOffsetMinutes: nullable(count('local time minus UTC at the place of the run')),
  suggestedRunType: nullable(
    Type.Object(
      { type: choice(...RUN_TYPES), reason: Type.String() },
      { description: 'when runType is null and the runner did not choose that; in lists of the latest 90 days only' },
    ),
  ),
  leftOut: Type.Boolean({ description: 'excluded from statistics and records by the runner' }),
  load: nullable(number('100: an hour at threshold; null: excluded run, or not computed yet')),
  loadSource: nullable(choice(...LOAD_SOURCES)),
  route: nullable(LineString),
}

export const Workout = Type.Object(workoutProperties, {
  title: 'Workout',
  description: 'route is a preview of at most 100 points',
})

export const Split = Type.Object({
  idx: count(),
  distanceM: Type.Number(),
  durationS: count(),
  paceS: number('seconds per km'),
  startElapsedS: nullable(number()),
  endElapsedS: nullable(number()),
  movingTimeS: nullable(count()),
  elevGainM: nullable(number()),
  elevLossM: nullable(number()),
  avgHeartRateBpm: nullable(count()),
  avgCadenceRpm: nullable(count()),
  gapPaceS: nullable(number()),
})

export const Weather = Type.Object(
  {
    source: text,
    fetchedAt: text,
    temperature: nullable(number('°C')),
    humidity: nullable(number('%')),
    precipitation: nullable(number('mm')),
    weatherCode: nullable(count('WMO code')),
    condition: text,
    windSpeed: nullable(number('m/s')),
    windDirection: nullable(number('degrees')),
    pressure: nullable(number('hPa')),
  },
  { additionalProperties: true },
)

const RawObject = nullable(Type.Object({}, { additionalProperties: true }))

export const WorkoutDetail = Type.Object(
  {
    ...workoutProperties,
    notes: text,
    shoe: nullable(Type.Object({ id: Uuid, brand: Type.String(), model: Type.String() })),
    splits: Type.Array(Split),
    weather: nullable(Weather),
    rawGpxData: RawObject,
    rawFitData: RawObject,
    rawStravaData: RawObject,
    sources: count('recordings that it is based on'),
    corrections: count('what was corrected in its files'),
    stated: Type.Boolean({ description: 'the runner declined the corrections' }),
    fieldSources: nullable(FieldSources),
  },
  { title: 'WorkoutDetail' },
)

export const WorkoutEdit = Type.Object(
  {
    runType: Type.Optional(RunType),
    notes: Type.Optional(text),
    name: Type.Optional(nullable(Type.String({ maxLength: LENGTHS.name }))),
    shoeId: Type.Optional(nullable(documented(Type.String(), { format: 'uuid' }))),
    rpe: Type.Optional(rpe),
    leftOut: Type.Optional(
      nullable(
        Type.Boolean({ description: 'true: the run counts in no statistic and holds no record; null is false' }),
      ),
    ),
    efforts: Type.Optional(
      nullable(
        Type.Boolean({
          description: 'Sets isRecord of each unusually fast best effort; 400 when the run has none; null: not decided',
        }),
      ),
    ),
    loadSource: Type.Optional(
      documented(choice('auto', ...LOAD_SOURCES), {
        description: 'Load source, where available; manual needs loadManual',
      }),
    ),
    loadManual: Type.Optional(
      nullable(
        Type.Number({ minimum: 0, maximum: MOST_MANUAL_LOAD, description: 'Load by hand; comes before every source' }),
      ),
    ),
    excludeFromEstimates: Type.Optional(
      Type.Boolean({ description: 'true: the run is no evidence of VO2max, races and thresholds; its load counts' }),
    ),
    wasRaced: Type.Optional(
      Type.Boolean({ description: 'true: a race that is much slower than the others was raced; nothing else changes' }),
    ),
    stated: Type.Optional(Type.Boolean({ description: 'true: its files count as they state, uncorrected' })),
  },
  { examples: [{ name: 'Hill repeats', runType: 'Workout', rpe: 8, notes: null }, { leftOut: true }] },
)

export const EditedWorkout = Type.Object({
  id: Uuid,
  runType: RunType,
  notes: text,
  name: text,
  shoeId: nullable(Uuid),
  rpe: nullable(count()),
  leftOut: Type.Boolean(),
  loadSource: choice('auto', ...LOAD_SOURCES),
  loadManual: nullable(Type.Number()),
  excludeFromEstimates: Type.Boolean(),
  wasRaced: Type.Boolean(),
  stated: Type.Boolean(),
})

export const RecalculatedEffort = Type.Object({ id: Uuid, relativeEffort: nullable(count()) })

export const RecalculatedSplits = Type.Object({ id: Uuid, splitsCount: count() })

export const WorkoutCount = Type.Object({ count: count() })

const recalculation = {
  errorCount: count(),
  errors: nullable(Type.Array(Type.String(), { description: 'The first 100' })),
  message: Type.String(),
}

export const EffortRecalculation = Type.Object({
  updatedCount: count(),
  totalQualifyingWorkouts: count(),
  ...recalculation,
})

export const SplitsRecalculation = Type.Object({ updatedCount: count(), totalWorkouts: count(), ...recalculation })

export const SimilarParameters = Type.Object({
  maxResults: Type.Optional(integer({ minimum: 1, default: 10, description: 'over 100 counts as 100' })),
  maxYears: Type.Optional(
    integer({ minimum: 1, default: 2, description: 'how far back to look; over 100 counts as 100' }),
  ),
})

export const SimilarRoutes = Type.Array(
  Type.Object({
    workoutId: Uuid,
    similarityScore: number('0 to 100'),
    distanceDifferenceM: number('match - current'),
    timeDifferenceS: count('match - current'),
    paceDifferenceS: number('match - current, seconds per km'),
    startedAt: Timestamp,
    utcOffsetMinutes: nullable(count()),
    name: text,
    runType: RunType,
    durationS: count(),
    movingTimeS: nullable(count()),
    distanceM: number(),
    avgPaceS: number(),
    avgHeartRateBpm: nullable(count()),
    relativeEffort: nullable(count()),
    elevGainM: nullable(number()),
    direction: choice('same', 'reverse', 'mixed'),
  }),
)

export const TimeSeriesPage = Type.Object({
  items: Type.Array(
    Type.Object({
      elapsedSeconds: count(),
      heartRateBpm: count(),
      distanceM: nullable(number()),
      cadenceRpm: nullable(count()),
      powerWatts: nullable(count()),
      speedMps: nullable(number()),
      elevationM: nullable(number()),
      temperatureC: nullable(number()),
    }),
  ),
  page: count(),
  pageSize: count(),
  totalCount: count(),
  totalPages: count(),
})

const warnings = Type.Array(Type.Object({ filename: Type.String(), message: Type.String() }), {
  description: 'What was corrected in the files, or could not be read; empty: nothing',
})

export const SingleImport = Type.Object(
  {
    id: Uuid,
    startedAt: Timestamp,
    durationS: count(),
    distanceM: Type.Number(),
    avgPaceS: Type.Number(),
    elevGainM: nullable(number()),
    splitsCount: count(),
    action: choice('created', 'updated', 'skipped'),
    message: Type.String(),
    merged: Type.Optional(Type.Boolean({ description: 'only when true: into the workout that it is a recording of' })),
    skippedOther: Type.Optional(count('sessions of other sports; only when not 0')),
    inTrash: Type.Optional(
      Type.Boolean({ description: 'only when true: the same file belongs to a run in the trash' }),
    ),
    trashedId: Type.Optional(Type.String({ format: 'uuid', description: 'beside inTrash: that run' })),
    warnings,
    receiptId: nullable(
      Type.String({ format: 'uuid', description: 'the receipt of this import; null: there is none' }),
    ),
  },
  { title: 'ImportedFile' },
)

type BySport = { readonly [K in SportWord]: TOptional<TInteger> }
const bySport = Object.fromEntries(SPORT_WORDS.map((word) => [word, Type.Optional(integer())])) as BySport

export const SkippedSports = Type.Object(bySport, {
  description: 'activities that are not runs, by sport; sports without any are absent',
})

/** Only in answers whose head was sent already; before that it is the error of a 503. */
export const Stopped = Type.Optional(
  Type.String({ description: 'why it ended before its last run; absent: it did not' }),
)

export const ImportSummary = Type.Object(
  {
    totalProcessed: count(),
    successful: count(),
    skipped: count(),
    updated: count(),
    merged: Type.Optional(count('of these, into runs that they are recordings of; only when not 0')),
    errors: count(),
    errorDetails: Type.Array(Type.Object({ filename: Type.String(), error: Type.String() })),
    skippedOther: count(),
    warnings,
    receiptId: nullable(
      Type.String({ format: 'uuid', description: 'the receipt of this import; null: there is none' }),
    ),
    stopped: Stopped,
  },
  { title: 'ImportSummary' },
)

export const TimeSeriesParameters = Type.Object({
  page: Type.Optional(integer({ default: 1 })),
  pageSize: Type.Optional(integer({ default: 1000, description: 'at most 5000' })),
})

export const DetailParameters = Type.Object({
  includeRaw: Type.Optional(Type.Boolean({ default: true, description: 'false: the three raw members are null' })),
  includeRoute: Type.Optional(Type.Boolean({ default: true, description: 'false: route is null, hasRoute stays' })),
})

/** A single file with a single run answers an object of its own, everything else a summary. */
export const ImportQuery = Type.Object({
  receiptId: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'Receipt of an import of the last 10 minutes to add to',
    }),
  ),
})

export const ImportAnswer = Type.Union([SingleImport, ImportSummary], { title: 'ImportAnswer' })
