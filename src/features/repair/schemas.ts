import { type ObjectOptions, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { LENGTHS, MOST_OF_NOTES } from '../../base/texts.ts'
import { LONGEST_RUN_S } from '../../engine/grid.ts'
import { ENTERED_RANGES, MOST_IDS, MOST_SPLITS, SHORTEST_RUN_S } from '../../engine/limits.ts'
import { MENDED_CHANNELS } from '../../engine/repair/mend.ts'
import { DAY_S } from '../../engine/units.ts'
import {
  choice,
  documented,
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
import { ListParameters } from '../workouts/list-schemas.ts'
import { numberProperties, WorkoutDetail, WorkoutEdit } from '../workouts/schemas.ts'

// Requests and answers of the calls that repair runs.

/** The body of a call that changes recorded data. */
function body<T extends TProperties>(members: T, about: ObjectOptions) {
  const dryRun = flag('true: nothing is stored, the answer are the numbers before and after')
  return Type.Object({ ...members, dryRun: Type.Optional(dryRun) }, about)
}

const optional = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema))
const whole = (description: string, [minimum, maximum]: readonly [number, number]) =>
  Type.Number({ multipleOf: 1, minimum, maximum, description })
const elapsed = (description: string) => number({ minimum: 0, maximum: LONGEST_RUN_S, description })
const metres = (description: string) => number({ minimum: 0.01, maximum: 1_000_000, description })
const removed = (description: string) => optional(number({ minimum: 0, description }))
const between = (description: string, [minimum, maximum]: readonly [number, number]) =>
  number({ minimum, maximum, description })
const seconds = (description: string) => whole(description, [1, 604_800])
const zone = (description: string) => text({ maxLength: 64, description })
const name = optional(text({ maxLength: LENGTHS.name, description: 'null: none' }))
const { runType, rpe, shoeId, leftOut } = WorkoutEdit.properties
const [ID, OTHER_ID] = ['0198a000-0000-7000-8000-000000000001', '0198a000-0000-7000-8000-000000000002']

export const WorkoutCrop = body(
  {
    removeFromStartSeconds: removed('Elapsed seconds; null or absent: 0'),
    removeFromEndSeconds: removed('Elapsed seconds; null or absent: 0'),
  },
  {
    title: 'WorkoutCrop',
    description: `At least one of the two; ${SHORTEST_RUN_S} s must be left; 0 computes from the samples again`,
    examples: [{ removeFromStartSeconds: 30, removeFromEndSeconds: 240.5 }],
  },
)

export const RunNumbers = Type.Object(
  {
    startedAt: moment('Start of the run'),
    utcOffsetMinutes: UtcOffset,
    ...numberProperties(),
    hrZoneSeconds: nullable(
      Type.Array(integer('Seconds'), {
        minItems: 5,
        maxItems: 5,
        description: 'Seconds in each heart rate zone; null: no heart rate',
      }),
    ),
    splitsCount: integer('Number of splits'),
  },
  { title: 'RunNumbers' },
)

export const TriedRun = Type.Object(
  {
    before: meaning('Stored numbers; of a join those of the earliest run', RunNumbers),
    after: meaning('Numbers that the workout would have', RunNumbers),
  },
  { title: 'TriedRun', description: 'Of a dry run: the numbers of the workout before and after' },
)

export const TriedNewRun = Type.Object(
  {
    before: Type.Null({ description: 'Always null: there is no workout yet' }),
    after: meaning('Numbers of the workout', RunNumbers),
  },
  {
    title: 'TriedNewRun',
    description: 'Of a dry run: the numbers that the new workout would have',
  },
)

/** A call that changes a run answers its detail, or in a dry run its future numbers. */
export const DetailOrTrial = Type.Union([WorkoutDetail, TriedRun], { title: 'RepairAnswer' })

/** Numbers that the runner may know of a run without samples. */
const known = {
  movingTimeS: optional(seconds('Seconds, at most the duration; null: unknown')),
  avgHeartRateBpm: optional(
    whole('Beats per minute, at most the maximum; null: unknown', ENTERED_RANGES.avgHeartRateBpm),
  ),
  maxHeartRateBpm: optional(whole('Beats per minute; null: unknown', ENTERED_RANGES.maxHeartRateBpm)),
  elevGainM: optional(between('Metres climbed; null: unknown', ENTERED_RANGES.elevGainM)),
  calories: optional(whole('Kilocalories; null: unknown', ENTERED_RANGES.calories)),
}

export const ManualRun = body(
  {
    startedAt: moment('Start, from 1990 until a day ahead; it may overlap another run'),
    durationS: seconds('Elapsed seconds'),
    distanceM: metres('Metres'),
    ...known,
    avgCadenceSpm: optional(between('Steps of both feet per minute; null: unknown', ENTERED_RANGES.avgCadenceSpm)),
    name,
    notes: optional(text({ maxLength: LENGTHS.notes, description: 'null: none' })),
    runType,
    rpe,
    shoeId,
    indoor: Type.Optional(flag('true: no elevation gain is kept')),
    timeZone: optional(zone('IANA name of the zone of the run; null: unknown')),
    utcOffsetMinutes: optional(
      whole('Minutes of local time ahead of UTC, where timeZone is absent; null: unknown', [-1440, 1440]),
    ),
  },
  {
    title: 'ManualRun',
    description: 'A run without a recording; shoeId absent: the default shoe',
    examples: [
      { startedAt: '2025-11-01T07:00:00Z', durationS: 2700, distanceM: 8000, indoor: true, name: 'Treadmill' },
    ],
  },
)

export const NumbersEdit = body(
  {
    startedAt: Type.Optional(moment('Start, from 1990 until a day ahead')),
    durationS: Type.Optional(seconds('Elapsed seconds')),
    distanceM: Type.Optional(metres('Metres')),
    ...known,
  },
  {
    title: 'NumbersEdit',
    description: 'Numbers of a run without samples; null: unknown',
    examples: [{ distanceM: 8100 }, { durationS: 2650, avgHeartRateBpm: null, dryRun: true }],
  },
)

export const WorkoutCut = body(
  {
    fromElapsedS: elapsed(`Where the removed section begins, at least ${SHORTEST_RUN_S} s after the start`),
    toElapsedS: elapsed(`Where it ends, at least ${SHORTEST_RUN_S} s before the end`),
    closeGap: Type.Optional(flag('false (default): the time stays as a pause; true: the later part moves forward')),
  },
  { title: 'WorkoutCut', examples: [{ fromElapsedS: 600, toElapsedS: 1500, closeGap: false }] },
)

const GAPS =
  'pause (default): the gap counts as time; straight: the line across it as distance, too; none: it is closed'

export const WorkoutJoin = body(
  {
    ids: Type.Array(uuid('Of a run with samples'), {
      minItems: 2,
      maxItems: 10,
      description:
        'In any order. Gaps have at most 12 h; a run that overlaps the one before by up to 60 s moves behind it',
    }),
    gap: Type.Optional(documented(choice('pause', 'straight', 'none'), { description: GAPS })),
  },
  {
    title: 'WorkoutJoin',
    description: 'The earliest keeps its id, the others go to the trash',
    examples: [{ ids: [ID, OTHER_ID] }],
  },
)

export const WorkoutSplit = body(
  {
    atElapsedS: Type.Array(elapsed('Where a part begins'), {
      minItems: 1,
      maxItems: MOST_SPLITS,
      description: 'Elapsed seconds of the run at which the second part and those after it begin',
    }),
  },
  {
    title: 'WorkoutSplit',
    description: `Each part has at least ${SHORTEST_RUN_S} s, and none begins within a pause`,
    examples: [{ atElapsedS: [1200] }],
  },
)

export const TriedSplit = Type.Object(
  { ...TriedRun.properties, parts: Type.Array(RunNumbers, { description: 'All parts, also the first' }) },
  { title: 'TriedSplit', description: 'Of a dry run: the workout before and as its first part, and all parts' },
)

export const SeveralRuns = Type.Object(
  { workouts: Type.Array(WorkoutDetail, { description: 'The run that keeps its id comes first' }) },
  { title: 'SeveralRuns' },
)

export const SplitAnswer = Type.Union([SeveralRuns, TriedSplit], {
  title: 'SplitAnswer',
})

const mending = {
  channel: meaning('Readings that are removed', { ...choice(...MENDED_CHANNELS), title: 'MendedChannel' }),
  fill: meaning('gap: no values; interpolate: a straight line across the section', {
    ...choice('gap', 'interpolate'),
    title: 'MendFill',
  }),
}

export const WorkoutMend = body(
  {
    fromElapsedS: elapsed('Where the section begins; readings at both ends are removed'),
    toElapsedS: elapsed('Where it ends, more than fromElapsedS'),
    ...mending,
  },
  { title: 'WorkoutMend', examples: [{ fromElapsedS: 30, toElapsedS: 90, channel: 'heartRate', fill: 'gap' }] },
)

const section = {
  fromElapsedS: number('Elapsed seconds at which the section begins'),
  toElapsedS: number('Elapsed seconds at which it ends'),
}

export const Oddities = Type.Array(
  Type.Object(
    {
      kind: meaning(
        'speed_spike: over 6.5 m/s for less than 20 s, and over twice what is usual in the minute before and after; ' +
          'heart_rate_lock: it follows the cadence; clock_jump: no samples for over 10 min while the timer runs',
        choice(
          ...(['speed_spike', 'position_jump', 'heart_rate_lock', 'heart_rate_drop'] as const),
          ...(['elevation_jump', 'clock_jump'] as const),
        ),
      ),
      ...section,
      detail: text('What looks wrong, for people'),
      suggest: nullable(
        Type.Object(
          { ...section, ...mending },
          {
            title: 'SuggestedMend',
            description: 'Body of POST /workouts/{id}/mend; null: removing readings does not help',
          },
        ),
      ),
    },
    { title: 'Oddity' },
  ),
  { description: 'In order of time, at most 50 of a kind' },
)

export const WorkoutDistance = body(
  { distanceM: nullable(metres('Metres; null: as recorded')) },
  {
    title: 'WorkoutDistance',
    description: 'Half to twice the current distance. Without route the samples are scaled; with one they stay',
    examples: [{ distanceM: 8000 }, { distanceM: null }],
  },
)

const MOST_SHIFT_S = 14 * DAY_S

export const WorkoutShift = body(
  {
    startedAt: Type.Optional(moment('The new start; weather is looked up again')),
    offsetSeconds: Type.Optional(
      number({
        minimum: -MOST_SHIFT_S,
        maximum: MOST_SHIFT_S,
        description: 'Seconds by which the start moves; negative: earlier',
      }),
    ),
    timeZone: Type.Optional(zone('IANA name of the zone of the run')),
  },
  {
    title: 'WorkoutShift',
    description: 'Exactly one of the three; timeZone changes only the local time that is shown',
    examples: [{ offsetSeconds: 3600 }, { startedAt: '2025-11-01T07:00:00Z' }, { timeZone: 'Europe/Berlin' }],
  },
)

export const Revert = body({}, { title: 'RepairRevert', description: 'May be absent' })

export const BulkEdit = Type.Object(
  {
    ids: Type.Optional(
      Type.Array(uuid('Of a run'), { minItems: 1, maxItems: MOST_IDS, description: 'An unknown one refuses the call' }),
    ),
    filter: Type.Optional(
      Type.Omit(ListParameters, ['page', 'pageSize', 'sortBy', 'sortOrder'], {
        title: 'RunListFilter',
        description: 'The parameters of GET /workouts; {} is the whole library',
      }),
    ),
    set: Type.Object(
      {
        shoeId,
        runType,
        rpe,
        name,
        leftOut,
        suggestedRunType: Type.Optional(
          flag('true: each run gets the type that is suggested for it; one without suggestion stays'),
        ),
        notesAppend: Type.Optional(
          Type.String({ minLength: 1, maxLength: MOST_OF_NOTES, description: 'After the notes, below an empty line' }),
        ),
      },
      { title: 'BulkEditSet', description: 'Members that are not sent stay; null clears' },
    ),
    dryRun: Type.Optional(flag('true: nothing is stored and receiptId is null, only the runs are counted')),
  },
  {
    title: 'BulkEdit',
    description: 'Either ids or filter; of set at least one, null clears',
    examples: [
      { ids: [ID], set: { runType: 'Easy Run' } },
      { filter: { startDate: '2025-01-01', keyword: 'parkrun' }, set: { runType: 'Race', notesAppend: 'parkrun' } },
    ],
  },
)

export const BulkEdited = Type.Object(
  {
    receiptId: nullable(uuid('null: no run was changed, or a dry run')),
    changed: integer('Runs that were changed, or would be'),
    unchanged: integer('Runs that have these values already'),
  },
  { title: 'BulkEdited' },
)
