import { asc, eq } from 'drizzle-orm'
import type { Db, Tx } from '../../db/open.ts'
import { rowsBy } from '../../db/prepared.ts'
import { media, workoutSplits, workouts } from '../../db/schema.ts'
import { settings, shoes, users } from '../../db/schema-account.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { eachNumber } from '../../engine/numbers.ts'
import { roundHalfUp } from '../../engine/units.ts'
import { effortRecords } from '../../features/stats/best-efforts.ts'
import { type RunHead, runHead } from '../../library/documents/run.ts'
import { type RawLibrary, type TextPieces, workoutRawData } from '../../library/files/raw-data.ts'
import { shoeExists } from '../../library/ids.ts'
import { recordingsOf, workoutPositions, workoutTrack } from '../../library/recordings.ts'
import { NO_CHOICE } from '../../library/training/choices.ts'
import { memberTexts, objectText } from '../../workers/json-text.ts'
import { settingsObject, shoeObject } from '../format/account-rows.ts'
import { oneOf } from '../format/fields.ts'
import type { RunRow } from '../format/library-rows.ts'
import { effortObject, mediaObject, routeObject, splitObject } from '../format/part-rows.ts'
import { sampleTexts } from '../format/sample-rows.ts'

export interface Export extends RawLibrary {
  readonly db: Db
  /** Paths of the originals and media that are in the archive, by `run/recording` and `run/media`. */
  readonly files: Map<string, string>
  /** Number of rows that a run has in other data files. */
  readonly rows: Map<string, RunRow['rows']>
  readonly lost: Lost
}

/**
 * Ids of workouts whose original is missing, and whose stored raw data is damaged; of media whose file is missing; and
 * what of a damaged database cannot be read: data files, alone or of one workout.
 */
export type Lost = Readonly<Record<'originals' | 'rawData' | 'media' | 'unreadable', Set<string>>>

/** The rows of the data files that are about the whole library. */
export const LIBRARY_ROWS = {
  settings: ({ db }: Export) => {
    const user = db.select({ createdAt: users.createdAt }).from(users).get()
    return [settingsObject(db.select().from(settings).get(), user?.createdAt ?? 0)]
  },
  shoes: ({ db }: Export) => db.select().from(shoes).orderBy(asc(shoes.createdAt), asc(shoes.id)).all().map(shoeObject),
  bestEfforts: ({ db }: Export) => effortRecords(db).map(effortObject),
} as const

export const LISTED_ROWS = {
  workouts: async (library: Export, id: string) => ({
    n: 1,
    texts: [await workoutText(library, headOf(library.db, id))],
  }),
  routes: ({ db }: Export, id: string) => {
    const positions = workoutPositions(db, id)
    const row = positions && routeObject({ workoutId: id, routeId: headOf(db, id).body.routeId }, positions)
    return texts(row === null ? [] : [row])
  },
  splits: ({ db }: Export, id: string) => {
    const { workoutId, idx } = workoutSplits
    return texts(db.select().from(workoutSplits).where(eq(workoutId, id)).orderBy(asc(idx)).all().map(splitObject))
  },
  timeSeries: ({ db }: Export, id: string) => {
    const track = workoutTrack(db, id)
    return track === null ? texts([]) : { n: track.n, texts: sampleTexts(id, track) }
  },
  mediaMetadata: ({ db, files }: Export, id: string) =>
    texts(mediaOf(db, id).flatMap((row) => (files.has(`${id}/${row.id}`) ? [mediaObject(row)] : []))),
} as const

/** Rows as JSON texts; the text of one that may be long is in pieces, a text may be that of several. */
export interface RowTexts {
  readonly n: number
  readonly texts: Iterable<TextPieces>
}

export function texts(rows: readonly object[]): RowTexts {
  return { n: rows.length, texts: textsOf(rows) }
}

export function textsOf(rows: readonly object[]): TextPieces[] {
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

/** Values of `rawFileType`, which other programs restrict to these. */
const RAW_FILE_TYPES: readonly string[] = ['gpx', 'fit', 'tcx', 'csv']
const workoutBy = rowsBy(workouts, workouts.id)

/**
 * One row of `workouts.json` as JSON text. The raw data, which can be megabytes, is inserted as it is. Other programs
 * expect the pace in whole seconds.
 */
async function workoutText(library: Export, head: RunHead): Promise<TextPieces> {
  const { db, files, lost } = library
  const { body } = head
  const row = workoutBy(db).get({ is: head.id })!
  const first = recordingsOf(db, head.id).find(({ storedAs }) => storedAs !== null)
  const original = first !== undefined && files.has(`${head.id}/${first.id}`) ? first : null
  const { load = NO_CHOICE } = body.choices ?? {}
  const { id, hrZoneSeconds, rpe, runType, name, notes, source, device, utcOffsetMinutes, leftOut } = row
  const shoeId = row.shoeId !== null && shoeExists(db, row.shoeId) ? row.shoeId : null
  const about = {
    id,
    startedAt: isoTime(row.startedAt),
    createdAt: isoTime(row.createdAt),
    ...eachNumber((number) => row[number]),
    avgPaceS: roundHalfUp(row.avgPaceS),
    ...{ hrZoneSeconds, rpe, runType, name, notes, source, device, shoeId, utcOffsetMinutes, leftOut },
    ...(Bun.deepEquals(load, NO_CHOICE) ? {} : load),
    rawFileName: original?.fileName ?? null,
    rawFileType: oneOf(original?.fileType, RAW_FILE_TYPES),
    rawFileData: null,
  }
  const after = {
    weather: row.weather,
    ...{ shoe: null, route: null, splits: [], media: [], timeSeries: [] },
  }
  const rawData = await workoutRawData(library, id, () => lost.rawData.add(id))
  return [...objectText({ ...memberTexts(about), ...rawData, ...memberTexts(after) })]
}
