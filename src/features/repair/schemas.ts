import { type ObjectOptions, type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { LENGTHS, MOST_OF_NOTES } from '../../base/texts.ts'
import { LONGEST_RUN_S } from '../../engine/grid.ts'
import { ENTERED_RANGES, MOST_IDS, MOST_SPLITS, SHORTEST_RUN_S } from '../../engine/limits.ts'
import { MENDED_CHANNELS } from '../../engine/repair/mend.ts'
import { DAY_S } from '../../engine/units.ts'
import { choice, documented, integer, nullable, Timestamp, Uuid } from '../../http/schemas.ts'
import { ListParameters } from '../workouts/list-schemas.ts'
import { numberProperties, WorkoutDetail, WorkoutEdit } from '../workouts/schemas.ts'

// Requests and answers of the calls that repair runs.

/** The body of a call that changes recorded data. */
function body<T extends TProperties>(members: T, about: ObjectOptions) {
  const dryRun = Type.Boolean({ description: 'true: nothing is stored' })
  return Type.Object({ ...members, dryRun: Type.Optional(dryRun) }, about)
}

const optional = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema))
const whole = (minimum: number, maximum: number) => Type.Number({ multipleOf: 1, minimum, maximum })
const flag = (description: string) => Type.Optional(Type.Boolean({ description }))
const elapsed = (description: string) => Type.Number({ minimum: 0, maximum: LONGEST_RUN_S, description })
const metres = Type.Number({ minimum: 0.01, maximum: 1_000_000 })
const removed = optional(Type.Number({ minimum: 0, description: 'absent counts as 0' }))
const between = ([minimum, maximum]: readonly [number, number]) => Type.Number({ minimum, maximum })
const seconds = whole(1, 604_800)
const zone = Type.String({ maxLength: 64, description: 'IANA name' })
const name = optional(Type.String({ maxLength: LENGTHS.name }))
const { runType, rpe, shoeId, leftOut } = WorkoutEdit.properties
const [ID, OTHER_ID] = ['0198a000-0000-7000-8000-000000000001', '0198a000-0000-7000-8000-000000000002']

export const WorkoutCrop = body(
  { removeFromStartSeconds: removed, removeFromEndSeconds: removed },
  {
    description: `At least one of the two; ${SHORTEST_RUN_S} s must be left; 0 computes from the samples again`,
    examples: [{ removeFromStartSeconds: 30, removeFromEndSeconds: 240.5 }],
  },
)

export const RunNumbers = Type.Object(
  {
    startedAt: Timestamp,
    utcOffsetMinutes: nullable(integer()),
    ...numberProperties(),
    hrZoneSeconds: nullable(Type.Array(integer(), { minItems: 5, maxItems: 5 })),
    splitsCount: integer(),
  },
  { title: 'RunNumbers' },
)

export const TriedChange = Type.Object(
  { before: RunNumbers, after: RunNumbers },
  { title: 'RepairTrial', description: 'Of a dry run: the numbers of the workout before and after' },
)

/** Numbers of a flat run, for examples. */
const SOME_NUMBERS: Static<typeof RunNumbers> = {
  ...{ startedAt: '2026-03-14T07:00:00.000Z', utcOffsetMinutes: 60, durationS: 3000, movingTimeS: 2940 },
  ...{ timerTimeS: 3000, distanceM: 10_000, avgPaceS: 300, gapPaceS: 298, avgSpeedMps: 3.33, maxSpeedMps: 4.2 },
  ...{ elevGainM: 84, elevLossM: 82, minElevM: 410, maxElevM: 455, relativeEffort: 92, calories: 640 },
  ...{ minHeartRateBpm: 96, avgHeartRateBpm: 148, maxHeartRateBpm: 171, maxPowerWatts: null, avgPowerWatts: null },
  ...{ avgCadenceRpm: 86, maxCadenceRpm: 93, avgCadenceSpm: 172, maxCadenceSpm: 186 },
  ...{ hrZoneSeconds: [120, 900, 1500, 420, 0], splitsCount: 10 },
}

export const TriedRun = Type.Object(
  { before: Type.Null(), after: RunNumbers },
  {
    description: 'Of a dry run: the numbers that the new workout would have',
    examples: [{ before: null, after: SOME_NUMBERS }],
  },
)

/** A call that changes a run answers its detail, or in a dry run its future numbers. */
export const DetailOrTrial = Type.Union([WorkoutDetail, TriedChange], { title: 'RepairAnswer' })

/** Numbers that the runner may know of a run without samples. */
const known = {
  movingTimeS: optional(seconds),
  avgHeartRateBpm: optional(whole(...ENTERED_RANGES.avgHeartRateBpm)),
  maxHeartRateBpm: optional(whole(...ENTERED_RANGES.maxHeartRateBpm)),
  elevGainM: optional(between(ENTERED_RANGES.elevGainM)),
  calories: optional(whole(...ENTERED_RANGES.calories)),
}

export const ManualRun = body(
  {
    startedAt: Timestamp,
    durationS: seconds,
    distanceM: metres,
    ...known,
    avgCadenceSpm: optional(between(ENTERED_RANGES.avgCadenceSpm)),
    name,
    notes: optional(Type.String({ maxLength: LENGTHS.notes })),
    runType,
    rpe,
    shoeId,
    indoor: flag('true: no elevation gain is kept'),
    timeZone: optional(zone),
    utcOffsetMinutes: optional(whole(-1440, 1440)),
  },
  {
    description: 'A run without a recording; shoeId absent: the default shoe',
    examples: [
      { startedAt: '2025-11-01T07:00:00Z', durationS: 2700, distanceM: 8000, indoor: true, name: 'Treadmill' },
    ],
  },
)

export const NumbersEdit = body(
  {
    startedAt: Type.Optional(Timestamp),
    durationS: Type.Optional(seconds),
    distanceM: Type.Optional(metres),
    ...known,
  },
  {
    description: 'Numbers of a run without samples; null: unknown',
    examples: [{ distanceM: 8100 }, { durationS: 2650, avgHeartRateBpm: null, dryRun: true }],
  },
)

export const WorkoutCut = body(
  {
    fromElapsedS: elapsed(`at least ${SHORTEST_RUN_S} s after the start`),
    toElapsedS: elapsed(`at least ${SHORTEST_RUN_S} s before the end`),
    closeGap: flag('false (default): the time stays as a pause; true: the later part moves forward'),
  },
  { examples: [{ fromElapsedS: 600, toElapsedS: 1500, closeGap: false }] },
)

const GAPS =
  'pause (default): the gap counts as time; straight: the line across it as distance, too; none: it is closed'

export const WorkoutJoin = body(
  {
    ids: Type.Array(Uuid, { minItems: 2, maxItems: 10 }),
    gap: Type.Optional(documented(choice('pause', 'straight', 'none'), { description: GAPS })),
  },
  { description: 'The earliest keeps its id, the others go to the trash', examples: [{ ids: [ID, OTHER_ID] }] },
)

export const WorkoutSplit = body(
  { atElapsedS: Type.Array(elapsed('a part begins'), { minItems: 1, maxItems: MOST_SPLITS }) },
  {
    description: `Each part has at least ${SHORTEST_RUN_S} s, and none begins within a pause`,
    examples: [{ atElapsedS: [1200] }],
  },
)

export const SplitTrial = Type.Object(
  { ...TriedChange.properties, parts: Type.Array(RunNumbers) },
  { description: 'Of a dry run: the workout before and as its first part, and all parts' },
)

export const SeveralRuns = Type.Object({ workouts: Type.Array(WorkoutDetail) }, { title: 'SeveralRuns' })

export const SplitAnswer = Type.Union([SeveralRuns, SplitTrial], {
  examples: [{ before: SOME_NUMBERS, after: SOME_NUMBERS, parts: [SOME_NUMBERS, SOME_NUMBERS] }],
})

const mending = {
  channel: choice(...MENDED_CHANNELS),
  fill: documented(choice('gap', 'interpolate'), { description: 'interpolate: a straight line' }),
}

export const WorkoutMend = body(
  {
    fromElapsedS: elapsed('readings at both ends are removed'),
    toElapsedS: elapsed('more than fromElapsedS'),
    ...mending,
  },
  { examples: [{ fromElapsedS: 30, toElapsedS: 90, channel: 'heartRate', fill: 'gap' }] },
)

const stretch = { fromElapsedS: Type.Number(), toElapsedS: Type.Number() }

export const Oddities = Type.Array(
  Type.Object({
    kind: choice('speed_spike', 'position_jump', 'heart_rate_lock', 'heart_rate_drop', 'elevation_jump', 'clock_jump'),
    ...stretch,
    detail: Type.String(),
    suggest: nullable(Type.Object({ ...stretch, ...mending }, { description: 'A body of POST /workouts/{id}/mend' })),
  }),
)

export const WorkoutDistance = body(
  { distanceM: documented(nullable(metres), { description: 'null: as recorded' }) },
  {
    description: 'Half to twice the current distance. Without route the samples are scaled; with one they stay',
    examples: [{ distanceM: 8000 }, { distanceM: null }],
  },
)

const MOST_SHIFT_S = 14 * DAY_S

export const WorkoutShift = body(
  {
    startedAt: Type.Optional(Timestamp),
    offsetSeconds: Type.Optional(Type.Number({ minimum: -MOST_SHIFT_S, maximum: MOST_SHIFT_S })),
    timeZone: Type.Optional(zone),
  },
  {
    description: 'Exactly one of the three; timeZone changes only the local time that is shown',
    examples: [{ offsetSeconds: 3600 }, { startedAt: '2025-11-01T07:00:00Z' }, { timeZone: 'Europe/Berlin' }],
  },
)

export const Revert = body({}, { description: 'May be absent', examples: [{}] })

export const BulkEdit = Type.Object(
  {
    ids: Type.Optional(Type.Array(Uuid, { minItems: 1, maxItems: MOST_IDS })),
    filter: Type.Optional(
      Type.Omit(ListParameters, ['page', 'pageSize', 'sortBy', 'sortOrder'], {
        description: 'The parameters of GET /workouts; {} is the whole library',
      }),
    ),
    set: Type.Object({
      shoeId,
      runType,
      rpe,
      name,
      leftOut,
      suggestedRunType: flag('true: each run gets the type that is suggested for it; one without suggestion stays'),
      notesAppend: Type.Optional(
        Type.String({ minLength: 1, maxLength: MOST_OF_NOTES, description: 'after the notes, below an empty line' }),
      ),
    }),
    dryRun: flag('true: nothing is stored and receiptId is null, only the runs are counted'),
  },
  {
    description: 'Either ids or filter; of set at least one, null clears',
    examples: [
      { ids: [ID], set: { runType: 'Easy Run' } },
      { filter: { startDate: '2025-01-01', keyword: 'parkrun' }, set: { runType: 'Race', notesAppend: 'parkrun' } },
    ],
  },
)

export const BulkEdited = Type.Object({
  receiptId: documented(nullable(Uuid), { description: 'null when no run was changed, and of a dry run' }),
  changed: integer(),
  unchanged: integer({ description: 'already set' }),
})
