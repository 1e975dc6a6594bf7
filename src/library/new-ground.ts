import type { Db } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import { createNewGround } from '../engine/ground/new-ground.ts'
import { MOST_RUNS, squareOfKey, squareRowId } from '../engine/ground/squares.ts'
import { createPace, type Pace } from '../pace.ts'
import { writeSquareNews } from './derive.ts'

type Needs = Pick<Deps, 'db' | 'log' | 'events'>

/**
 * Computes the new ground of the squares in which a run came or went, or counts or not since. Never fails. It does not
 * begin while an import is open, whose end calls it.
 */
export async function refreshNewGround({ db, log, events }: Needs, signal: AbortSignal): Promise<void> {
  let written = 0
  const pace = createPace()
  try {
    for (let next = nextDirty(db); next !== null && !signal.aborted && !isImporting(db); next = nextDirty(db)) {
      const rows = await newsOf(db, next.square, pace)
      if (db.transaction((tx) => writeSquareNews(tx, { ...next, rows }))) written += rows.length
      if (pace.needsRest()) await pace.rest()
    }
  } catch (error) {
    log.error('New ground could not be computed', error)
  }
  if (written > 0) events.emit({ event: 'ground.updated', data: {} })
}

interface Dirty {
  readonly square: number
  readonly marks: number
}

/** Squares that are still to be computed. */
export function dirtySquares({ $client: client }: Db): number {
  return client.query<{ n: number }, []>('SELECT count(*) AS n FROM ground_dirty').get()!.n
}

function nextDirty({ $client: client }: Db): Dirty | null {
  return client.query<Dirty, []>('SELECT square, marks FROM ground_dirty LIMIT 1').get()
}

/** Whether the receipt of some import is still open. */
function isImporting({ $client: client }: Db): boolean {
  return client.query('SELECT 1 FROM receipt WHERE finished_at IS NULL LIMIT 1').get() !== null
}

interface Line {
  readonly id: number
  readonly line: Uint8Array
  readonly newM: number | null
  readonly leftOut: number
}

/** The rows of a square whose new ground differs from what is stored; a run that is left out has none. */
async function newsOf(
  { $client: client }: Db,
  square: number,
  pace: Pace,
): Promise<{ id: number; newM: number | null }[]> {
  const { x, y } = squareOfKey(square)
  const lines = client
    .query<Line, [number, number]>(
      `SELECT ground_square.id, line, new_m AS newM, left_out AS leftOut FROM ground_square
       JOIN ground USING (run) JOIN workout ON workout.id = workout_id
       WHERE ground_square.id BETWEEN ? AND ? ORDER BY workout.started_at, workout.id`,
    )
    .all(squareRowId({ x, y }, 0), squareRowId({ x, y }, MOST_RUNS))
  const ground = createNewGround(y)
  const news: { id: number; newM: number | null }[] = []
  for (const { id, line, newM: before, leftOut } of lines) {
    const newM = leftOut === 1 ? null : ground.add(line)
    if (newM !== before) news.push({ id, newM })
    if (pace.needsRest()) await pace.rest()
  }
  return news
}
