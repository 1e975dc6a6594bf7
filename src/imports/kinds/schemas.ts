import { type Static, Type } from '@sinclair/typebox'
import { RestoreAnswer } from '../../archive/restore/report.ts'
import { TAKEOUT_ORIGINS } from '../../engine/limits.ts'
import { ShoeFound } from '../../features/shoes/schemas.ts'
import { ImportSummary, SkippedSports } from '../../features/workouts/schemas.ts'
import { choice, integer, meaning, moment, nullable, number, text, uuid } from '../../http/schemas.ts'

const warnings = meaning(
  'What was corrected in the files, or could not be imported besides the runs, such as photos',
  ImportSummary.properties.warnings,
)
const mediaImported = integer('Photos and videos that were stored')

/** The answer to a Strava export (docs/api.md 7.3). */
export const BulkSummary = Type.Object(
  {
    ...ImportSummary.properties,
    errorDetails: Type.Array(
      Type.Object(
        {
          filename: text('As in the export; of a row without file the table'),
          error: text('Why it failed, for people'),
          name: Type.Optional(nullable(text('Of the run, as in the table; null: it states none'))),
          startedAt: Type.Optional(nullable(moment('Of the run, as in the table; null: it states none'))),
        },
        { title: 'FailedStravaRun' },
      ),
      { description: 'Each failure; name and startedAt are absent unless a single run failed' },
    ),
    skippedOther: integer('Rows of other types than Run'),
    skippedSports: Type.Optional(meaning('skippedOther by sport; absent: none', SkippedSports)),
    mediaImported,
    warnings,
    shoesFound: Type.Optional(
      Type.Array(ShoeFound, {
        description: 'Shoes that the export names, for POST /shoes/from-import; absent: none',
      }),
    ),
  },
  { title: 'BulkImportSummary' },
)

export type BulkSummary = Static<typeof BulkSummary>

/** What an export has, as a dry run finds it. */
const Preview = Type.Object(
  {
    firstRunAt: nullable(moment('Start of the earliest run; null: no run, or not counted')),
    lastRunAt: nullable(moment('Start of the latest run; null: no run, or not counted')),
    runs: integer('All runs, those that are stored already too; 0 where an archive states no number'),
    distanceM: nullable(number('Metres of all runs together; null: not counted')),
    shoes: Type.Array(text('Name'), { description: 'Names of the shoes of these runs; empty where not counted' }),
  },
  {
    title: 'ImportPreview',
    description: 'Of a dry run; else absent. Of a Strava export and an archive only runs are counted',
  },
)

/** The answer to an export of another service, or any other archive. */
export const TakeoutSummary = Type.Object(
  {
    ...ImportSummary.properties,
    kind: meaning(
      'What the file is; archive: of Harrier or Tempo',
      choice(...TAKEOUT_ORIGINS, 'strava_archive', 'archive'),
    ),
    merged: integer('Of updated: into runs that they are recordings of'),
    skippedOther: integer('Activities that are not runs'),
    skippedSports: meaning('skippedOther by sport; sports without any are absent', SkippedSports),
    ignored: integer('Files that are not activities'),
    shoesCreated: integer('Shoes that were created, since a run wears them'),
    mediaImported,
    warnings,
    shoesFound: Type.Optional(
      Type.Array(ShoeFound, { description: 'Of a Strava export, for POST /shoes/from-import; absent: none' }),
    ),
    restore: Type.Optional(meaning('Of an archive of Harrier or Tempo; else absent', RestoreAnswer)),
    preview: Type.Optional(Preview),
    uploadId: Type.Optional(
      uuid(
        'Of a dry run: sent in place of the file for an hour, unless the next upload, a full disk or a restart removes it',
      ),
    ),
  },
  { title: 'TakeoutSummary' },
)

export type TakeoutSummary = Static<typeof TakeoutSummary>
export type TakeoutPreview = Static<typeof Preview>
