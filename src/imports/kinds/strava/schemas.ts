import { type Static, Type } from '@sinclair/typebox'
import { ShoeFound } from '../../../features/shoes/schemas.ts'
import { ImportSummary, SkippedSports } from '../../../features/workouts/schemas.ts'
import { integer, nullable, Timestamp } from '../../../http/schemas.ts'

/** The answer to a Strava export (docs/api.md 7.3). */
export const BulkSummary = Type.Object({
  ...ImportSummary.properties,
  errorDetails: Type.Array(
    Type.Object({
      filename: Type.String(),
      error: Type.String(),
      name: Type.Optional(nullable(Type.String({ description: 'of the run, as in the table' }))),
      startedAt: Type.Optional(nullable(Timestamp)),
    }),
    { description: 'name and startedAt are absent unless a single run failed' },
  ),
  skippedOther: integer({ description: 'rows of other types than Run' }),
  skippedSports: Type.Optional(SkippedSports),
  mediaImported: integer(),
  warnings: Type.Array(Type.Object({ filename: Type.String(), message: Type.String() }), {
    description: 'what could not be imported besides the runs, such as photos',
  }),
  shoesFound: Type.Optional(
    Type.Array(ShoeFound, {
      description: 'shoes that the export names, for POST /shoes/from-import; absent: none',
    }),
  ),
})

export type BulkSummary = Static<typeof BulkSummary>
export type BulkWarning = BulkSummary['warnings'][number]
