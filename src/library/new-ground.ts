import { gently } from '../base/pace.ts'
import type { Db } from '../db/open.ts'
import { preparedOnce } from '../db/prepared.ts'
import { inSlices } from '../db/transactions.ts'
import { createNewGround } from '../engine/ground/new-ground.ts'
import { MOST_RUNS, squareOfKey, squareRowId } from '../engine/ground/squares.ts'
import type { Deps } from './deps.ts'
import { type SquareNews, writeNewGround } from './ground.ts'
import { isUnderWay } from './receipts/record.ts'

type Needs = Pick<Deps, 'db' | 'log' | 'events'>

/**
 * Computes the new ground of the squares in which a run came or went, or counts or not since. Never fails. It does not
 * begin while an import is open, whose end calls it.
 */
export async function refreshNewGround({ db, log, events }: Needs, signal: AbortSignal): Promise<void> {
  let written = 0
  try {
    for (let dirty = someDirty(db); dirty.length > 0 && !signal.aborted && !isUnderWay(db); dirty = someDirty(db)) {
      const news: SquareNews[] = []
      for (const next of dirty) {
        if (signal.aborted || isUnderWay(db)) break
        news.push({ ...next, rows: await newsOf(db, next.square) })
      }
      await inSlices(db, news, (tx, square) => {
        if (writeNewGround(tx, square)) written += square.rows.length
      })
    }
  } catch (error) {
    log.error('New ground could not be computed', error)
  }
  if (written > 0) events.emit({ event: 'ground.updated', data: {} })
}

/** Squares that are computed before they are written, since each commit waits for the disk. */
const AT_ONCE = 64

interface Dirty {
  readonly square: number
  readonly marks: number
}

export function dirtySquares({ $client: client }: Db): number {
  return client.query<{ n: number }, []>('SELECT count(*) AS n FROM ground_dirty').get()!.n
}

function someDirty({ $client: client }: Db): Dirty[] {
  return client.query<Dirty, [number]>('SELECT square, marks FROM ground_dirty LIMIT ?').all(AT_ONCE)
}

interface Line {
  readonly id: number
  readonly line: Uint8Array
  readonly newM: number | null
  readonly leftOut: number
  readonly startedAt: number
  readonly workoutId: string
}

/** The rows of a square whose new ground differs from what is stored; a run that is left out has none. */
async function newsOf(db: Db, square: number): Promise<SquareNews['rows']> {
  const { x, y } = squareOfKey(square)
  const lines = linesOf(db).all(squareRowId({ x, y }, 0), squareRowId({ x, y }, MOST_RUNS))
  lines.sort((a, b) => a.startedAt - b.startedAt || (a.workoutId < b.workoutId ? -1 : 1))
  const ground = createNewGround(y)
  const news: { id: number; newM: number | null }[] = []
  for (const { id, line, newM: before, leftOut } of lines) {
    const newM = leftOut === 1 ? null : ground.add(line)
    if (newM !== before) news.push({ id, newM })
    await gently()
  }
  return news
}

const linesOf = preparedOnce((tx) =>
  tx.$client.prepare<Line, [number, number]>(
    `SELECT ground_square.id, line, new_m AS newM, left_out AS leftOut, workout.started_at AS startedAt,
       workout.id AS workoutId FROM ground_square JOIN ground USING (run) JOIN workout ON workout.id = workout_id
     WHERE ground_square.id > ? AND ground_square.id <= ?`,
  ),
)
