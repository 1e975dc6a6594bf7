import { eq } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { insertRow, preparedOnce, updateRows } from '../db/prepared.ts'
import { groundSquares, grounds } from '../db/schema-ground.ts'
import type { Ground } from '../engine/ground/ground.ts'
import { MOST_RUNS, squareKey, squareRowId } from '../engine/ground/squares.ts'

// Where runs went, as rows.

interface Routed {
  readonly id: string
  readonly startedAt: number
}

/**
 * Writes the ground of a run with a route where it differs.
 * @param ground null: it has no positions
 * @returns number of rows that were written
 */
export function writeGround(tx: Tx, { id: workoutId, startedAt }: Routed, ground: Ground | null): number {
  const { startLat = null, startLon = null, lengthM = 0, squares = [] } = ground ?? {}
  const row = { workoutId, startedAt, startLat, startLon, lengthM }
  const sorted = squares.toSorted((a, b) => squareKey(a) - squareKey(b))
  const { run: stored, ...before } = rowOf(tx).get(workoutId) ?? { run: null }
  if (stored !== null) {
    const lines = sorted.map((square) => [squareRowId(square, stored), square.enteredS, square.line])
    if (Bun.deepEquals(before, row) && Bun.deepEquals(squaresOf(tx).values(stored), lines)) return 0
    tx.delete(grounds).where(eq(grounds.run, stored)).run()
  }
  const run = stored ?? freeNumber(tx)
  insertRow(tx, grounds, { run, ...row })
  for (const square of sorted) {
    const { enteredS, line } = square
    insertRow(tx, groundSquares, { id: squareRowId(square, run), run, enteredS, line: Buffer.from(line), newM: null })
  }
  return 1 + sorted.length
}

const rowOf = preparedOnce((tx) =>
  tx.$client.prepare<typeof grounds.$inferSelect, [string]>(
    `SELECT run, workout_id AS workoutId, started_at AS startedAt,
       start_lat AS startLat, start_lon AS startLon, length_m AS lengthM FROM ground WHERE workout_id = ?`,
  ),
)
const squaresOf = preparedOnce((tx) =>
  tx.$client.prepare<unknown, [number]>('SELECT id, entered_s, line FROM ground_square WHERE run = ? ORDER BY id'),
)
const lastNumber = preparedOnce((tx) =>
  tx.$client.prepare<{ n: number | null }, []>('SELECT max(run) AS n FROM ground'),
)

/** Numbers of runs that are gone are used again once all others were. */
function freeNumber(tx: Tx): number {
  const next = (lastNumber(tx).get()?.n ?? 0) + 1
  if (next <= MOST_RUNS) return next
  return tx.$client
    .query<{ n: number }, []>(
      `SELECT min(n) AS n FROM (SELECT 1 AS n UNION ALL SELECT run + 1 FROM ground)
       WHERE n NOT IN (SELECT run FROM ground)`,
    )
    .get()!.n
}

export interface SquareNews {
  readonly square: number
  /** As when its lines were read. */
  readonly marks: number
  readonly rows: readonly { readonly id: number; readonly newM: number | null }[]
}

/** Writes new ground, unless the square was changed meanwhile. @returns whether it was written */
export function writeNewGround(tx: Tx, { square, marks, rows }: SquareNews): boolean {
  if (unmark(tx).run(square, marks).changes === 0) return false
  for (const { id, newM } of rows) updateRows(tx, groundSquares, { set: { newM }, where: { id } })
  return true
}

const unmark = preparedOnce((tx) =>
  tx.$client.prepare<unknown, [number, number]>('DELETE FROM ground_dirty WHERE square = ? AND marks = ?'),
)
