import { asc, eq } from 'drizzle-orm'
import type { Db, Tx } from '../../db/open.ts'
import { rowsBy } from '../../db/prepared.ts'
import { media, workoutSplits, workouts } from '../../db/schema.ts'
import { settings, shoes, users } from '../../db/schema-account.ts'
import { observations } from '../../db/schema-documents.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { eachNumber } from '../../engine/numbers.ts'
import { roundHalfUp } from '../../engine/units.ts'
import { measuredRecords } from '../../features/stats/best-efforts.ts'
import { bodyOf, OF_SERVICE, TABLES } from '../../library/documents/rows.ts'
import { type RunHead, runHead } from '../../library/documents/run.ts'
import {
  type RawData,
  type RawLibrary,
  recordingRawTexts,
  type TextPieces,
  wholeText,
  workoutRawData,
} from '../../library/files/raw-data.ts'
import { shoeExists } from '../../library/ids.ts'
import { recordingsOf, samplesOf, workoutPositions, workoutTrack } from '../../library/recordings.ts'
import { NO_CHOICE } from '../../library/training/choices.ts'
import { memberTexts, objectText } from '../../workers/json-text.ts'
import { settingsObject, shoeObject } from '../format/account-rows.ts'
import { derivedIds, oneOf } from '../format/fields.ts'
import {
  LIBRARY_FORMAT,
  type LibraryRecording,
  type LibraryRow,
  packedText,
  type RunRow,
  type TableKind,
} from '../format/library-rows.ts'
import { effortObject, mediaObject, routeObject, sampleTexts, splitObject } from '../format/run-rows.ts'

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
  bestEfforts: ({ db }: Export) => measuredRecords(db).map(effortObject),
} as const

const LISTED_ROWS = {
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
interface RowTexts {
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

export const FORMAT_ROW = { kind: 'library', format: LIBRARY_FORMAT }

export function tableRows(db: Tx, kind: TableKind): LibraryRow[] {
  const table = TABLES[kind]
  const rows = db.select().from(table).orderBy(asc(table.id)).all()
  return rows.map((to) => ({ kind, to }) as LibraryRow)
}

/** The settings that are stored, with what `settings.json` gives those that were never stored. */
export function settingsRow(db: Tx): LibraryRow {
  const sinceMs = db.select({ createdAt: users.createdAt }).from(users).get()?.createdAt ?? 0
  const first = { archiveId: derivedIds('', 'settings')(0), createdAt: sinceMs, updatedAt: sinceMs }
  const all = Object.entries({ ...first, ...bodyOf(db, 'settings', '') })
  const to = Object.fromEntries(all.filter(([name, value]) => value !== null && !OF_SERVICE.includes(name)))
  return { kind: 'settings', to }
}

const FIRST = `SELECT workout.id FROM run_recording JOIN workout ON workout.id = run_id
  WHERE recording_id = ? AND live = 1 ORDER BY started_at, workout.id LIMIT 1`
const EXTENT =
  'SELECT started_at AS startedAtMs, distance_m AS distanceM, duration_s AS durationS FROM workout WHERE id = ?'

async function runRow(library: Export, id: string): Promise<RunRow> {
  const { db, files, lost } = library
  const rows = library.rows.get(id) ?? NO_ROWS
  const { body: to, asked } = headOf(db, id)
  const recordings: LibraryRecording[] = []
  for (const { receiptId: _, storedAs, ...row } of recordingsOf(db, id)) {
    const isShared = db.$client.query<{ id: string }, [string]>(FIRST).get(row.id)?.id !== id
    const stored = samplesOf(db, row.id)
    const isOwn = row.hasRaw && !isShared
    const ofRun = { whenDamaged: () => lost.rawData.add(id) }
    const texts = isOwn ? await recordingRawTexts(library, { ...row, storedAs }, ofRun) : {}
    const raw = Object.entries(texts).map(([name, text]) => [name, JSON.parse(wholeText(text))])
    const rawData = raw.length === 0 ? null : { ...NO_RAW, ...Object.fromEntries(raw) }
    const file = files.get(`${id}/${row.id}`) ?? null
    recordings.push({ ...row, file, isShared, rawData, samples: stored && packedText(stored) })
  }
  const photos = mediaOf(db, id).flatMap((row) => {
    const file = files.get(`${id}/${row.id}`)
    return file === undefined ? [] : [{ ...row, file }]
  })
  const weather = db
    .select({ hour: observations.hour, weather: observations.weather })
    .from(observations)
    .where(eq(observations.runId, id))
    .orderBy(asc(observations.hour))
    .all()
  const extent = db.$client.query<RunRow['extent'], [string]>(EXTENT).get(id)!
  return { kind: 'run', id, to, asked, extent, recordings, media: photos, weather, rows }
}

export const NO_ROWS: RunRow['rows'] = { routes: 0, splits: 0, timeSeries: 0 }
const NO_RAW: RawData = { rawGpxData: null, rawFitData: null, rawStravaData: null }

/** The rows that one run has in each data file, and its row of `library.json`. */
export const RUN_ROWS = {
  ...LISTED_ROWS,
  library: async (library: Export, id: string) => texts([await runRow(library, id)]),
} as const
