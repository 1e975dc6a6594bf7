import { eq } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { media } from '../../db/schema.ts'
import { mediaFilePath } from '../../library/files/paths.ts'
import type { ZipItem } from '../../zip/writer.ts'
import type { ArchiveCounts } from '../format/manifest.ts'
import { mediaObject } from '../format/part-rows.ts'
import { entryFileName } from './entry-names.ts'

interface MediaExport {
  readonly db: Db
  readonly dataDir: string
  readonly counts: ArchiveCounts
  /** Ids of media whose file is missing. */
  readonly lostMedia: Set<string>
}

/** The files of photos and videos; missing ones are noted in `lostMedia`. */
export function* mediaItems({ db, dataDir, counts, lostMedia }: MediaExport): Generator<ZipItem> {
  for (const row of mediaRows(db)) {
    const name = `workouts/${row.workoutId}/media/${row.id}/${entryFileName(row.filename)}`
    yield {
      name,
      source: mediaFilePath(dataDir, row.id),
      compress: false,
      modifiedMs: row.createdAt,
      whenOpened: (size) => {
        if (size === null) return void lostMedia.add(row.id)
        counts.mediaFiles += 1
        counts.totalSizeBytes += size
      },
    }
  }
}

/** Rows of photos and videos, except of those whose file is missing. */
export function* mediaTexts({ db, lostMedia }: Pick<MediaExport, 'db' | 'lostMedia'>): Generator<[string]> {
  for (const row of mediaRows(db)) if (!lostMedia.has(row.id)) yield [JSON.stringify(mediaObject(row))]
}

/** Read one by one, since there may be more of them than fit into memory. */
function* mediaRows(db: Db): Generator<typeof media.$inferSelect> {
  const ids = db.$client
    .query<{ id: string }, []>(
      'SELECT media.id FROM media JOIN workout ON workout.id = workout_id ORDER BY workout_id, media.created_at, media.id',
    )
    .iterate()
  for (const { id } of ids) {
    const row = db.select().from(media).where(eq(media.id, id)).get()
    if (row !== undefined) yield row
  }
}
