import { Type } from '@sinclair/typebox'
import {
  choice,
  integer,
  meaning,
  moment,
  nullable,
  number,
  text,
  titled,
  UtcOffset,
  uuid,
} from '../../../http/schemas.ts'

export const PassesParameters = Type.Object({
  fromM: Type.Optional(
    Type.Number({ minimum: 0, default: 0, description: 'Metres of the run at which the section begins' }),
  ),
  toM: Type.Optional(
    Type.Number({
      minimum: 0,
      description: 'Metres of the run at which it ends, at least 100 further; absent: the end of the run',
    }),
  ),
  maxResults: Type.Optional(
    integer({ minimum: 1, default: 100, description: 'Passes to list, at most 1000; all are counted' }),
  ),
})

const Pass = Type.Object(
  {
    workoutId: uuid('Of the run that passed'),
    name: nullable(text('Of that run; null: none')),
    startedAt: moment('Start of that run'),
    utcOffsetMinutes: UtcOffset,
    direction: meaning('same: the way of the asked run', titled('PassDirection', choice('same', 'reverse'))),
    startElapsedS: number('Seconds since the start of that run'),
    endElapsedS: number('Seconds since the start of that run'),
    elapsedS: integer('Seconds from one end to the other, stops included'),
    movingTimeS: integer('Seconds without stops'),
    avgHeartRateBpm: nullable(integer('Beats per minute; null: no heart rate')),
    rank: integer('By elapsed time among the passes of its direction, from 1, the fastest; equal times share one'),
  },
  { title: 'Pass' },
)

const SamePulse = Type.Object(
  {
    season: meaning('Compared with, by the half of the globe', choice('winter', 'spring', 'summer', 'autumn')),
    year: integer('In which the season ended'),
    passes: integer('Passes of that season in this direction with a heart rate'),
    heartRateBpm: integer('Average of the own pass'),
    expectedS: number('Moving seconds of the section in that season at this heart rate'),
    differenceS: number('Moving seconds of the own pass less the expected ones: negative is faster'),
    standardErrorS: number('Seconds: one standard error of the difference'),
    secondsPerBpm: number('Seconds that one more beat per minute adds; never positive'),
  },
  {
    title: 'SamePulse',
    description:
      'The own pass against the season a year before, else the last one with 3 passes; null: too few, or heart rates too alike',
  },
)

export const Passes = Type.Object(
  {
    fromM: number('Metres, as asked'),
    toM: number('Metres, as asked, or the end of the run'),
    lengthM: number('Metres of the section on the ground'),
    count: integer('Passes of all runs that count, in both directions, always with this one'),
    sameCount: integer('Passes in the direction of this run'),
    runCount: integer('Runs with a pass'),
    own: meaning('Pass of the asked run itself', Pass),
    best: meaning('The fastest in the direction of this run', Pass),
    atSamePulse: nullable(SamePulse),
    passes: Type.Array(Pass, { description: 'The latest first' }),
  },
  {
    title: 'Passes',
  },
)
