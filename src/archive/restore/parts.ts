import { openScratch, type Scratch } from '../../db/scratch.ts'

/** Parts of workouts that stand in files of their own. */
export type PartKind = 'routes' | 'splits' | 'timeSeries' | 'media'

/** How many rows a workout has in each file. */
export type PartCounts = Readonly<Record<PartKind, number>>

/** Some rows of one workout, in a form of their kind. */
export interface PartRows {
  readonly count: number
  readonly body: Uint8Array
}

const KINDS: readonly PartKind[] = ['routes', 'splits', 'timeSeries', 'media']

/**
 * What has to be known of an archive before its workouts are read, on the disk: an archive has gigabytes of samples in a
 * file of their own, and nothing says that they stand in the order of the workouts.
 */
export class Parts {
  private readonly scratch: Scratch
  private isIndexed = false

  /** @param path of a file that does not exist */
  constructor(path: string) {
    this.scratch = openScratch(path)
    try {
      createTables(this.scratch)
    } catch (error) {
      this.scratch.close()
      throw error
    }
  }

  add(kind: PartKind, workoutId: string, { count, body }: PartRows): void {
    this.scratch.client
      .query('INSERT INTO part (workout_id, kind, count, body) VALUES (?, ?, ?, ?)')
      .run(workoutId, KINDS.indexOf(kind), count, body)
  }

  /** In the order in which they were added. */
  *of(kind: PartKind, workoutId: string): Generator<PartRows> {
    this.index()
    yield* this.scratch.client
      .query<PartRows, [string, number]>(
        'SELECT count, body FROM part WHERE workout_id = ? AND kind = ? ORDER BY rowid',
      )
      .iterate(workoutId, KINDS.indexOf(kind))
  }

  counts(workoutId: string): PartCounts {
    this.index()
    const rows = this.scratch.client
      .query<{ kind: number; n: number }, [string]>(
        'SELECT kind, sum(count) AS n FROM part WHERE workout_id = ? GROUP BY kind',
      )
      .all(workoutId)
    return countsOf(rows)
  }

  /** Rows of workouts that `addWorkout` never named. */
  orphans(): PartCounts {
    this.index()
    const rows = this.scratch.client
      .query<{ kind: number; n: number }, []>(
        'SELECT kind, sum(count) AS n FROM part WHERE workout_id NOT IN (SELECT id FROM workout) GROUP BY kind',
      )
      .all()
    return countsOf(rows)
  }

  /** The samples of the workout say where they were, so that its route is no news. */
  markPositioned(workoutId: string): void {
    this.scratch.client.query('INSERT OR IGNORE INTO positioned VALUES (?)').run(workoutId)
  }

  isPositioned(workoutId: string): boolean {
    return this.scratch.client.query('SELECT 1 FROM positioned WHERE workout_id = ?').get(workoutId) !== null
  }

  /** @param storedId of the workout that stands for it: itself, or the same run under another id */
  addWorkout(id: string, storedId = id): void {
    this.scratch.client.query('INSERT OR REPLACE INTO workout VALUES (?, ?)').run(id, storedId)
  }

  storedId(id: string): string | null {
    const row = this.scratch.client
      .query<{ stored_id: string }, [string]>('SELECT stored_id FROM workout WHERE id = ?')
      .get(id)
    return row?.stored_id ?? null
  }

  addShoe(id: string): void {
    this.scratch.client.query('INSERT OR IGNORE INTO shoe VALUES (?)').run(id)
  }

  hasShoe(id: string): boolean {
    return this.scratch.client.query('SELECT 1 FROM shoe WHERE id = ?').get(id) !== null
  }

  /** @param mediaId '' for an original */
  addEntry(workoutId: string, mediaId: string, name: number): void {
    this.scratch.client.query('INSERT OR IGNORE INTO entry VALUES (?, ?, ?)').run(workoutId, mediaId, name)
  }

  /** Places in the archive's table of contents. */
  entries(workoutId: string, mediaId: string): number[] {
    return this.scratch.client
      .query<{ place: number }, [string, string]>(
        'SELECT place FROM entry WHERE workout_id = ? AND media_id = ? ORDER BY place',
      )
      .all(workoutId, mediaId)
      .map(({ place }) => place)
  }

  close(): void {
    this.scratch.close()
  }

  /** Made when the parts are there, which is faster than keeping it with each. */
  private index(): void {
    if (this.isIndexed) return
    this.scratch.client.run('CREATE INDEX part_workout ON part (workout_id, kind)')
    this.isIndexed = true
  }
}

function createTables({ client }: Scratch): void {
  client.run('BEGIN')
  client.run('CREATE TABLE part (workout_id TEXT, kind INTEGER, count INTEGER, body BLOB)')
  client.run('CREATE TABLE positioned (workout_id TEXT PRIMARY KEY) WITHOUT ROWID')
  client.run('CREATE TABLE workout (id TEXT PRIMARY KEY, stored_id TEXT) WITHOUT ROWID')
  client.run('CREATE TABLE shoe (id TEXT PRIMARY KEY) WITHOUT ROWID')
  client.run(
    'CREATE TABLE entry (workout_id TEXT, media_id TEXT, place INTEGER, PRIMARY KEY (workout_id, media_id, place)) WITHOUT ROWID',
  )
}

function countsOf(rows: readonly { readonly kind: number; readonly n: number }[]): PartCounts {
  const count = (kind: PartKind) => rows.find((row) => KINDS[row.kind] === kind)?.n ?? 0
  return { routes: count('routes'), splits: count('splits'), timeSeries: count('timeSeries'), media: count('media') }
}
