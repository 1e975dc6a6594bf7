import { type TInteger, type TNumber, type TOptional, Type } from '@sinclair/typebox'
import { LENGTHS } from '../../base/texts.ts'
import { MOST_MANUAL_LOAD, RPE_RANGE, RUN_TYPES } from '../../engine/limits.ts'
import { eachNumber, NEEDED, type NeededNumber, NUMBERS, type NumberName } from '../../engine/numbers.ts'
import { LOAD_SOURCES } from '../../engine/training/library-loads.ts'
import { SPORT_WORDS, type SportWord } from '../../formats/sport-words.ts'
import {
  choice,
  documented,
  flag,
  integer,
  meaning,
  moment,
  nullable,
  number,
  PAGE,
  text,
  titled,
  UtcOffset,
  uuid,
} from '../../http/schemas.ts'
import { FieldSources } from './sources/sources-schemas.ts'

// Schemas of runs, for the document and for validating answers of handlers that return objects; a `Response`, as the
// detail is, is not validated.

const RunType = nullable(titled('RunType', choice(...RUN_TYPES)))
const LoadSource = nullable(titled('LoadSource', choice(...LOAD_SOURCES)))
const ChosenLoadSource = titled('ChosenLoadSource', choice('auto', ...LOAD_SOURCES))

export const LineString = Type.Object(
  {
    type: Type.Literal('LineString', { description: 'GeoJSON' }),
    coordinates: Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), {
      minItems: 2,
      description: '[longitude, latitude] in degrees, in order',
    }),
  },
  { title: 'LineString' },
)

type NumberProperties = {
  readonly [K in NumberName]: K extends NeededNumber ? TNumber : ReturnType<typeof nullable<TNumber>>
}

/** One property for each number, of the type that the table states. */
export function numberProperties(): NumberProperties {
  const properties = eachNumber((name) => {
    const { decimals, meaning: about } = NUMBERS[name]
    const property = decimals === 0 ? integer(about) : number(about)
    return NEEDED.some((needed) => needed === name) ? property : nullable(property)
  })
  return properties as NumberProperties
}

const numbers = numberProperties()

/** What the runner can say of a run, beside its load. */
const words = {
  rpe: nullable(
    integer({
      minimum: RPE_RANGE[0],
      maximum: RPE_RANGE[1],
      description: 'Perceived exertion, 1 to 10; null: none',
    }),
  ),
  runType: meaning('null: the run has no type', RunType),
  name: nullable(text('Of the file or the runner; null: none')),
  shoeId: nullable(uuid('Shoe of the run; null: none')),
  leftOut: flag('true: the runner excluded it from statistics and records'),
}

const notes = nullable(text("The runner's notes, or the description in the file; null: none"))

const workoutProperties = {
  id: uuid('Of the run'),
  startedAt: moment('Start of the run'),
  createdAt: moment('When the run came to the library; an archive states its own'),
  updatedAt: moment('When it last came to be answered in another way; loads and photos count, too'),
  ...numbers,
  hrZoneSeconds: nullable(
    Type.Array(integer(), {
      minItems: 5,
      maxItems: 5,
      description: 'Seconds in heart-rate zones 1 to 5; null: no heart rate',
    }),
  ),
  ...words,
  source: nullable(
    text(
      'How it came, such as fit_import, gpx_import, strava_import or manual; an archive keeps its own; null: unknown',
    ),
  ),
  device: nullable(text('Device or app that recorded it; null: unknown')),
  hasRoute: flag('true: it has positions'),
  splitsCount: integer('Number of splits'),
  utcOffsetMinutes: UtcOffset,
  suggestedRunType: nullable(
    Type.Object(
      {
        type: meaning('What the run probably was', titled('RunType', choice(...RUN_TYPES))),
        reason: text('Why, in a few words'),
      },
      {
        title: 'SuggestedRunType',
        description:
          'null: the run has a type or the runner chose none, nothing fits, or, in a list, it is older than 90 days',
      },
    ),
  ),
  load: nullable(number('Training load, 100: an hour at threshold; null: no time, excluded, or not computed yet')),
  loadSource: meaning('What the load was computed from; null: it has none', LoadSource),
}

export const Workout = Type.Object(
  {
    ...workoutProperties,
    route: nullable(meaning('Preview of at most 100 points with both ends; null: no positions', LineString)),
  },
  { title: 'Workout' },
)

export const Split = Type.Object(
  {
    idx: integer('From 0'),
    distanceM: number('Metres: 1000 or 1609.344; a remainder below 10% of that is merged into the last split'),
    durationS: integer('Elapsed seconds; splits add up to the recorded time'),
    paceS: number('Seconds per km, from the unrounded time'),
    startElapsedS: nullable(number('Seconds since the start of the run; null: unknown')),
    endElapsedS: nullable(number('Seconds since the start of the run; null: unknown')),
    movingTimeS: nullable(integer('Seconds without stops; null: unknown')),
    elevGainM: nullable(number('Metres of climb; null: no elevation data')),
    elevLossM: nullable(number('Metres of descent; null: no elevation data')),
    avgHeartRateBpm: nullable(integer('Beats per minute; null: no heart rate')),
    avgCadenceRpm: nullable(integer('Revolutions per minute, one foot; null: no cadence')),
    gapPaceS: nullable(number('Grade-adjusted seconds per km; null: no elevation data')),
  },
  { title: 'Split' },
)

export const Weather = Type.Object(
  {
    source: nullable(text('open_meteo, fit_import, strava_import or apple_health; null: unknown')),
    fetchedAt: nullable(text('When it was looked up or imported; null: unknown')),
    temperature: nullable(number('°C; null: unknown')),
    humidity: nullable(number('%, 0 to 100; null: unknown')),
    precipitation: nullable(number('mm over the whole run; null: unknown')),
    weatherCode: nullable(integer('WMO code 4677; null: unknown')),
    condition: nullable(text('The weather in words; null: unknown')),
    windSpeed: nullable(number('m/s; null: unknown')),
    windDirection: nullable(number('Where the wind comes from, degrees clockwise from north; null: unknown')),
    pressure: nullable(number('hPa at the surface; null: unknown')),
  },
  {
    title: 'Weather',
    description: "The run's weather; null: none known, such as without positions or before its lookup",
    additionalProperties: true,
  },
)

const rawObject = (description: string) => nullable(Type.Object({}, { description, additionalProperties: true }))

export const WorkoutDetail = Type.Object(
  {
    ...workoutProperties,
    route: nullable(meaning('Every position in order; null: none, or includeRoute=false', LineString)),
    notes,
    shoe: nullable(
      Type.Object(
        { id: uuid('Of the shoe'), brand: text('Its maker'), model: text('Its model') },
        { title: 'WorkoutShoe', description: 'That of shoeId; null: none' },
      ),
    ),
    splits: Type.Array(Split, {
      description: 'In order; a run shorter than one unit has one; empty: no samples or no distance',
    }),
    weather: nullable(Weather),
    rawGpxData: rawObject('What a GPX, TCX or CSV file says beside the numbers; null: none, or includeRaw=false'),
    rawFitData: rawObject('What a FIT file says beside the numbers; null: none, or includeRaw=false'),
    rawStravaData: rawObject("Row of Strava's table of activities; null: none, or includeRaw=false"),
    sources: integer('Recordings that it is based on'),
    corrections: integer('Wrong statements of its files, corrected unless that was declined'),
    stated: flag('true: the runner declined the corrections'),
    fieldSources: nullable(meaning('Recording that each channel comes from; null: not merged', FieldSources)),
  },
  { title: 'WorkoutDetail' },
)

export const WorkoutEdit = Type.Object(
  {
    runType: Type.Optional(meaning('null: no type', RunType)),
    notes: Type.Optional(nullable(text('null removes them'))),
    name: Type.Optional(nullable(text({ maxLength: LENGTHS.name, description: 'Blank or null removes it' }))),
    shoeId: Type.Optional(
      nullable(documented(text('An existing shoe, else 400; null removes it'), { format: 'uuid' })),
    ),
    rpe: Type.Optional(words.rpe),
    leftOut: Type.Optional(nullable(flag('true: the run counts in no statistic and holds no record; null is false'))),
    efforts: Type.Optional(
      nullable(flag('Sets isRecord of each unusually fast best effort; 400 when the run has none; null: not decided')),
    ),
    loadSource: Type.Optional(
      meaning('Load source where available, auto: the best; manual needs loadManual', ChosenLoadSource),
    ),
    loadManual: Type.Optional(
      nullable(
        number({ minimum: 0, maximum: MOST_MANUAL_LOAD, description: 'Load by hand; before every source; null: none' }),
      ),
    ),
    excludeFromEstimates: Type.Optional(
      flag('true: the run is no evidence of VO2max, races and thresholds; its load counts'),
    ),
    wasRaced: Type.Optional(flag('true: a race that is much slower than the others was raced; nothing else changes')),
    stated: Type.Optional(flag('true: its files count as they state, uncorrected; the originals are read again')),
  },
  {
    title: 'WorkoutEdit',
    description: 'Members that are not sent stay',
    examples: [{ name: 'Hill repeats', runType: 'Workout', rpe: 8, notes: null }, { leftOut: true }],
  },
)

export const EditedWorkout = Type.Object(
  {
    id: uuid('Of the run'),
    runType: words.runType,
    notes,
    name: words.name,
    shoeId: words.shoeId,
    rpe: nullable(integer('Perceived exertion, 1 to 10; null: unknown')),
    leftOut: words.leftOut,
    loadSource: meaning('As chosen; auto: the best available', ChosenLoadSource),
    loadManual: nullable(number('Load by hand; null: none')),
    excludeFromEstimates: flag('true: no evidence of VO2max, races and thresholds'),
    wasRaced: flag('true: the runner said that this slow race was raced'),
    stated: flag('true: the runner declined the corrections of its files'),
  },
  { title: 'EditedWorkout' },
)

export const RecalculatedEffort = Type.Object(
  { id: uuid('Of the run'), relativeEffort: nullable(integer('By the stored zones; null: no heart rate')) },
  { title: 'RecalculatedEffort' },
)

export const RecalculatedSplits = Type.Object(
  { id: uuid('Of the run'), splitsCount: integer('Splits in the preferred unit') },
  { title: 'RecalculatedSplits' },
)

export const WorkoutCount = Type.Object(
  { count: integer('Runs that would be recalculated') },
  { title: 'WorkoutCount' },
)

const recalculation = {
  updatedCount: integer('Runs that were recalculated'),
  errorCount: integer('Runs that could not be read'),
  errors: nullable(Type.Array(Type.String(), { description: 'A sentence for each of the first 100; null: none' })),
  message: text('The result in a sentence'),
}

export const EffortRecalculation = Type.Object(
  {
    updatedCount: recalculation.updatedCount,
    totalQualifyingWorkouts: integer(
      'Runs with heart rate, also those with an average alone; as the count call answers',
    ),
    errorCount: recalculation.errorCount,
    errors: recalculation.errors,
    message: recalculation.message,
  },
  { title: 'EffortRecalculation' },
)

export const SplitsRecalculation = Type.Object(
  {
    updatedCount: recalculation.updatedCount,
    totalWorkouts: integer('Runs with a route'),
    errorCount: recalculation.errorCount,
    errors: recalculation.errors,
    message: recalculation.message,
  },
  { title: 'SplitsRecalculation' },
)

export const SimilarParameters = Type.Object({
  maxResults: Type.Optional(integer({ minimum: 1, default: 10, description: 'Over 100 counts as 100' })),
  maxYears: Type.Optional(
    integer({ minimum: 1, default: 2, description: 'How many years back to look; over 100 counts as 100' }),
  ),
})

export const SimilarRoutes = Type.Array(
  Type.Object(
    {
      workoutId: uuid('Of the earlier run'),
      similarityScore: number('0 to 100, one decimal'),
      distanceDifferenceM: number('Metres, that run less this one: negative is shorter'),
      timeDifferenceS: integer('Elapsed seconds, that run less this one: negative is faster'),
      paceDifferenceS: number('Seconds per km, that run less this one: negative is faster'),
      startedAt: moment('Start of that run'),
      utcOffsetMinutes: UtcOffset,
      name: words.name,
      runType: words.runType,
      durationS: numbers.durationS,
      movingTimeS: numbers.movingTimeS,
      distanceM: numbers.distanceM,
      avgPaceS: numbers.avgPaceS,
      avgHeartRateBpm: numbers.avgHeartRateBpm,
      relativeEffort: numbers.relativeEffort,
      elevGainM: numbers.elevGainM,
      direction: meaning('Whether the route was run the same way round', choice('same', 'reverse', 'mixed')),
    },
    { title: 'SimilarRun' },
  ),
)

export const TimeSeriesPage = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          elapsedSeconds: integer('Since the start of the run, rounded'),
          heartRateBpm: integer('Beats per minute'),
          distanceM: nullable(number('Metres since the start; null: unknown')),
          cadenceRpm: nullable(integer('Revolutions per minute, one foot; null: unknown')),
          powerWatts: nullable(integer('Watts; null: unknown')),
          speedMps: nullable(number('m/s, as recorded; null: unknown')),
          elevationM: nullable(number('Metres; null: unknown')),
          temperatureC: nullable(number('°C; null: unknown')),
        },
        { title: 'TimeSeriesSample' },
      ),
      { description: 'Samples with a heart rate, by time' },
    ),
    page: PAGE.page,
    pageSize: PAGE.pageSize,
    totalCount: PAGE.totalCount,
    totalPages: PAGE.totalPages,
  },
  { title: 'TimeSeriesPage' },
)

export const ImportWarning = Type.Object(
  { filename: text('As uploaded'), message: text('What was corrected, with both values, or could not be read') },
  { title: 'ImportWarning' },
)

const warnings = Type.Array(ImportWarning, {
  description: 'What was corrected in the files, or could not be read; empty: nothing',
})

const receiptId = nullable(uuid('Receipt of this import; null: there is none'))

export const SingleImport = Type.Object(
  {
    id: uuid('Of the run'),
    startedAt: moment('Start of the run'),
    durationS: numbers.durationS,
    distanceM: numbers.distanceM,
    avgPaceS: numbers.avgPaceS,
    elevGainM: numbers.elevGainM,
    splitsCount: integer('Number of splits'),
    action: meaning(
      'created: a new run; updated: a recording of a run that is here; skipped: a duplicate',
      choice('created', 'updated', 'skipped'),
    ),
    message: text('The action in a sentence'),
    merged: Type.Optional(flag('Only when true: merged into the run that it is another recording of')),
    skippedOther: Type.Optional(integer('Sessions of other sports in the file; only when not 0')),
    inTrash: Type.Optional(flag('Only when true: the same file belongs to a run in the trash')),
    trashedId: Type.Optional(uuid('Beside inTrash: that run')),
    warnings,
    receiptId,
  },
  { title: 'ImportedFile', description: 'A file with one run' },
)

type BySport = { readonly [K in SportWord]: TOptional<TInteger> }
const bySport = Object.fromEntries(
  SPORT_WORDS.map((word) => [word, Type.Optional(integer('Activities of this sport; absent: none'))]),
) as BySport

export const SkippedSports = Type.Object(bySport, {
  title: 'SkippedSports',
  description: 'Activities that are not runs, by sport',
})

/** Only in answers whose head was sent already; before that it is the error of a 503. */
export const Stopped = Type.Optional(text('Why it ended before its last run; absent: it did not'))

export const ImportSummary = Type.Object(
  {
    totalProcessed: integer('Sum of successful, skipped, updated and errors'),
    successful: integer('New runs'),
    skipped: integer('Duplicates'),
    updated: integer('Further recordings of runs that are here'),
    merged: Type.Optional(integer('Of updated, those merged into runs that they are recordings of; only when not 0')),
    errors: integer('Files or runs that could not be imported'),
    errorDetails: Type.Array(
      Type.Object({ filename: text('As uploaded'), error: text('Why not') }, { title: 'ImportError' }),
      { description: 'One for each error, in order' },
    ),
    skippedOther: integer('Sessions of other sports'),
    warnings,
    receiptId,
    stopped: Stopped,
  },
  { title: 'ImportSummary' },
)

export const TimeSeriesParameters = Type.Object({
  page: Type.Optional(
    integer({ default: 1, description: 'From 1, as less counts; 404 past the end, but the first always exists' }),
  ),
  pageSize: Type.Optional(
    integer({ default: 1000, description: 'Less than 1 counts as 1000, more than 5000 as 5000' }),
  ),
})

export const DetailParameters = Type.Object({
  includeRaw: Type.Optional(Type.Boolean({ default: true, description: 'false: the three raw members are null' })),
  includeRoute: Type.Optional(Type.Boolean({ default: true, description: 'false: route is null, hasRoute stays' })),
})

/** A single file with a single run answers an object of its own, everything else a summary. */
export const ImportQuery = Type.Object({
  receiptId: Type.Optional(
    uuid('Receipt to add to: of this call, by the same caller, whose last import ended at most 10 minutes ago'),
  ),
})

export const ImportAnswer = Type.Union([SingleImport, ImportSummary], { title: 'ImportAnswer' })
