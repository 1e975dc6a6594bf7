import { paced } from '../../base/pace.ts'
import { openScratch, type Scratch } from '../../db/open.ts'
import type { DepsBy } from '../../library/deps.ts'
import { workoutExists } from '../../library/ids.ts'
import type { OpenReceipt } from '../../library/receipts/record.ts'
import type { ZipEntry } from '../../zip/reader.ts'
import { dataRows, type OpenArchive } from '../format/data-rows.ts'
import { uuidOf } from '../format/fields.ts'
import { readMedia, readRoute, readSample, readSplit } from '../format/run-rows.ts'
import type { RestoreReport } from './report.ts'

export interface RestoreWork {
  readonly deps: DepsBy
  readonly archive: OpenArchive
  readonly parts: Parts
  readonly report: RestoreReport
  readonly receipt: OpenReceipt | null
  /** Archive shoes that an existing one replaces. */
  readonly standIns: Map<string, string>
  /** Ids of runs that were stored before. */
  readonly stored: Set<string>
  /** Ids of runs that came of `library.json`. */
  readonly whole: Set<string>
  /** Paths of the unpacked originals of the run that is being restored. */
  readonly originals: string[]
}

/** Rows by which a part of a workout is read; of an entry its place in the archive's table of contents. */
interface PartRows {
  readonly routes: NonNullable<ReturnType<typeof readRoute>>
  readonly splits: NonNullable<ReturnType<typeof readSplit>>
  readonly timeSeries: NonNullable<ReturnType<typeof readSample>>
  readonly media: NonNullable<ReturnType<typeof readMedia>>
  readonly rawFiles: EntryRow
  readonly mediaFiles: EntryRow
}

interface EntryRow {
  readonly workoutId: string
  /** Id of the media; '' for an original. */
  readonly id: string
  readonly place: number
}

type PartKind = keyof PartRows

/**
 * Holds on disk what must be known of an archive before its workouts are read: its samples are gigabytes in a file of
 * their own, which need not be in the order of the workouts.
 */
export class Parts {
  private readonly scratch: Scratch
  private isIndexed = false

  /** @param path of a file that does not exist yet */
  constructor(path: string) {
    this.scratch = openScratch(path)
    try {
      // never committed, since the file is deleted afterwards
      this.scratch.client.run('BEGIN')
      this.scratch.client.run('CREATE TABLE part (workout_id TEXT, kind TEXT, count INTEGER, body BLOB)')
      this.scratch.client.run('CREATE TABLE workout (id TEXT PRIMARY KEY, stored_id TEXT) WITHOUT ROWID')
    } catch (error) {
      this.scratch.close()
      throw error
    }
  }

  add(kind: PartKind, workoutId: string, rows: readonly unknown[]): void {
    const body = Bun.zstdCompressSync(JSON.stringify(rows), { level: 1 })
    this.scratch.client.query('INSERT INTO part VALUES (?, ?, ?, ?)').run(workoutId, kind, rows.length, body)
  }

  *rows<K extends PartKind>(kind: K, workoutId: string): Generator<PartRows[K]> {
    if (!this.isIndexed) this.scratch.client.run('CREATE INDEX part_workout ON part (workout_id, kind)')
    this.isIndexed = true
    const bodies = this.scratch.client.query<{ body: Uint8Array }, [string, string]>(
      'SELECT body FROM part WHERE workout_id = ? AND kind = ? ORDER BY rowid',
    )
    for (const { body } of bodies.iterate(workoutId, kind)) {
      yield* JSON.parse(new TextDecoder().decode(Bun.zstdDecompressSync(body))) as PartRows[K][]
    }
  }

  count(kind: PartKind, workoutId: string): number {
    const counted = this.scratch.client.query<{ n: number | null }, [string, string]>(
      'SELECT sum(count) AS n FROM part WHERE workout_id = ? AND kind = ?',
    )
    return counted.get(workoutId, kind)?.n ?? 0
  }

  /** Number of rows of workouts that `addWorkout` never named. */
  orphans(): Readonly<Partial<Record<PartKind, number>>> {
    const counted = this.scratch.client.query<{ kind: string; n: number }, []>(
      'SELECT kind, sum(count) AS n FROM part WHERE workout_id NOT IN (SELECT id FROM workout) GROUP BY kind',
    )
    return Object.fromEntries(counted.all().map(({ kind, n }) => [kind, n]))
  }

  /**
   * @param storedId of the stored workout for this row: itself, or the same run under another id; null: the row is
   * invalid
   */
  addWorkout(id: string, storedId: string | null): void {
    const insert = storedId === null ? 'INSERT OR IGNORE' : 'INSERT OR REPLACE'
    this.scratch.client.query(`${insert} INTO workout VALUES (?, ?)`).run(id, storedId)
  }

  storedId(id: string): string | null {
    const stored = this.scratch.client.query<{ id: string | null }, [string]>(
      'SELECT stored_id AS id FROM workout WHERE id = ?',
    )
    return stored.get(id)?.id ?? null
  }

  close(): void {
    this.scratch.close()
  }
}

/** Writes the parts of workouts to disk, by workout, and counts them. @throws BadDataFile */
export async function spoolParts(work: RestoreWork): Promise<void> {
  const { archive, report } = work
  for (const [kind, file, read] of [
    ['timeSeries', 'timeSeries', readSample],
    ['splits', 'splits', readSplit],
    ['media', 'mediaMetadata', readMedia],
    ['routes', 'routes', readRoute],
  ] as const) {
    for await (const rows of paced(dataRows(archive, file, report.warn))) {
      work.deps.events.closed.throwIfAborted()
      const known = rows.flatMap((value) => {
        const row = read(value)
        return row === null || row.workoutId === null ? [] : [{ ...row, workoutId: row.workoutId }]
      })
      spool(work, kind, known)
      const count = rows.length - known.length
      report.read(kind, count)
      if (count > 0) report.failed(kind, `Rows of ${file} without a workout`, { count })
    }
  }
  for (const kind of ['rawFiles', 'mediaFiles'] as const) spool(work, kind, entryRows(archive.zip.entries(), kind))
}

function spool(work: RestoreWork, kind: PartKind, rows: readonly { readonly workoutId: string }[]): void {
  const { parts, report } = work
  for (const [workoutId, ofWorkout] of Map.groupBy(rows, (row) => row.workoutId)) {
    // it came of library.json, which counted its parts
    if (parts.storedId(workoutId) !== null) continue
    if (kind !== 'mediaFiles') report.read(kind, ofWorkout.length)
    // nothing of it is read again
    if (isStored(work, workoutId)) continue
    parts.add(kind, workoutId, ofWorkout)
  }
}

/** Whether a run was here when its parts were to be kept, of which none are: deleted meanwhile, it is still skipped. */
function isStored({ deps, stored }: RestoreWork, id: string): boolean {
  if (!stored.has(id) && workoutExists(deps.db, id)) stored.add(id)
  return stored.has(id)
}

const PLACES = {
  rawFiles: /^workouts\/([^/]+)\/raw\/[^/]+$/i,
  mediaFiles: /^workouts\/([^/]+)\/media\/([^/]+)\/[^/]+$/i,
} as const

/** The entries of workouts by their paths; nothing else follows from names. */
function entryRows(entries: readonly ZipEntry[], kind: keyof typeof PLACES): EntryRow[] {
  return entries.flatMap(({ name, isFolder, index: place }) => {
    const found = isFolder ? null : PLACES[kind].exec(name)
    const workoutId = uuidOf(found?.[1])
    const id = kind === 'rawFiles' ? '' : uuidOf(found?.[2])
    return workoutId === null || id === null ? [] : [{ workoutId, id, place }]
  })
}
