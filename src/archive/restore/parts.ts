import { openScratch, type Scratch } from '../../db/open.ts'
import type { Row } from '../format/fields.ts'

/** Parts of workouts that have data files of their own. */
export type PartKind = 'routes' | 'splits' | 'timeSeries' | 'media'

/** Number of rows of a workout in each file. */
export type PartCounts = Readonly<Record<PartKind | 'rawFiles', number>>

/** Some rows of one workout, in a form that depends on their kind. */
interface PartRows {
  readonly count: number
  readonly body: Uint8Array
}

/** What an entry of an archive belongs to. */
export interface Owner {
  readonly workoutId: string
  /** `raw`: the original of the workout. */
  readonly kind: 'raw' | 'media'
  /** Id of the media; '' for `raw`. */
  readonly id: string
}

/**
 * `known`: the workout was already stored when its parts were read, so that they were skipped; `positioned`: its samples
 * have positions, so that its route is not needed; `shoe`: one of the archive; `created`: a workout that came with all that
 * the archive says of it.
 */
type Mark = 'known' | 'positioned' | 'shoe' | 'created'

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
      for (const table of TABLES) this.scratch.client.run(table)
    } catch (error) {
      this.scratch.close()
      throw error
    }
  }

  add(kind: PartKind, workoutId: string, { count, body }: PartRows): void {
    this.scratch.client.query('INSERT INTO part VALUES (?, ?, ?, ?)').run(workoutId, kind, count, body)
  }

  /** In the order in which they were added. */
  *of(kind: PartKind, workoutId: string): Generator<PartRows> {
    this.index()
    yield* this.scratch.client
      .query<PartRows, [string, string]>(
        'SELECT count, body FROM part WHERE workout_id = ? AND kind = ? ORDER BY rowid',
      )
      .iterate(workoutId, kind)
  }

  /** The rows of one workout that were added as JSON. */
  *rows(kind: PartKind, workoutId: string): Generator<Row> {
    const decoder = new TextDecoder()
    for (const { body } of this.of(kind, workoutId)) yield* JSON.parse(decoder.decode(body)) as Row[]
  }

  counts(workoutId: string): PartCounts {
    return this.countsWhere('workout_id = ?', [workoutId])
  }

  /** Counts for workouts that `addWorkout` never named. */
  orphans(): PartCounts {
    return this.countsWhere('workout_id NOT IN (SELECT id FROM workout)', [])
  }

  /** Counts for workouts that were named but could not be read. */
  unread(): PartCounts {
    return this.countsWhere('workout_id IN (SELECT id FROM workout WHERE stored_id IS NULL)', [])
  }

  mark(mark: Mark, id: string): void {
    this.scratch.client.query('INSERT OR IGNORE INTO mark VALUES (?, ?)').run(mark, id)
  }

  isMarked(mark: Mark, id: string): boolean {
    return this.scratch.client.query('SELECT 1 FROM mark WHERE mark = ? AND id = ?').get(mark, id) !== null
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

  addEntry({ workoutId, kind, id }: Owner, place: number): void {
    this.scratch.client.query('INSERT INTO entry VALUES (?, ?, ?, ?)').run(workoutId, kind, id, place)
  }

  /** Indexes in the archive's table of contents. */
  entries({ workoutId, kind, id }: Owner): number[] {
    const places = this.scratch.client.query<{ place: number }, [string, string, string]>(
      'SELECT place FROM entry WHERE workout_id = ? AND kind = ? AND id = ? ORDER BY place',
    )
    return places.all(workoutId, kind, id).map(({ place }) => place)
  }

  close(): void {
    this.scratch.close()
  }

  private countsWhere(condition: string, values: string[]): PartCounts {
    this.index()
    const counted = this.scratch.client.query<{ kind: string; n: number }, string[]>(
      `SELECT kind, sum(count) AS n FROM part WHERE ${condition} GROUP BY kind
       UNION ALL SELECT 'rawFiles', count(*) FROM entry WHERE kind <> 'media' AND ${condition}`,
    )
    const rows = counted.all(...values, ...values).map(({ kind, n }) => [kind, n] as const)
    return { routes: 0, splits: 0, timeSeries: 0, media: 0, rawFiles: 0, ...Object.fromEntries(rows) }
  }

  /** Builds the index after all parts were added, which is faster than updating it with each. */
  private index(): void {
    if (this.isIndexed) return
    this.scratch.client.run('CREATE INDEX part_workout ON part (workout_id, kind)')
    this.isIndexed = true
  }
}

const TABLES = [
  'CREATE TABLE part (workout_id TEXT, kind TEXT, count INTEGER, body BLOB)',
  'CREATE TABLE mark (mark TEXT, id TEXT, PRIMARY KEY (mark, id)) WITHOUT ROWID',
  'CREATE TABLE workout (id TEXT PRIMARY KEY, stored_id TEXT) WITHOUT ROWID',
  `CREATE TABLE entry (
    workout_id TEXT, kind TEXT, id TEXT, place INTEGER, PRIMARY KEY (workout_id, kind, id, place)
  ) WITHOUT ROWID`,
] as const
