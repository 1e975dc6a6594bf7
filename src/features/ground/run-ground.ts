import type { Static } from '@sinclair/typebox'
import { notFound } from '../../base/errors.ts'
import type { Db } from '../../db/open.ts'
import { MOST_RUNS, squareOfKey } from '../../engine/ground/squares.ts'
import { roundHalfUp } from '../../engine/units.ts'
import { olderRuns } from '../../library/derive.ts'
import { workoutExists } from '../../library/ids.ts'
import { placeObjects } from '../places/places.ts'
import type { StartPlace } from '../places/queries.ts'
import type { RunGround } from './schemas.ts'
import type { VisitedSquares } from './squares.ts'

interface Row {
  readonly run: number
  readonly lengthM: number
  readonly startedAt: number
}

interface Asked {
  readonly squares: VisitedSquares
  /** Of a run by its id; null: it starts nowhere. */
  readonly placeOf: (id: string) => StartPlace | null
}

/** Where one run went: its squares, which of them are new, and how much of its line is. @throws AppError 404 */
export async function runGround(db: Db, id: string, { squares, placeOf }: Asked): Promise<Static<typeof RunGround>> {
  const ground = db.$client
    .query<Row, [string]>(
      `SELECT run, length_m AS lengthM, workout.started_at AS startedAt
       FROM ground JOIN workout ON workout.id = workout_id WHERE workout_id = ?`,
    )
    .get(id)
  const nowhere = { route: null, segments: [] }
  if (ground === null) {
    if (!workoutExists(db, id)) throw notFound('Workout')
    return {
      squares: 0,
      newSquares: [],
      lengthM: 0,
      newM: null,
      newShare: null,
      start: null,
      ...nowhere,
      filling: olderRuns(db) > 0,
    }
  }
  const rows = db.$client
    .query<{ id: number; newM: number | null; isDirty: number }, [number]>(
      `SELECT id, new_m AS newM, square IS NOT NULL AS isDirty
       FROM ground_square LEFT JOIN ground_dirty ON square = id >> 24 WHERE run = ? ORDER BY entered_s, id`,
    )
    .all(ground.run)
  const keys = rows.map((row) => Math.floor(row.id / (MOST_RUNS + 1)))
  // without it, too, since it may be left out
  const isNew = (key: number) => {
    const first = squares.visits.get(key)?.first
    const run = first === undefined ? undefined : squares.runs[first]
    return (
      run === undefined ||
      run.id === id ||
      run.startedAt > ground.startedAt ||
      (run.startedAt === ground.startedAt && run.id > id)
    )
  }
  const newSquares = keys.filter(isNew).map((key) => {
    const { x, y } = squareOfKey(key)
    return [x, y]
  })
  const newM = rows.some((row) => row.newM !== null) ? rows.reduce((sum, row) => sum + (row.newM ?? 0), 0) : null
  const place = placeOf(id)
  const [start = null] = await placeObjects(place === null ? [] : [place])
  return {
    ...{ squares: rows.length, newSquares, lengthM: roundHalfUp(ground.lengthM, 1) },
    newM: newM === null ? null : roundHalfUp(newM, 1),
    newShare: newM === null || ground.lengthM === 0 ? null : roundHalfUp(Math.min(1, newM / ground.lengthM), 3),
    ...{ start, ...nowhere, filling: rows.some(({ isDirty }) => isDirty === 1) },
  }
}
