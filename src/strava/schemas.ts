import { type Static, Type } from '@sinclair/typebox'
import { integer } from '../http/schemas.ts'
import { ImportSummary } from '../workouts/schemas.ts'

/** The answer to a Strava export (CONTRACT 7.3). */
export const BulkSummary = Type.Object({
  ...ImportSummary.properties,
  skippedOther: integer({ description: 'rows of other types than Run' }),
  mediaImported: integer(),
  warnings: Type.Array(Type.Object({ filename: Type.String(), message: Type.String() }), {
    description: 'what could not be taken over beside the runs, such as photos',
  }),
})

export type BulkSummary = Static<typeof BulkSummary>
export type BulkWarning = BulkSummary['warnings'][number]
