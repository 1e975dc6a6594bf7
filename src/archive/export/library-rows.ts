import { asc, eq } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { users } from '../../db/schema-account.ts'
import { observations } from '../../db/schema-documents.ts'
import { bodyOf, TABLES } from '../../library/documents/rows.ts'
import { type RawData, recordingRawTexts, wholeText } from '../../library/files/raw-data.ts'
import { recordingsOf, samplesOf } from '../../library/recordings.ts'
import { derivedIds } from '../format/fields.ts'
import {
  LIBRARY_FORMAT,
  type LibraryRecording,
  type LibraryRow,
  packedText,
  type RunRow,
  type TableKind,
} from '../format/library-rows.ts'
import { type Export, headOf, LISTED_ROWS, mediaOf, texts } from './rows.ts'

export const FORMAT_ROW = { kind: 'library', format: LIBRARY_FORMAT }

export function tableRows(db: Tx, kind: TableKind): LibraryRow[] {
  const table = TABLES[kind]
  const rows = db.select().from(table).orderBy(asc(table.id)).all()
  return rows.map((to) => ({ kind, to }) as LibraryRow)
}

/** Settings that belong to a service, not to a runner. */
const OF_SERVICE: readonly string[] = ['mapTiles', 'weatherLookups', 'zonesVersion']

/** The settings that are stored, with what `settings.json` gives those that were never stored. */
export function settingsRow(db: Tx): LibraryRow {
  const sinceMs = db.select({ createdAt: users.createdAt }).from(users).get()?.createdAt ?? 0
  const first = { archiveId: derivedIds('', 'settings')(0), createdAt: sinceMs, updatedAt: sinceMs }
  const all = Object.entries({ ...first, ...bodyOf(db, 'settings', '') })
  const to = Object.fromEntries(all.filter(([name, value]) => value !== null && !OF_SERVICE.includes(name)))
  return { kind: 'settings', to }
}

const FIRST = `SELECT workout.id FROM naming JOIN workout ON workout.id = run_id
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
