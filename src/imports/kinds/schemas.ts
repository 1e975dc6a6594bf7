import { type Static, Type } from '@sinclair/typebox'
import { RestoreAnswer } from '../../archive/restore/report.ts'
import { TAKEOUT_ORIGINS } from '../../engine/limits.ts'
import { ShoeFound } from '../../features/shoes/schemas.ts'
import { ImportSummary, SkippedSports } from '../../features/workouts/schemas.ts'
import { choice, integer, nullable, Timestamp, Uuid } from '../../http/schemas.ts'

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

/** What an export has, as a dry run finds it. */
const Preview = Type.Object(
  {
    firstRunAt: nullable(Timestamp),
    lastRunAt: nullable(Timestamp),
    runs: integer({ description: 'all runs, those that are stored already too' }),
    distanceM: nullable(Type.Number()),
    shoes: Type.Array(Type.String(), { description: 'names of the shoes of these runs' }),
  },
  { description: 'of a dry run' },
)

/** The answer to an export of another service, or any other archive. */
export const TakeoutSummary = Type.Object(
  {
    ...ImportSummary.properties,
    kind: choice(...TAKEOUT_ORIGINS, 'strava_archive', 'archive'),
    merged: integer({ description: 'of `updated`: into runs that they are recordings of' }),
    skippedOther: integer({ description: 'activities that are not runs' }),
    skippedSports: SkippedSports,
    ignored: integer({ description: 'files that are not activities' }),
    shoesCreated: integer(),
    mediaImported: integer(),
    warnings: Type.Array(Type.Object({ filename: Type.String(), message: Type.String() }), {
      description: 'what could not be imported besides runs',
    }),
    shoesFound: Type.Optional(Type.Array(ShoeFound, { description: 'of a Strava export, as its own import answers' })),
    restore: Type.Optional({ ...RestoreAnswer, description: 'of an archive of Harrier or Tempo' }),
    preview: Type.Optional(Preview),
    uploadId: Type.Optional({ ...Uuid, description: 'of a dry run: sent in place of the file for an hour' }),
  },
  { title: 'TakeoutSummary' },
)

export type TakeoutSummary = Static<typeof TakeoutSummary>
export type TakeoutPreview = Static<typeof Preview>
