import { asc, eq } from 'drizzle-orm'
import type { Db, Tx } from '../../db/open.ts'
import { media, workoutSplits } from '../../db/schema.ts'
import { settings, shoes, users } from '../../db/schema-account.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { effortRecords } from '../../features/stats/best-efforts.ts'
import { isJoined, type RunHead, runHead } from '../../library/documents/run.ts'
import type { TextPieces } from '../../library/files/raw-data.ts'
import { storedPlaces } from '../../library/places.ts'
import { workoutPositions } from '../../library/recordings.ts'
import { storedGoals } from '../../library/training/goals.ts'
import { storedMarks } from '../../library/training/marks.ts'
import { storedTraining } from '../../library/training/profile.ts'
import { storedRaces } from '../../library/training/races.ts'
import { settingsObject, shoeObject } from '../format/account-rows.ts'
import type { Row } from '../format/fields.ts'
import { effortObject, mediaObject, routeObject } from '../format/part-rows.ts'
import { repairObjects } from '../format/repair-rows.ts'
import { splitObject } from '../format/split-rows.ts'
import type { ExportedLibrary } from './library.ts'
import { archivedId, recordingObjects } from './recording-rows.ts'
import { workoutText } from './workout-rows.ts'

/** The rows of the data files that are about the whole library. */
export const LIBRARY_ROWS = {
  settings: ({ db }: ExportedLibrary) => {
    const user = db.select({ createdAt: users.createdAt }).from(users).get()
    const more = { sinceMs: user?.createdAt ?? 0, training: storedTraining(db), marks: storedMarks(db) }
    return [settingsObject(db.select().from(settings).get(), more)]
  },
  shoes: ({ db }: ExportedLibrary) =>
    db.select().from(shoes).orderBy(asc(shoes.createdAt), asc(shoes.id)).all().map(shoeObject),
  bestEfforts: ({ db }: ExportedLibrary) => effortRecords(db).map(effortObject),
  goals: ({ db }: ExportedLibrary) => storedGoals(db),
  races: ({ db }: ExportedLibrary) => storedRaces(db),
  places: ({ db }: ExportedLibrary) =>
    storedPlaces(db).map(({ createdAt, ...place }) => ({ ...place, createdAt: isoTime(createdAt) })),
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
  recordings: async (library: ExportedLibrary, id: string) =>
    texts(await recordingObjects(library, headOf(library.db, id))),
  repairs: ({ db }: ExportedLibrary, id: string) => texts(repairRows(db, id)),
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

function headOf(tx: Tx, id: string): RunHead {
  const head = runHead(tx, id)
  if (head === null) throw new Error(`The run ${id} has no document`)
  return head
}

/** In the order in which the repairs were made. */
function repairRows(tx: Tx, workoutId: string): Row[] {
  const { track } = headOf(tx, workoutId).body
  if (!isJoined(track) && track.repairs.length === 0) return []
  return repairObjects(track, { workoutId, idOf: (id) => archivedId(tx, workoutId, id) })
}
