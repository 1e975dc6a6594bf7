// The library that the process dies over, and what has to be true of a data folder however it died.
import { expect } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { closeSnapshot, openSnapshot, type Snapshot } from '../../src/db/open.ts'
import { stravaCsv } from '../fixtures/csv.ts'
import { jpeg } from '../fixtures/media.ts'
import { fitRun, gpxRun, START_MS } from '../fixtures/runs.ts'
import { buildZip } from '../fixtures/zip-builder.ts'

const DAY_MS = 86_400_000
/** Every how many runs one has photos, and one is a GPX. */
const PHOTOS_EVERY = 4
const GPX_EVERY = 3

export interface MadeLibrary {
  /** The export of Strava. */
  readonly zip: Uint8Array
  readonly runs: number
  readonly photos: number
  /** By the name that the archive gives them. */
  readonly files: ReadonlyMap<string, Uint8Array>
}

/** Runs of one to four minutes, a day apart, with photos. */
export function madeLibrary(runs: number): MadeLibrary {
  const files = new Map<string, Uint8Array>()
  const entries: { name: string; data: Uint8Array; method: number }[] = []
  const rows = Array.from({ length: runs }, (_, day) => {
    const made = { startMs: START_MS - day * DAY_MS, seconds: 60 + (day % 4) * 60, speedMps: 2.5 + (day % 7) / 10 }
    const name = day % GPX_EVERY === 0 ? `${day}.gpx` : `${day}.fit`
    files.set(name, day % GPX_EVERY === 0 ? gpxRun(made) : fitRun(made))
    const photos = day % PHOTOS_EVERY === 0 ? [`${day}-start.jpg`, `${day}-finish.jpg`] : []
    for (const [index, photo] of photos.entries()) files.set(photo, jpeg(15_000 + day * 100 + index))
    return {
      'Activity ID': day,
      'Activity Date': 'Nov 1, 2025, 7:00:00 AM',
      'Activity Type': 'Run',
      'Activity Name': `Run ${day}`,
      Filename: `activities/${name}`,
      Media: photos.map((photo) => `media/${photo}`).join('|'),
    }
  })
  for (const [name, data] of files) {
    const isPhoto = name.endsWith('.jpg')
    entries.push({ name: `${isPhoto ? 'media' : 'activities'}/${name}`, data, method: isPhoto ? 0 : 8 })
  }
  entries.push({ name: 'activities.csv', data: stravaCsv(rows), method: 8 })
  return { zip: buildZip(entries), runs, files, photos: 2 * Math.ceil(runs / PHOTOS_EVERY) }
}

interface WorkoutRow {
  readonly id: string
  readonly name: string
  readonly splits_count: number
}

interface RecordingRow {
  readonly id: string
  readonly stored_as: string | null
  readonly file_name: string | null
  readonly file_sha256: string | null
  readonly has_raw: number
  readonly raw_view: string | null
}

interface MediaRow {
  readonly id: string
  readonly filename: string
  readonly file_size_bytes: number
}

/** Whatever a row says is there, is there and whole. @returns how many workouts and photos there are */
export function expectWhole(dataDir: string, { files }: MadeLibrary): { runs: number; photos: number } {
  const db = openSnapshot(join(dataDir, 'harrier.sqlite'))
  try {
    expect(all(db, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
    expect(all(db, 'PRAGMA foreign_key_check')).toEqual([])
    const workouts = all<WorkoutRow>(db, 'SELECT * FROM workout')
    for (const workout of workouts) expectWholeRun(db, dataDir, { workout, files })
    const starts = all(db, 'SELECT started_at FROM workout GROUP BY started_at HAVING count(*) > 1')
    expect(starts, 'runs stored twice').toEqual([])
    const media = all<MediaRow>(db, 'SELECT * FROM media')
    for (const { id, filename, file_size_bytes: size } of media) {
      const bytes = readFileSync(join(dataDir, 'files/media', id))
      expect(bytes.length, filename).toBe(size)
      expect(bytes.equals(files.get(filename)!), filename).toBe(true)
    }
    expect(new Set(media.map(({ filename }) => filename)).size, 'photos stored twice').toBe(media.length)
    return { runs: workouts.length, photos: media.length }
  } finally {
    closeSnapshot(db)
  }
}

function expectWholeRun(
  db: Snapshot,
  dataDir: string,
  { workout, files }: { workout: WorkoutRow; files: MadeLibrary['files'] },
): void {
  const { id, name } = workout
  const count = (table: string) =>
    all<{ n: number }>(db, `SELECT count(*) AS n FROM ${table} WHERE workout_id = '${id}'`)[0]?.n
  const named = `(SELECT run_id AS workout_id, recording_id FROM naming WHERE live = 1)`
  expect([name, count(`samples JOIN ${named} USING (recording_id)`), count('workout_route')]).toEqual([name, 1, 1])
  expect([name, count('workout_split')]).toEqual([name, workout.splits_count])
  const recordings = all<RecordingRow>(
    db,
    `SELECT recording.* FROM recording JOIN naming ON recording_id = id AND live = 1
      WHERE run_id = '${id}' ORDER BY place`,
  )
  // the file first; a row of the table that names it has none of its own
  const [file] = recordings
  const stored = recordings.flatMap(({ stored_as: storedAs }) => storedAs ?? [])
  expect([name, ...stored]).toEqual([name, file?.id ?? 'no file'])
  const raw = readFileSync(join(dataDir, 'files/raw', file?.id ?? ''))
  expect(raw.equals(files.get(file?.file_name ?? '')!), name).toBe(true)
  expect(new Bun.CryptoHasher('sha256').update(raw).digest('hex')).toBe(file?.file_sha256 ?? '')
  expect([file?.has_raw, JSON.parse(file?.raw_view ?? 'null')]).toEqual([
    0,
    expect.objectContaining({ importedAtMs: expect.any(Number) }),
  ])
}

/** Files that no row names, and temporary ones. */
export function leftovers(dataDir: string): string[] {
  const db = openSnapshot(join(dataDir, 'harrier.sqlite'))
  try {
    const raw = all<{ name: string }>(db, 'SELECT stored_as AS name FROM recording WHERE stored_as IS NOT NULL').map(
      ({ name }) => name,
    )
    const data = all<{ id: string }>(db, 'SELECT id FROM recording WHERE has_raw').map(({ id }) => `${id}.json.zst`)
    const media = all<{ id: string }>(
      db,
      "SELECT id FROM media UNION SELECT document_id FROM former WHERE kind = 'media'",
    ).map(({ id }) => id)
    const known = new Set([...raw, ...data, ...media])
    const files = [...namesIn(join(dataDir, 'files/raw')), ...namesIn(join(dataDir, 'files/media'))]
    return [...files.filter((name) => !known.has(name)), ...namesIn(join(dataDir, 'tmp'))]
  } finally {
    closeSnapshot(db)
  }
}

/** How many files of runs and photos are in their places. */
export function placedFiles(dataDir: string): number {
  return namesIn(join(dataDir, 'files/raw')).length + namesIn(join(dataDir, 'files/media')).length
}

export function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}

/** In an order that does not depend on ids. */
const TABLES = {
  workout: 'started_at',
  document: '(SELECT started_at FROM workout WHERE workout.id = document.id)',
  recording: 'started_at, (SELECT place FROM naming WHERE recording_id = id)',
  samples: '(SELECT started_at FROM recording WHERE id = recording_id)',
  workout_split: '(SELECT started_at FROM workout WHERE id = workout_id), idx',
  workout_best_effort: '(SELECT started_at FROM workout WHERE id = workout_id), distance_index',
  archived_best_effort: '(SELECT started_at FROM workout WHERE id = workout_id), distance_index',
  effort_word: '(SELECT started_at FROM workout WHERE id = workout_id), distance_index',
  workout_route: '(SELECT started_at FROM workout WHERE id = workout_id)',
  media: 'filename',
  shoe: 'id',
  settings: 'id',
} as const
/** What two imports of the same files differ in: ids and the moment of the import. */
const OF_THE_MOMENT = ['id', 'workout_id', 'route_id', 'created_at', 'updated_at', 'calculated_at', 'archive_id']
const OF_RECORDINGS = ['recording_id', 'stored_as', 'added_at', 'body']
/** Each import has its own receipt, and a run to which a second one brings its photos has changed. */
const OF_THE_IMPORT = ['receipt_id', 'seq', 'revision', 'gone']
/** Of these an archive has the records only; the others are computed when it is restored. */
const MADE_ANEW: Readonly<Record<string, readonly string[]>> = {
  workout_best_effort: ['id', 'calculated_at'],
}

/**
 * Every row of the library, field by field, in an order of its own.
 * @param isRestored ids and times are the archive's and count as well
 */
export function libraryRows(dataDir: string, isRestored: boolean): Record<string, unknown[]> {
  const db = openSnapshot(join(dataDir, 'harrier.sqlite'))
  try {
    return Object.fromEntries(
      Object.entries(TABLES).map(([table, order]) => {
        const rows = all<Record<string, unknown>>(db, `SELECT * FROM ${table} ORDER BY ${order}`)
        return [
          table,
          rows.map((row) =>
            comparable(row, [
              ...OF_THE_IMPORT,
              ...(isRestored ? (MADE_ANEW[table] ?? []) : [...OF_THE_MOMENT, ...OF_RECORDINGS]),
            ]),
          ),
        ]
      }),
    )
  } finally {
    closeSnapshot(db)
  }
}

function comparable(row: Record<string, unknown>, without: readonly string[]): Record<string, unknown> {
  // the time of the import is in the view of the raw data as well
  const view =
    without.includes('raw_view') || typeof row.raw_view !== 'string' ? {} : { raw_view: withoutTime(row.raw_view) }
  const asked = typeof row.asked !== 'string' ? {} : { asked: withoutTimes(row.asked) }
  const kept = Object.entries({ ...row, ...view, ...asked }).filter(([key]) => !without.includes(key))
  return Object.fromEntries(
    kept.map(([key, value]) => [key, value instanceof Uint8Array ? Bun.hash(value).toString(36) : value]),
  )
}

function withoutTime(view: string): unknown {
  const { importedAtMs: _, ...rest } = JSON.parse(view)
  return rest
}

/** Efforts that an archive does not list are computed when it is restored. */
function withoutTimes(asked: string): unknown {
  const { effortTimes: _, ...rest } = JSON.parse(asked)
  return rest
}

function all<Row>(db: Snapshot, sql: string): Row[] {
  return db.$client.query<Row, []>(sql).all()
}
