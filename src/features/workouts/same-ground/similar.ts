import type { Static } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import { notApplicable, notFound } from '../../../base/errors.ts'
import { paced } from '../../../base/pace.ts'
import type { Db } from '../../../db/open.ts'
import { workouts } from '../../../db/schema.ts'
import { isoTime } from '../../../engine/calendar/timestamp.ts'
import type { RoutePath } from '../../../engine/route/path.ts'
import { type RouteDirection, SIMILAR_SCORE, searchBoxes, similarTo } from '../../../engine/route/similarity.ts'
import { scoreBound } from '../../../engine/route/sketch.ts'
import { roundHalfUp } from '../../../engine/units.ts'
import type { Deps } from '../../../library/deps.ts'
import { storedTrack } from '../../../library/recordings.ts'
import { pathOf, type StoredPath } from '../../../workers/route-index.ts'
import { nearest } from '../samples/samples.ts'
import type { SimilarParameters } from '../schemas.ts'

/** Most results, and most years that may be searched. */
const MOST = 100
const SCORE_DECIMALS = 1
/** Least ratio of lengths of a match, with a tolerance for the division. */
const LEAST_LENGTH_SHARE = (SIMILAR_SCORE / 100) * (1 - 1e-9)

/**
 * Earlier runs with a similar route, the most similar first, of equal displayed scores the latest first. The search of
 * docs/algorithms.md 6: lengths and boxes, then sketches, then exact scores in the order of their upper bounds, until
 * none left can be among the first. The result is the same as scoring every route. Other requests are served in
 * between; long routes are compared by the Worker.
 * @throws AppError 404; 400 without route
 */
export async function similarRoutes(
  { db, worker }: Pick<Deps, 'db' | 'worker'>,
  id: string,
  { maxResults = 10, maxYears = 2 }: Static<typeof SimilarParameters>,
) {
  const current = currentRun(db, id)
  const stored = storedPath(db, id) ?? (await madePath({ db, worker }, id))
  const path = pathOf(stored)
  const candidates = await sketched(db, path, {
    fromMs: yearsBefore(current.startedAt, Math.min(maxYears, MOST)),
    beforeMs: current.startedAt,
  })
  const matches = await bestMatches(db, scorer(worker, stored), { candidates, maxResults: Math.min(maxResults, MOST) })
  return matches.flatMap((match) => matchObject(db, current, match))
}

/** Columns of a match in the answer. */
const SHOWN = {
  startedAt: workouts.startedAt,
  name: workouts.name,
  runType: workouts.runType,
  utcOffsetMinutes: workouts.utcOffsetMinutes,
  durationS: workouts.durationS,
  movingTimeS: workouts.movingTimeS,
  distanceM: workouts.distanceM,
  avgPaceS: workouts.avgPaceS,
  avgHeartRateBpm: workouts.avgHeartRateBpm,
  relativeEffort: workouts.relativeEffort,
  elevGainM: workouts.elevGainM,
} as const

type Current = ReturnType<typeof currentRun>

function currentRun(db: Db, id: string) {
  const { routePreview } = workouts
  const run = db
    .select({ ...SHOWN, routePreview })
    .from(workouts)
    .where(eq(workouts.id, id))
    .get()
  if (run === undefined) throw notFound('Workout')
  if (run.routePreview === null) throw notApplicable('The workout has no route, so none is similar')
  return run
}

/** The path computed from the samples, while the index is not built yet. @throws AppError 400 without route */
async function madePath({ db, worker }: Pick<Deps, 'db' | 'worker'>, id: string): Promise<StoredPath> {
  const track = storedTrack(db, id)
  const index = track && (await nearest(worker, track).ask('routeIndex', track)).index
  if (index === null) throw notApplicable('The workout has no route, so none is similar')
  return index
}

function storedPath({ $client: client }: Db, id: string): StoredPath | null {
  return client
    .query<StoredPath, [string]>('SELECT path, length_m AS lengthM FROM workout_route WHERE workout_id = ?')
    .get(id)
}

/** The same date some years before, in UTC; 29 February becomes the 28th. */
export function yearsBefore(ms: number, years: number): number {
  const date = new Date(ms)
  const month = date.getUTCMonth()
  date.setUTCFullYear(date.getUTCFullYear() - years)
  // a day that the month does not have moves the date to the next month
  if (date.getUTCMonth() !== month) date.setUTCDate(0)
  return date.getTime()
}

interface Candidate {
  readonly id: string
  readonly startedAtMs: number
  readonly lengthM: number
  /** Upper bound of its score, by its sketch. */
  readonly bound: number
}

/** Routes that match by time, length, place and sketch, with the greatest upper bound first. */
async function sketched(
  { $client: client }: Db,
  path: RoutePath,
  { fromMs, beforeMs }: { readonly fromMs: number; readonly beforeMs: number },
): Promise<Candidate[]> {
  const boxes = searchBoxes(path)
  const overlaps = boxes.map(() => '(north_deg >= ? AND south_deg <= ? AND east_deg >= ? AND west_deg <= ?)')
  const rows = client
    .query<Omit<Candidate, 'bound'>, number[]>(
      `SELECT workout_id AS id, started_at AS startedAtMs, length_m AS lengthM
       FROM workout_route INDEXED BY workout_route_search
       WHERE started_at >= ? AND started_at < ? AND length_m BETWEEN ? AND ? AND (${overlaps.join(' OR ')})`,
    )
    .all(
      fromMs,
      beforeMs,
      path.lengthM * LEAST_LENGTH_SHARE,
      path.lengthM / LEAST_LENGTH_SHARE,
      ...boxes.flatMap((box) => [box.southDeg, box.northDeg, box.westDeg, box.eastDeg]),
    )
  const sketchOf = client.query<{ sketch: Uint8Array }, [string]>(
    'SELECT sketch FROM workout_route WHERE workout_id = ?',
  )
  const boundOf = scoreBound(path)
  const candidates: Candidate[] = []
  for await (const row of paced(rows)) {
    const found = sketchOf.get(row.id)
    const bound = found === null ? 0 : boundOf(found.sketch, row.lengthM)
    if (bound >= SIMILAR_SCORE) candidates.push({ ...row, bound })
  }
  return candidates.sort((a, b) => b.bound - a.bound)
}

interface Match {
  readonly id: string
  readonly startedAtMs: number
  readonly direction: RouteDirection
  /** As displayed. */
  readonly score: number
}

/**
 * Longest route compared on this thread, metres. In the worst case a route crosses itself everywhere: then the cost is
 * the product of the numbers of samples, one every 20 m, which takes 15 ms at this length and 1.3 s at 200 km.
 */
const LONGEST_HERE_M = 30_000

/** Compares routes with one route; a long one by the Worker, one at a time, so that imports have their turn in between. */
function scorer(worker: Deps['worker'], route: StoredPath) {
  if (route.lengthM > LONGEST_HERE_M)
    return async (other: StoredPath) => (await worker.ask('similarity', { route, other })).similarity
  const scoreOf = similarTo(pathOf(route))
  return (other: StoredPath) => scoreOf(pathOf(other))
}

async function bestMatches(
  db: Db,
  scoreOf: ReturnType<typeof scorer>,
  { candidates, maxResults }: { candidates: readonly Candidate[]; maxResults: number },
): Promise<readonly Match[]> {
  const best: Match[] = []
  for await (const { id, startedAtMs, bound } of paced(candidates)) {
    const worst = best[maxResults - 1]
    // the bounds of all further candidates are not higher
    if (worst !== undefined && shown(bound) < worst.score) break
    const other = storedPath(db, id)
    const found = other && (await scoreOf(other))
    if (found !== null && found.score >= SIMILAR_SCORE) {
      const match = { id, startedAtMs, direction: found.direction, score: shown(found.score) }
      const rank = best.findIndex((ranked) => isBefore(match, ranked))
      if (rank !== -1) best.splice(rank, 0, match)
      else best.push(match)
      if (best.length > maxResults) best.pop()
    }
  }
  return best
}

function shown(score: number): number {
  return roundHalfUp(score, SCORE_DECIMALS)
}

/** Order of docs/api.md 7.11: by displayed score, then the latest first; the id decides between equals. */
function isBefore(a: Match, b: Match): boolean {
  return (b.score - a.score || b.startedAtMs - a.startedAtMs || (a.id < b.id ? -1 : 1)) < 0
}

/** An earlier run with differences (match - current). Empty when it was deleted meanwhile. */
function matchObject(db: Db, current: Current, { id, score, direction }: Match) {
  const run = db.select(SHOWN).from(workouts).where(eq(workouts.id, id)).get()
  if (run === undefined) return []
  return {
    workoutId: id,
    similarityScore: score,
    distanceDifferenceM: roundHalfUp(run.distanceM - current.distanceM, 2),
    timeDifferenceS: run.durationS - current.durationS,
    paceDifferenceS: roundHalfUp(run.avgPaceS - current.avgPaceS, 2),
    ...run,
    startedAt: isoTime(run.startedAt),
    direction,
  }
}
