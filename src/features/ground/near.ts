import type { Static } from '@sinclair/typebox'
import type { Db } from '../../db/open.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { nearestUnits } from '../../engine/ground/line.ts'
import { columnOf, MOST_RUNS, rowOf, SIDE, sideM, squareRowId, UNITS, wrapped } from '../../engine/ground/squares.ts'
import { roundHalfUp } from '../../engine/units.ts'
import type { Deps } from '../../library/deps.ts'
import { hiddenCircle } from '../../library/places.ts'
import { circleObject } from '../places/places.ts'
import { type Counted, squareRows } from './counted.ts'
import {
  type HiddenAnswer,
  type HiddenQuery,
  type NearAnswer,
  type NearQuery,
  USUAL_NEAR,
  USUAL_RADIUS_M,
} from './schemas.ts'

type Asked = Pick<Static<typeof NearQuery>, 'lat' | 'lon' | 'radiusM' | 'maxResults'>

const RUN_SPAN = MOST_RUNS + 1

interface Found {
  readonly id: string
  readonly name: string | null
  readonly startedAt: number
  readonly utcOffsetMinutes: number | null
  readonly distanceM: number
  readonly runType: string | null
  readonly run: number
}

/** Counted runs that hiding a place would trim, and the circle that hides it. */
export async function runsHidden(
  { db, jwtSecret }: Pick<Deps, 'db' | 'jwtSecret'>,
  counted: Counted,
  { placeId, ...place }: Static<typeof HiddenQuery>,
): Promise<Static<typeof HiddenAnswer>> {
  const circle = placeId === undefined ? null : hiddenCircle({ ...place, id: placeId }, { jwtSecret })
  const found = await runsNear(db, counted, { ...place, ...circle, radiusM: place.hideM })
  return { ...found, hidden: circle && circleObject(circle) }
}

/** Counted runs whose line passes a place, the latest first. */
export async function runsNear(
  db: Db,
  { isCounted }: Counted,
  { lat, lon, radiusM = USUAL_RADIUS_M, maxResults = USUAL_NEAR }: Asked,
): Promise<Static<typeof NearAnswer>> {
  const nearest = new Map<number, number>()
  const [column, row] = [columnOf(lon), rowOf(lat)]
  const reach = radiusM / sideM(Math.min(SIDE - 1, Math.max(0, Math.floor(row))))
  for (let x = Math.floor(column - reach); x <= Math.floor(column + reach); x += 1) {
    for (let y = Math.max(0, Math.floor(row - reach)); y <= Math.min(SIDE - 1, Math.floor(row + reach)); y += 1) {
      const square = { x: wrapped(x), y }
      const perUnit = sideM(y) / UNITS
      const span = [squareRowId(square, 0), squareRowId(square, MOST_RUNS)] as const
      for await (const rows of squareRows<{ line: Uint8Array }>(db, 'line', span)) {
        for (const { id, line } of rows) {
          const run = id % RUN_SPAN
          if (isCounted[run] !== 1) continue
          const metres = perUnit * nearestUnits(line, (column - x) * UNITS, (row - y) * UNITS)
          if (metres <= radiusM && metres < (nearest.get(run) ?? Number.POSITIVE_INFINITY)) nearest.set(run, metres)
        }
      }
    }
  }
  const runs = db.$client
    .query<Found, [string, number]>(
      `SELECT workout.id, name, workout.started_at AS startedAt, utc_offset_minutes AS utcOffsetMinutes,
         distance_m AS distanceM, run_type AS runType, run
       FROM ground JOIN workout ON workout.id = workout_id WHERE run IN (SELECT value FROM json_each(?))
       ORDER BY workout.started_at DESC, workout.id LIMIT ?`,
    )
    .all(JSON.stringify([...nearest.keys()]), maxResults)
  return {
    count: nearest.size,
    runs: runs.map(({ id, startedAt, run, ...found }) => ({
      workoutId: id,
      ...found,
      startedAt: isoTime(startedAt),
      nearestM: roundHalfUp(nearest.get(run)!, 1),
    })),
  }
}
