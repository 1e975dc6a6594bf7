import type { Static } from '@sinclair/typebox'
import { notFound } from '../../base/errors.ts'
import type { Db } from '../../db/open.ts'
import { roundHalfUp } from '../../engine/units.ts'
import type { GroundNews } from './schemas.ts'
import type { VisitedSquares } from './squares.ts'

/** What was new in some runs: squares that one of them was the first in, and metres of new ground. */
export function groundNews(
  { runs, visits, newM }: VisitedSquares,
  ids: ReadonlySet<string>,
): Static<typeof GroundNews> {
  const isChosen = runs.map(({ id }) => ids.has(id))
  let newSquares = 0
  for (const { first } of visits.values()) if (isChosen[first]) newSquares += 1
  const metres = newM.reduce((sum, one, place) => sum + (isChosen[place] ? one : 0), 0)
  return { newSquares, newM: roundHalfUp(metres, 1) }
}

/** Runs that came with a receipt. @throws AppError 404 */
export function createdRuns({ $client: client }: Db, receiptId: string): ReadonlySet<string> {
  if (client.query('SELECT 1 FROM receipt WHERE id = ?').get(receiptId) === null) throw notFound('Receipt')
  const rows = client
    .query<{ id: string }, [string]>(
      "SELECT workout_id AS id FROM receipt_item WHERE receipt_id = ? AND outcome = 'created' AND workout_id IS NOT NULL",
    )
    .all(receiptId)
  return new Set(rows.map(({ id }) => id))
}
