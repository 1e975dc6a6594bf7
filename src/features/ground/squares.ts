import type { Static } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import { invalid, notFound } from '../../base/errors.ts'
import { gently } from '../../base/pace.ts'
import type { Db } from '../../db/open.ts'
import { workouts } from '../../db/schema.ts'
import { ENGINE_VERSION } from '../../engine/analyze.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { isoDate, localDay } from '../../engine/calendar/weeks.ts'
import { type Explored, explored, exploredSizes, growthOf } from '../../engine/ground/explorer.ts'
import {
  latitudeOf,
  longitudeOf,
  MOST_RUNS,
  SIDE,
  type Square,
  squareKey,
  squareOfKey,
} from '../../engine/ground/squares.ts'
import { roundHalfUp } from '../../engine/units.ts'
import { olderRuns } from '../../library/derive.ts'
import { dirtySquares } from '../../library/new-ground.ts'
import { placeObjects } from '../places/places.ts'
import type { StartPlace } from '../places/queries.ts'
import { type Counted, type Filter, squareRows } from './counted.ts'
import type { RunGround, SquaresAnswer, SquaresQuery } from './schemas.ts'

/** A counted run, by the number of its ground. */
interface Run {
  readonly run: number
  readonly id: string
  readonly name: string | null
  readonly startedAt: number
  /** Local day of the start. */
  readonly day: number
}

/** Who was in a square: positions in the list of runs by start. */
interface Visits {
  runs: number
  first: number
  last: number
}

/** Counted runs that fit a filter, and the squares that they visit. */
export interface VisitedSquares {
  /** By start, then id. */
  readonly runs: readonly Run[]
  readonly visits: ReadonlyMap<number, Visits>
  readonly explored: Explored
  /** New metres of each run, by its position in the list. */
  readonly newM: Float64Array
}

const RUN_SPAN = MOST_RUNS + 1
/** Squares by filter, kept as long as the runs that fit it are. */
export function createSquares(db: Db, counted: (filter: Filter) => Counted) {
  const known = new WeakMap<Counted, Promise<VisitedSquares>>()
  return (filter: Filter): Promise<VisitedSquares> => {
    const runs = counted(filter)
    const made = known.get(runs) ?? visitedSquares(db, runs)
    known.set(runs, made)
    made.catch(() => known.delete(runs))
    return made
  }
}

async function visitedSquares(db: Db, { isCounted }: Counted): Promise<VisitedSquares> {
  const runs = db.$client
    .query<Omit<Run, 'day'> & { readonly offset: number | null }, []>(
      `SELECT run, workout.id, name, workout.started_at AS startedAt, utc_offset_minutes AS offset
       FROM ground JOIN workout ON workout.id = workout_id ORDER BY workout.started_at, workout.id`,
    )
    .all()
    .filter(({ run }) => isCounted[run] === 1)
    .map(({ offset, ...run }) => ({ ...run, day: localDay(run.startedAt, offset ?? 0) }))
  const placeOf = new Int32Array(isCounted.length).fill(-1)
  for (const [place, { run }] of runs.entries()) placeOf[run] = place
  const visits = new Map<number, Visits>()
  const newM = new Float64Array(runs.length)
  for await (const rows of squareRows<{ newM: number | null }>(db, 'new_m AS newM', [-1, Number.MAX_SAFE_INTEGER])) {
    for (const row of rows) {
      const place = placeOf[row.id % RUN_SPAN] ?? -1
      if (place === -1) continue
      newM[place]! += row.newM ?? 0
      const key = Math.floor(row.id / RUN_SPAN)
      const known = visits.get(key)
      if (known === undefined) visits.set(key, { runs: 1, first: place, last: place })
      else {
        known.runs += 1
        known.first = Math.min(known.first, place)
        known.last = Math.max(known.last, place)
      }
    }
  }
  return { runs, visits, newM, explored: explored(new Set(visits.keys())) }
}

/** How many squares, the largest block and cluster of them, what the next block lacks, and how each year added to it. */
export async function squaresAnswer(db: Db, squares: VisitedSquares): Promise<Static<typeof SquaresAnswer>> {
  const { maxSquare, cluster, count } = squares.explored
  const years = yearsBy.get(squares) ?? yearsOf(squares)
  yearsBy.set(squares, years)
  const growth = maxSquare && growthOf(new Set(squares.visits.keys()), maxSquare)
  return {
    count,
    maxSquare,
    maxCluster: cluster.size === 0 ? null : { size: cluster.size },
    grow: growth && { ...growth, missing: growth.missing.map((square) => [...square]) },
    years: await years,
    filling: olderRuns(db) + (dirtySquares(db) > 0 ? 1 : 0),
  }
}

/** As long as the squares are kept: those of 27 years take a fifth of a second. */
const yearsBy = new WeakMap<VisitedSquares, ReturnType<typeof yearsOf>>()

async function yearsOf({ runs, visits, newM }: VisitedSquares) {
  const yearOf = runs.map(({ day }) => Number(isoDate(day).slice(0, 4)))
  const newMOf = new Map<number, number>()
  for (const [k, year] of yearOf.entries()) newMOf.set(year, (newMOf.get(year) ?? 0) + newM[k]!)
  const byYear = Map.groupBy(visits, ([, { first }]) => yearOf[first]!)
  const so = new Set<number>()
  const years: Static<typeof SquaresAnswer>['years'] = []
  for (const [year, newGroundM] of [...newMOf].toSorted(([a], [b]) => a - b)) {
    const fresh = byYear.get(year) ?? []
    for (const [key] of fresh) so.add(key)
    years.push({ year, newSquares: fresh.length, ...exploredSizes(so), newGroundM: roundHalfUp(newGroundM) })
    await gently()
  }
  return years
}

const MOST_SQUARES = 65_536
const FLAGS = { inner: 1, cluster: 2, maxSquare: 4 } as const

/** The visited squares of a part of the map. @throws AppError 400 for one that is too large */
export function squaresIn(
  { visits, runs, explored: { inner, cluster, maxSquare } }: VisitedSquares,
  { x0, y0, x1, y1 }: Pick<Static<typeof SquaresQuery>, 'x0' | 'y0' | 'x1' | 'y1'>,
) {
  const wide = (x1 < x0 ? x1 + SIDE : x1) - x0 + 1
  const high = y1 - y0 + 1
  if (high < 1) throw invalid('y1 must not be less than y0', { field: 'y1' })
  if (wide * high > MOST_SQUARES)
    throw invalid(`The part of the map has ${wide * high} squares, the most is ${MOST_SQUARES}`)
  const found: (number | string)[][] = []
  for (const [key, visit] of visits) {
    const { x, y } = squareOfKey(key)
    if (y < y0 || y > y1 || !isBetween(x, x0, wide)) continue
    const isInMax =
      maxSquare !== null &&
      y >= maxSquare.y &&
      y < maxSquare.y + maxSquare.size &&
      isBetween(x, maxSquare.x, maxSquare.size)
    const flags =
      (inner.has(key) ? FLAGS.inner : 0) | (cluster.has(key) ? FLAGS.cluster : 0) | (isInMax ? FLAGS.maxSquare : 0)
    found.push([x, y, visit.runs, isoDate(runs[visit.first]!.day), flags])
  }
  return { squares: found }
}

/** Whether a column is among so many from another one on, round the globe. */
function isBetween(x: number, from: number, count: number): boolean {
  return (x - from + SIDE) % SIDE < count
}

export function oneSquare({ visits, runs }: VisitedSquares, { x, y }: Square) {
  const visit = visits.get(squareKey({ x, y }))
  const called = (place: number | undefined) => {
    const run = place === undefined ? undefined : runs[place]
    return run === undefined ? null : { workoutId: run.id, name: run.name, startedAt: isoTime(run.startedAt) }
  }
  return {
    ...{ x, y, runs: visit?.runs ?? 0, first: called(visit?.first), last: called(visit?.last) },
    bounds: { west: longitudeOf(x), south: latitudeOf(y + 1), east: longitudeOf(x + 1), north: latitudeOf(y) },
  }
}

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
  const stored = db.select({ version: workouts.engineVersion }).from(workouts).where(eq(workouts.id, id)).get()
  if (stored === undefined) throw notFound('Workout')
  const isOlder = stored.version < ENGINE_VERSION
  const ground = db.$client
    .query<Row, [string]>(
      `SELECT run, length_m AS lengthM, workout.started_at AS startedAt
       FROM ground JOIN workout ON workout.id = workout_id WHERE workout_id = ?`,
    )
    .get(id)
  const nowhere = { route: null, segments: [] }
  if (ground === null) {
    const none = { squares: 0, newSquares: [], lengthM: 0, newM: null, newShare: null, start: null }
    return { ...none, ...nowhere, filling: isOlder }
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
    ...{ start, ...nowhere, filling: isOlder || rows.some(({ isDirty }) => isDirty === 1) },
  }
}
