import { Type } from '@sinclair/typebox'
import { choice, flag, integer, meaning, moment, nullable, number, text, uuid } from '../../http/schemas.ts'
import { WorkoutDetail } from '../workouts/schemas.ts'
import { FieldSources } from '../workouts/sources/sources-schemas.ts'
import { RunNumbers } from './schemas.ts'

// Requests and answers of the calls that merge two recordings of one run.

export const WorkoutMerge = Type.Object(
  {
    otherId: uuid('The other recording of the run; it goes to the trash'),
    choices: Type.Optional(
      nullable(meaning('Recordings that channels come from; of others, and null, the best one is taken', FieldSources)),
    ),
    dryRun: Type.Optional(flag('true: nothing is stored, the answer is a TriedMerge')),
  },
  {
    title: 'WorkoutMerge',
    description: 'The other run goes to the trash',
    examples: [{ otherId: '0198a000-0000-7000-8000-000000000001' }],
  },
)

export const ChosenFields = Type.Object(FieldSources.properties, {
  title: 'ChosenFields',
  description: 'Channels that are not sent stay',
})

export const TriedMerge = Type.Object(
  {
    before: Type.Array(RunNumbers, {
      minItems: 2,
      maxItems: 2,
      description: 'Numbers of the run and of the other one',
    }),
    after: meaning('Numbers of the merged run', RunNumbers),
    fieldSources: meaning('Recordings that channels would come from; absent: the one whose clock counts', FieldSources),
    cutAwayS: nullable(
      number('Seconds of the other recording after the end of a crop, which are lost; null: nothing is cut away'),
    ),
  },
  { title: 'TriedMerge' },
)

export const MergeAnswer = Type.Union([WorkoutDetail, TriedMerge], { title: 'MergeAnswer' })

export const WorkoutUnmerge = Type.Object(
  { sourceId: Type.Optional(nullable(uuid('Recording that becomes a run of its own again; null or absent: all'))) },
  {
    title: 'WorkoutUnmerge',
    description: 'A merged recording; null: all of them',
  },
)

export const MergeSuggestions = Type.Array(
  Type.Object(
    {
      id: uuid('For dismiss'),
      workoutIds: Type.Array(uuid('Of a run'), { minItems: 2, maxItems: 2, description: 'The two runs' }),
      certainty: meaning(
        'certain: time, distance and route agree; possible: only some of them do, or a clock is wrong by a time zone',
        choice('certain', 'possible'),
      ),
      overlap: number('Shared time, as a part of the longer run, 0 to 1'),
      distanceDifferenceM: number('Metres by which their distances differ'),
      clockShiftS: integer('Seconds to be added to the clock of the second run'),
      reason: text('Why they may be one run, for people'),
      createdAt: moment('When the pair was found'),
    },
    { title: 'MergeSuggestion' },
  ),
  { description: 'Latest run first' },
)

export const PairsMerge = Type.Object(
  { dryRun: Type.Optional(flag('true: they are only counted')) },
  { title: 'PairsMerge', description: 'May be absent' },
)

export const PairsMerged = Type.Object(
  {
    pairs: integer('Pairs that are certain'),
    merged: integer('Pairs that were merged; of a dry run 0'),
    receiptId: nullable(uuid('The receipt of all; null: nothing was merged')),
    dryRun: flag('As requested'),
  },
  { title: 'PairsMerged' },
)
