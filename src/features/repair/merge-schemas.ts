import { Type } from '@sinclair/typebox'
import { choice, integer, nullable, Timestamp, Uuid } from '../../http/schemas.ts'
import { WorkoutDetail } from '../workouts/schemas.ts'
import { FieldSources } from '../workouts/sources/sources-schemas.ts'
import { RunNumbers } from './schemas.ts'

// Requests and answers of the calls that merge two recordings of one run.

const ID = '0198a000-0000-7000-8000-000000000001'

export const WorkoutMerge = Type.Object(
  {
    otherId: Uuid,
    choices: Type.Optional(nullable(FieldSources)),
    dryRun: Type.Optional(Type.Boolean({ description: 'true: nothing is stored' })),
  },
  { description: 'The other run goes to the trash', examples: [{ otherId: ID }] },
)

export const ChosenFields = Type.Object(FieldSources.properties, {
  title: 'ChosenFields',
  description: 'Channels that are not sent stay',
  examples: [{ heartRate: ID }],
})

export const MergeTrial = Type.Object({
  before: Type.Array(RunNumbers, { minItems: 2, maxItems: 2 }),
  after: RunNumbers,
  fieldSources: FieldSources,
  cutAwayS: nullable(
    Type.Number({ description: 'of the other recording, after the end of a crop; null: nothing is cut away' }),
  ),
})

export const MergeAnswer = Type.Union([WorkoutDetail, MergeTrial])

export const WorkoutUnmerge = Type.Object(
  { sourceId: Type.Optional(nullable(Uuid)) },
  { description: 'A merged recording; null: all of them', examples: [{ sourceId: null }] },
)

export const MergeSuggestions = Type.Array(
  Type.Object({
    id: Uuid,
    workoutIds: Type.Array(Uuid, { minItems: 2, maxItems: 2 }),
    certainty: choice('certain', 'possible'),
    overlap: Type.Number({ description: 'shared time, of the longer run' }),
    distanceDifferenceM: Type.Number(),
    clockShiftS: integer({ description: 'to be added to the clock of the second run' }),
    reason: Type.String(),
    createdAt: Timestamp,
  }),
)

export const PairsMerge = Type.Object(
  { dryRun: Type.Optional(Type.Boolean({ description: 'true: they are only counted' })) },
  { examples: [{ dryRun: true }] },
)

export const PairsMerged = Type.Object({
  pairs: integer({ description: 'that are certain' }),
  merged: integer(),
  receiptId: nullable(Uuid),
  dryRun: Type.Boolean(),
})
