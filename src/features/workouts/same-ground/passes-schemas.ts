import { Type } from '@sinclair/typebox'
import { choice, integer, nullable, Timestamp, Uuid } from '../../../http/schemas.ts'

const seconds = (description: string) => Type.Number({ description })
const metres = (description: string) => Type.Number({ description })

export const PassesParameters = Type.Object({
  fromM: Type.Optional(
    Type.Number({ minimum: 0, default: 0, description: 'metres of the run at which the section begins' }),
  ),
  toM: Type.Optional(
    Type.Number({
      minimum: 0,
      description: 'metres of the run at which it ends, 100 or more further; absent: its end',
    }),
  ),
  maxResults: Type.Optional(
    integer({ minimum: 1, default: 100, description: 'passes that are listed, at most 1000; all are counted' }),
  ),
})

const Pass = Type.Object(
  {
    workoutId: Uuid,
    name: nullable(Type.String()),
    startedAt: Timestamp,
    utcOffsetMinutes: nullable(integer()),
    direction: choice('same', 'reverse'),
    startElapsedS: seconds('since the start of that run'),
    endElapsedS: seconds('since the start of that run'),
    elapsedS: integer({ description: 'seconds from one end to the other, stops included' }),
    movingTimeS: integer({ description: 'seconds without stops' }),
    avgHeartRateBpm: nullable(integer({ description: 'beats per minute' })),
    rank: integer({ description: 'by elapsed time among the passes of its direction; 1 is the fastest' }),
  },
  { title: 'Pass' },
)

const SamePulse = Type.Object(
  {
    season: choice('winter', 'spring', 'summer', 'autumn'),
    year: integer({ description: 'in which the season ended' }),
    passes: integer({ description: 'passes of that season in this direction with a heart rate' }),
    heartRateBpm: integer({ description: 'of the own pass' }),
    expectedS: seconds('moving time of the section in that season at this heart rate'),
    differenceS: seconds('moving time of the own pass, less the expected: negative is faster'),
    standardErrorS: seconds('one standard error of the difference'),
    secondsPerBpm: seconds('by which one more beat shortens the section; negative'),
  },
  {
    description:
      'At the heart rate of a year before, else of the last season with 3 passes; null: too few or too similar',
  },
)

const EXAMPLE_PASS = {
  workoutId: '0198a000-0000-7000-8000-000000000001',
  name: 'Morning Run',
  startedAt: '2025-05-03T06:12:00Z',
  utcOffsetMinutes: 120,
  direction: 'same' as const,
  startElapsedS: 612.4,
  endElapsedS: 854.1,
  elapsedS: 242,
  movingTimeS: 242,
  avgHeartRateBpm: 158,
  rank: 1,
}

export const Passes = Type.Object(
  {
    fromM: metres('as asked'),
    toM: metres('as asked, or the end of the run'),
    lengthM: metres('of the section on the ground'),
    count: integer({
      description: 'passes of all runs that count, in both directions, always with this one',
    }),
    sameCount: integer({ description: 'passes in the direction of this run' }),
    runCount: integer({ description: 'runs that they are of' }),
    own: Type.Object({ ...Pass.properties }, { description: 'the section itself' }),
    best: Type.Object({ ...Pass.properties }, { description: 'the fastest in the direction of this run' }),
    atSamePulse: nullable(SamePulse),
    passes: Type.Array(Pass, { description: 'the latest first' }),
  },
  {
    examples: [
      {
        fromM: 2000,
        toM: 3000,
        lengthM: 998.7,
        count: 14,
        sameCount: 11,
        runCount: 13,
        own: {
          ...EXAMPLE_PASS,
          workoutId: '0198a000-0000-7000-8000-000000000002',
          startedAt: '2025-06-20T06:00:00Z',
          elapsedS: 249,
          movingTimeS: 249,
          endElapsedS: 861.3,
          avgHeartRateBpm: 152,
          rank: 3,
        },
        best: EXAMPLE_PASS,
        atSamePulse: {
          season: 'spring',
          year: 2024,
          passes: 5,
          heartRateBpm: 152,
          expectedS: 257.2,
          differenceS: -8.2,
          standardErrorS: 3.1,
          secondsPerBpm: -1.4,
        },
        passes: [EXAMPLE_PASS],
      },
    ],
  },
)
