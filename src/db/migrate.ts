import type { Database } from 'bun:sqlite'
import { copyBefore } from './copy.ts'
import foundation from './migrations/0001_foundation.sql' with { type: 'text' }
import media from './migrations/0002_media.sql' with { type: 'text' }
import routeIndex from './migrations/0003_route_index.sql' with { type: 'text' }
import archiveIds from './migrations/0004_archive_ids.sql' with { type: 'text' }
import insightFigures from './migrations/0005_insight_figures.sql' with { type: 'text' }
import mapTiles from './migrations/0006_map_tiles.sql' with { type: 'text' }
import weatherSwitch from './migrations/0007_weather_switch.sql' with { type: 'text' }
import engineIndex from './migrations/0008_engine_index.sql' with { type: 'text' }
import recordings from './migrations/0009_recordings.sql' with { type: 'text' }
import effortBefore from './migrations/0010_effort_before.sql' with { type: 'text' }
import rawView from './migrations/0011_raw_view.sql' with { type: 'text' }
import laps from './migrations/0012_laps.sql' with { type: 'text' }
import effortWords from './migrations/0013_effort_words.sql' with { type: 'text' }
import smallRows from './migrations/0014_small_rows.sql' with { type: 'text' }
import listFigures from './migrations/0015_list_figures.sql' with { type: 'text' }
import training from './migrations/0016_training.sql' with { type: 'text' }
import receipts from './migrations/0017_receipts.sql' with { type: 'text' }
import watchFolder from './migrations/0018_watch_folder.sql' with { type: 'text' }
import repairs from './migrations/0019_repairs.sql' with { type: 'text' }
import keyScopes from './migrations/0020_key_scopes.sql' with { type: 'text' }
import smallTraining from './migrations/0021_small_training.sql' with { type: 'text' }
import externalIds from './migrations/0022_external_ids.sql' with { type: 'text' }
import trace from './migrations/0023_trace.sql' with { type: 'text' }
import trainingVersion from './migrations/0024_training_version.sql' with { type: 'text' }
import documents from './migrations/0025_documents.sql' with { type: 'text' }
import lapsAsRecorded from './migrations/0026_laps_as_recorded.sql' with { type: 'text' }
import hardPeaks from './migrations/0027_hard_peaks.sql' with { type: 'text' }
import watchDue from './migrations/0028_watch_due.sql' with { type: 'text' }
import race from './migrations/0029_race.sql' with { type: 'text' }
import retiredShoe from './migrations/0030_retired_shoe.sql' with { type: 'text' }
import page from './migrations/0031_page.sql' with { type: 'text' }
import reps from './migrations/0032_reps.sql' with { type: 'text' }
import truthMark from './migrations/0033_truth_mark.sql' with { type: 'text' }
import ground from './migrations/0034_ground.sql' with { type: 'text' }
import place from './migrations/0035_place.sql' with { type: 'text' }
import newGround from './migrations/0036_new_ground.sql' with { type: 'text' }
import pairs from './migrations/0037_pairs.sql' with { type: 'text' }
import sync from './migrations/0038_sync.sql' with { type: 'text' }
import fitnessWeather from './migrations/0039_fitness_weather.sql' with { type: 'text' }
import watchHashes from './migrations/0040_watch_hashes.sql' with { type: 'text' }
import privacy from './migrations/0041_privacy.sql' with { type: 'text' }
import photoPlace from './migrations/0042_photo_place.sql' with { type: 'text' }
import trainingRows from './migrations/0043_training_rows.sql' with { type: 'text' }
import newGroundOnce from './migrations/0044_new_ground_once.sql' with { type: 'text' }
import corrections from './migrations/0045_corrections.sql' with { type: 'text' }
import { packPreviews } from './moves/0014.ts'
import { traceRoutes } from './moves/0023.ts'
import { moveLibrary } from './moves/0025.ts'

/** In order; entries are only added. Index + 1 is the `user_version` of a database after the migration. */
const MIGRATIONS: readonly (string | Migration)[] = [
  foundation,
  media,
  routeIndex,
  archiveIds,
  insightFigures,
  mapTiles,
  weatherSwitch,
  engineIndex,
  recordings,
  effortBefore,
  rawView,
  laps,
  effortWords,
  { sql: smallRows, finish: packPreviews },
  listFigures,
  training,
  receipts,
  watchFolder,
  repairs,
  keyScopes,
  smallTraining,
  externalIds,
  { sql: trace, finish: traceRoutes },
  trainingVersion,
  { sql: documents, finish: moveLibrary },
  lapsAsRecorded,
  hardPeaks,
  watchDue,
  race,
  retiredShoe,
  page,
  reps,
  truthMark,
  ground,
  place,
  newGround,
  pairs,
  sync,
  fitnessWeather,
  watchHashes,
  privacy,
  photoPlace,
  trainingRows,
  newGroundOnce,
  corrections,
]

/** A migration with a step that SQL alone cannot do; it runs in the same transaction, after the SQL. */
interface Migration {
  readonly sql: string
  readonly finish: (client: Database) => void
}

/** The `user_version` of an up-to-date database. */
export const SCHEMA_VERSION = MIGRATIONS.length

/** The migration after which older versions of the program know nothing of a library. */
const MOVED_TO = 25

/**
 * Applies the migrations that a database lacks, each in one transaction. Foreign keys are off meanwhile, since
 * rebuilding a table with them on deletes its child rows.
 * @throws Error when the database is newer than this program, there is no room, or a migration leaves dangling references
 */
export function migrate(client: Database, migrating?: (from: number, to: number) => void): void {
  const version = client.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version ?? 0
  if (version > SCHEMA_VERSION) {
    throw new Error(`The database was written by a newer Harrier (schema ${version}, this one knows ${SCHEMA_VERSION})`)
  }
  if (version === SCHEMA_VERSION) return
  if (version > 0) migrating?.(version, SCHEMA_VERSION)
  if (version > 0 && version < MOVED_TO && client.filename !== ':memory:') copyBefore(client, version)
  client.run('PRAGMA foreign_keys = OFF')
  for (const [index, migration] of MIGRATIONS.entries()) {
    if (index < version) continue
    client.transaction(() => {
      if (typeof migration === 'string') client.run(migration)
      else {
        client.run(migration.sql)
        migration.finish(client)
      }
      const dangling = client.query('PRAGMA foreign_key_check').all()
      if (dangling.length > 0) throw new Error(`Migration ${index + 1} leaves ${dangling.length} dangling references`)
      client.run(`PRAGMA user_version = ${index + 1}`)
    })()
  }
}
