import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { LONGEST_RUN_S } from '../engine/grid.ts'
import { MOST_SPLITS, SHORTEST_RUN_S } from '../engine/limits.ts'
import { MENDED_CHANNELS } from '../engine/repair/mend.ts'
import { DAY_S } from '../engine/units.ts'
import { documented } from '../http/documented.ts'
import { choice, integer, nullable, Timestamp, Uuid } from '../http/schemas.ts'
import { LENGTHS, MOST_OF_NOTES } from '../texts.ts'
import { ListParameters } from '../workouts/list-schemas.ts'
import { numberProperties, WorkoutDetail, WorkoutEdit } from '../workouts/schemas.ts'

// Requests and answers of the calls that repair runs.

/** Member of every call that changes recorded data. */
export const DryRun = Type.Optional(
  Type.Boolean({ description: 'true: nothing is stored, the answer is the numbers before and after' }),
)

const removed = Type.Optional(nullable(Type.Number({ minimum: 0, description: 'absent counts as 0' })))

export const WorkoutCrop = Type.Object(
  { removeFromStartSeconds: removed, removeFromEndSeconds: removed, dryRun: DryRun },
  {
    description: `At least one of the two; ${SHORTEST_RUN_S} s must be left; 0 computes anew from the samples`,
    examples: [{ removeFromStartSeconds: 30, removeFromEndSeconds: 240.5 }],
  },
)

/** The numbers of a workout in a dry run. */
export const RunNumbers = Type.Object({
  startedAt: Timestamp,
  utcOffsetMinutes: nullable(integer()),
  ...numberProperties(),
  hrZoneSeconds: nullable(Type.Array(integer(), { minItems: 5, maxItems: 5 })),
  splitsCount: integer(),
})

export const TriedChange = Type.Object(
  { before: RunNumbers, after: RunNumbers },
  { description: 'Of a dry run: the numbers of the workout before and after' },
)

export const TriedRun = Type.Object(
  { before: Type.Null(), after: RunNumbers },
  { description: 'Of a dry run: the numbers that the new workout would have' },
)

/** A call that changes a run answers its detail, or in a dry run its future numbers. */
export const DetailOrTrial = Type.Union([WorkoutDetail, TriedChange])

const ID_OF_EXAMPLE = '0198a000-0000-7000-8000-000000000001'
const ID_OF_OTHER = '0198a000-0000-7000-8000-000000000002'
const MOST_S = 604_800
const MOST_M = 1_000_000
const elapsed = (description: string) => Type.Number({ minimum: 0, maximum: LONGEST_RUN_S, description })
const bpm = Type.Number({ multipleOf: 1, minimum: 30, maximum: 250 })
const seconds = Type.Number({ multipleOf: 1, minimum: 1, maximum: MOST_S })
const metres = Type.Number({ minimum: 0.01, maximum: MOST_M })
const kcal = Type.Number({ multipleOf: 1, minimum: 0, maximum: 100_000 })
const climb = Type.Number({ minimum: 0, maximum: 100_000 })
const optional = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema))
const { runType, rpe, shoeId } = WorkoutEdit.properties

/** Numbers that the runner may know of a run without samples. */
const known = {
  movingTimeS: optional(seconds),
  avgHeartRateBpm: optional(bpm),
  maxHeartRateBpm: optional(bpm),
  elevGainM: optional(climb),
  calories: optional(kcal),
}

const zone = Type.String({ maxLength: 64, description: 'IANA name' })

export const ManualRun = Type.Object(
  {
    startedAt: Timestamp,
    durationS: seconds,
    distanceM: metres,
    ...known,
    avgCadenceSpm: optional(Type.Number({ minimum: 1, maximum: 500 })),
    name: optional(Type.String({ maxLength: LENGTHS.name })),
    notes: optional(Type.String({ maxLength: LENGTHS.notes })),
    runType,
    rpe,
    shoeId,
    indoor: Type.Optional(Type.Boolean({ description: 'true: no climb is kept' })),
    timeZone: optional(zone),
    utcOffsetMinutes: optional(Type.Number({ multipleOf: 1, minimum: -1440, maximum: 1440 })),
    dryRun: DryRun,
  },
  {
    description: 'A run of which nothing was recorded; shoeId absent: the default shoe',
    examples: [
      { startedAt: '2025-11-01T07:00:00Z', durationS: 2700, distanceM: 8000, indoor: true, name: 'Treadmill' },
      {
        startedAt: '2025-11-01T07:00:00Z',
        durationS: 2700,
        distanceM: 8000,
        movingTimeS: 2640,
        avgHeartRateBpm: 148,
        maxHeartRateBpm: 171,
        timeZone: 'Europe/Berlin',
        runType: 'Easy Run',
      },
    ],
  },
)

export const NumbersEdit = Type.Object(
  {
    startedAt: Type.Optional(Timestamp),
    durationS: Type.Optional(seconds),
    distanceM: Type.Optional(metres),
    ...known,
    dryRun: DryRun,
  },
  {
    description: 'Numbers of a run without samples; null: unknown',
    examples: [{ distanceM: 8100 }, { durationS: 2650, avgHeartRateBpm: null, dryRun: true }],
  },
)

export const WorkoutCut = Type.Object(
  {
    fromElapsedS: elapsed(`at least ${SHORTEST_RUN_S} s after the start`),
    toElapsedS: elapsed(`at least ${SHORTEST_RUN_S} s before the end`),
    closeGap: Type.Optional(
      Type.Boolean({ description: 'false (default): the time stays as a pause; true: the later part moves forward' }),
    ),
    dryRun: DryRun,
  },
  { examples: [{ fromElapsedS: 600, toElapsedS: 1500, closeGap: false }] },
)

export const WorkoutJoin = Type.Object(
  {
    ids: Type.Array(Uuid, { minItems: 2, maxItems: 10 }),
    gap: Type.Optional(
      documented(choice('pause', 'straight', 'none'), {
        description:
          'pause (default): the gap counts as time; straight: the line across it as distance, too; none: it is closed',
      }),
    ),
    dryRun: DryRun,
  },
  {
    description: 'The earliest keeps its id, the others go to the trash',
    examples: [{ ids: [ID_OF_EXAMPLE, ID_OF_OTHER] }],
  },
)

export const WorkoutSplit = Type.Object(
  {
    atElapsedS: Type.Array(elapsed('a part begins'), { minItems: 1, maxItems: MOST_SPLITS }),
    dryRun: DryRun,
  },
  { description: `Each part has at least ${SHORTEST_RUN_S} s`, examples: [{ atElapsedS: [1200] }] },
)

export const SplitTrial = Type.Object(
  { before: RunNumbers, after: RunNumbers, parts: Type.Array(RunNumbers) },
  { description: 'Of a dry run: the workout before and as its first part, and all parts' },
)

export const SplitAnswer = Type.Union([Type.Object({ workouts: Type.Array(WorkoutDetail) }), SplitTrial])

export const WorkoutMend = Type.Object(
  {
    fromElapsedS: elapsed('readings at both ends are taken out'),
    toElapsedS: elapsed('more than fromElapsedS'),
    channel: choice(...MENDED_CHANNELS),
    fill: documented(choice('gap', 'interpolate'), { description: 'interpolate: a straight line' }),
    dryRun: DryRun,
  },
  { examples: [{ fromElapsedS: 30, toElapsedS: 90, channel: 'heartRate', fill: 'gap' }] },
)

export const WorkoutDistance = Type.Object(
  {
    distanceM: nullable(Type.Number({ minimum: 0.01, maximum: MOST_M, description: 'null: as it was recorded' })),
    dryRun: DryRun,
  },
  {
    description: 'Half to twice the distance of now. Without route the samples are scaled; with one they stay',
    examples: [{ distanceM: 8000 }, { distanceM: null }],
  },
)

const MOST_SHIFT_S = 14 * DAY_S

export const WorkoutShift = Type.Object(
  {
    startedAt: Type.Optional(Timestamp),
    offsetSeconds: Type.Optional(Type.Number({ minimum: -MOST_SHIFT_S, maximum: MOST_SHIFT_S })),
    timeZone: Type.Optional(zone),
    dryRun: DryRun,
  },
  {
    description: 'Exactly one of the three; timeZone changes only the local time that is shown',
    examples: [{ offsetSeconds: 3600 }, { startedAt: '2025-11-01T07:00:00Z' }, { timeZone: 'Europe/Berlin' }],
  },
)

export const Revert = Type.Object({ dryRun: DryRun }, { description: 'May be absent', examples: [{}] })

export const Oddities = Type.Array(
  Type.Object({
    kind: choice('speed_spike', 'position_jump', 'heart_rate_lock', 'heart_rate_drop', 'elevation_jump', 'clock_jump'),
    fromElapsedS: Type.Number(),
    toElapsedS: Type.Number(),
    detail: Type.String(),
    suggest: nullable(
      Type.Object(
        {
          fromElapsedS: Type.Number(),
          toElapsedS: Type.Number(),
          channel: choice(...MENDED_CHANNELS),
          fill: choice('gap', 'interpolate'),
        },
        { description: 'A body of POST /workouts/{id}/mend' },
      ),
    ),
  }),
)

/** Most ids in one request. */
const MOST_IDS = 10_000

const Filter = Type.Omit(ListParameters, ['page', 'pageSize', 'sortBy', 'sortOrder'], {
  description: 'The parameters of GET /workouts; {} is the whole library',
})
export type Filter = Static<typeof Filter>

export const BulkEdit = Type.Object(
  {
    ids: Type.Optional(Type.Array(Uuid, { minItems: 1, maxItems: MOST_IDS })),
    filter: Type.Optional(Filter),
    set: Type.Object({
      shoeId,
      runType,
      rpe,
      name: optional(Type.String({ maxLength: LENGTHS.name })),
      notesAppend: Type.Optional(
        Type.String({ minLength: 1, maxLength: MOST_OF_NOTES, description: 'after the notes, below an empty line' }),
      ),
    }),
    dryRun: Type.Optional(
      Type.Boolean({ description: 'true: nothing is stored and receiptId is null, only the runs are counted' }),
    ),
  },
  {
    description: 'Either ids or filter; of set at least one, null clears',
    examples: [
      { ids: ['0198a000-0000-7000-8000-000000000001'], set: { runType: 'Easy Run' } },
      { filter: { startDate: '2025-01-01', keyword: 'parkrun' }, set: { runType: 'Race', notesAppend: 'parkrun' } },
    ],
  },
)

export const BulkEdited = Type.Object({
  receiptId: documented(nullable(Uuid), { description: 'null when no run was changed, and of a dry run' }),
  changed: integer(),
  unchanged: integer({ description: 'as they should be already' }),
})
