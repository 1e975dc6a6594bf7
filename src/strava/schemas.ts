import { type Static, Type } from '@sinclair/typebox'
import { integer, nullable, Timestamp } from '../http/schemas.ts'
import { ShoeFound } from '../shoes/schemas.ts'
import { ImportSummary } from '../workouts/schemas.ts'

/** The answer to a Strava export (docs/api.md 7.3). */
export const BulkSummary = Type.Object({
  ...ImportSummary.properties,
  errorDetails: Type.Array(
    Type.Object({
      filename: Type.String(),
      error: Type.String(),
      name: Type.Optional(nullable(Type.String({ description: 'of the run, as the table calls it' }))),
      startedAt: Type.Optional(nullable(Timestamp)),
    }),
    { description: 'name and startedAt are absent where it is no single run that failed' },
  ),
  skippedOther: integer({ description: 'rows of other types than Run' }),
  mediaImported: integer(),
  warnings: Type.Array(Type.Object({ filename: Type.String(), message: Type.String() }), {
    description: 'what could not be taken over beside the runs, such as photos',
  }),
  shoesFound: Type.Optional(
    Type.Array(ShoeFound, {
      description:
        'shoes that the export names; absent: none. POST /shoes/from-import makes them and puts them on their runs',
    }),
  ),
})

export type BulkSummary = Static<typeof BulkSummary>
export type BulkWarning = BulkSummary['warnings'][number]
