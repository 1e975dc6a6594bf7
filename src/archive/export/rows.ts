import { asc, eq } from 'drizzle-orm'
import type { Db, Tx } from '../../db/open.ts'
import { media, workoutSplits } from '../../db/schema.ts'
import { settings, shoes, users } from '../../db/schema-account.ts'
import { effortRecords } from '../../features/stats/best-efforts.ts'
import { type RunHead, runHead } from '../../library/documents/run.ts'
import type { TextPieces } from '../../library/files/raw-data.ts'
import { workoutPositions } from '../../library/recordings.ts'
import { settingsObject, shoeObject } from '../format/account-rows.ts'
import { effortObject, mediaObject, routeObject, splitObject } from '../format/part-rows.ts'
import type { ExportedLibrary } from './library.ts'
import { workoutText } from './workout-rows.ts'

/** The rows of the data files that are about the whole library. */
export const LIBRARY_ROWS = {
  settings: ({ db }: ExportedLibrary) => {
    const user = db.select({ createdAt: users.createdAt }).from(users).get()
    return [settingsObject(db.select().from(settings).get(), user?.createdAt ?? 0)]
  },
  shoes: ({ db }: ExportedLibrary) =>
    db.select().from(shoes).orderBy(asc(shoes.createdAt), asc(shoes.id)).all().map(shoeObject),
  bestEfforts: ({ db }: ExportedLibrary) => effortRecords(db).map(effortObject),
} as const

/** The rows that one run has in each data file but that of samples, as JSON texts. */
export const RUN_ROWS = {
  workouts: async (library: ExportedLibrary, id: string) => [await workoutText(library, headOf(library.db, id))],
  routes: ({ db }: ExportedLibrary, id: string) => {
    const positions = workoutPositions(db, id)
    const row = positions && routeObject({ workoutId: id, routeId: headOf(db, id).body.routeId }, positions)
    return texts(row === null ? [] : [row])
  },
  splits: ({ db }: ExportedLibrary, id: string) => {
    const { workoutId, idx } = workoutSplits
    return texts(db.select().from(workoutSplits).where(eq(workoutId, id)).orderBy(asc(idx)).all().map(splitObject))
  },
  mediaMetadata: ({ db, hasMedia }: ExportedLibrary, id: string) =>
    texts(
      mediaOf(db, id)
        .filter((row) => hasMedia(row.id))
        .map(mediaObject),
    ),
} as const

export function texts(rows: readonly object[]): TextPieces[] {
  return rows.map((row) => [JSON.stringify(row)])
}

export function mediaOf(db: Db, workoutId: string): (typeof media.$inferSelect)[] {
  return db
    .select()
    .from(media)
    .where(eq(media.workoutId, workoutId))
    .orderBy(asc(media.createdAt), asc(media.id))
    .all()
}

export function headOf(tx: Tx, id: string): RunHead {
  const head = runHead(tx, id)
  if (head === null) throw new Error(`The run ${id} has no document`)
  return head
}
