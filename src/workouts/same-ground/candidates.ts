import type { Db } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { type StretchEnds, sketchMayPass, stretchEnds } from '../../engine/route/pass-bounds.ts'
import type { MeasuredPass } from '../../engine/route/pass-numbers.ts'
import { unpackSketch } from '../../engine/route/sketch.ts'
import type { Stretch } from '../../engine/route/stretch.ts'
import { searchedTrack } from '../../library/recordings.ts'
import { createPace } from '../../pace.ts'
import { computed, type StoredPath } from '../../workers/compute.ts'

/** A run and one of its passes. */
export interface RunPass extends MeasuredPass {
  readonly workoutId: string
  readonly startedAtMs: number
}

type Needs = Pick<Deps, 'db' | 'analyzer'>

interface Candidate {
  readonly id: string
  readonly startedAtMs: number
}

/** Rows of the index read at once. */
const ROWS_AT_ONCE = 512
/** Paths per job of the Worker, 5 to 10 ms, so that other jobs do not wait longer. */
const PATHS_AT_ONCE = 96
const TRACKS_AT_ONCE = 32
/** A path takes a quarter of the time of a track. */
const PATHS_TRIED = 2 * PATHS_AT_ONCE
const PATHS_WORTH = 0.8

/**
 * The passes of all counted runs with a route through a stretch, in no order. Bounds and sketches in the index exclude
 * most runs here, their paths exclude more in the Worker, which then searches the stored tracks of the remaining ones;
 * the result is the same as searching every track. Other requests are served in between.
 */
export async function passesOfAll(deps: Needs, stretch: Stretch): Promise<RunPass[]> {
  const candidates = await sketched(deps.db, stretch)
  const [tried, others] = [candidates.slice(0, PATHS_TRIED), candidates.slice(PATHS_TRIED)]
  const met = await inBatches(tried, PATHS_AT_ONCE, (some) => metBy(deps, stretch, some))
  // on a street that most runs pass, paths exclude too few runs to be worth reading
  const isWorthIt = met.length < PATHS_WORTH * tried.length
  const left = isWorthIt ? await inBatches(others, PATHS_AT_ONCE, (some) => metBy(deps, stretch, some)) : others
  return await inBatches([...met, ...left], TRACKS_AT_ONCE, (some) => measured(deps, stretch, some))
}

/** Counted runs whose route may pass, judged by bounds and sketch. */
async function sketched({ $client: client }: Db, stretch: Stretch): Promise<Candidate[]> {
  const box = bothEnds(stretchEnds(stretch))
  const rows = client.query<Candidate & { lengthM: number; sketch: Uint8Array }, number[]>(
    `SELECT workout_id AS id, started_at AS startedAtMs, length_m AS lengthM, sketch
     FROM workout_route
     WHERE rowid > ? AND rowid <= ? AND north_deg >= ? AND south_deg <= ? AND (${box.sql})`,
  )
  const may = sketchMayPass(stretch)
  const leftOut = new Set(client.query('SELECT id FROM workout WHERE left_out = 1').values().flat())
  const found: Candidate[] = []
  const pace = createPace()
  const last = client.query<{ rowId: number | null }, []>('SELECT max(rowid) AS rowId FROM workout_route').get()
  for (let after = 0; after < (last?.rowId ?? 0); after += ROWS_AT_ONCE) {
    const some = rows.all(after, after + ROWS_AT_ONCE, box.leastNorthDeg, box.mostSouthDeg, ...box.longitudes)
    for (const { id, startedAtMs, sketch, lengthM } of some) {
      if (!leftOut.has(id) && may(unpackSketch(sketch), lengthM)) found.push({ id, startedAtMs })
    }
    if (pace.needsRest()) await pace.rest()
  }
  return found
}

/**
 * Condition on bounds that contain both ends, shifted by a full turn or not, since bounds may cross the antimeridian.
 */
function bothEnds({ start, end, reachNorthDeg, reachEastDeg }: StretchEnds) {
  const [leastLon, mostLon] = [Math.min(start.lonDeg, end.lonDeg), Math.max(start.lonDeg, end.lonDeg)]
  const turns = [0, -360, 360]
  return {
    sql: turns.map(() => '(west_deg <= ? AND east_deg >= ?)').join(' OR '),
    longitudes: turns.flatMap((turn) => [leastLon + turn + reachEastDeg, mostLon + turn - reachEastDeg]),
    leastNorthDeg: Math.max(start.latDeg, end.latDeg) - reachNorthDeg,
    mostSouthDeg: Math.min(start.latDeg, end.latDeg) + reachNorthDeg,
  }
}

/** Those that may pass, judged by their path. */
async function metBy({ db, analyzer }: Needs, stretch: Stretch, some: readonly Candidate[]): Promise<Candidate[]> {
  const path = db.$client.query<StoredPath, [string]>(
    'SELECT path, length_m AS lengthM FROM workout_route WHERE workout_id = ?',
  )
  const { here, read } = readOf(some, (id) => path.get(id))
  const { may } = await computed(analyzer, { what: 'mayPass', stretch, paths: read })
  return here.filter((_, k) => may[k])
}

async function measured({ db, analyzer }: Needs, stretch: Stretch, some: readonly Candidate[]): Promise<RunPass[]> {
  const { here, read } = readOf(some, (id) => searchedTrack(db, id))
  const { passes } = await computed(analyzer, { what: 'passes', stretch, runs: read })
  return here.flatMap(({ id, startedAtMs }, k) =>
    (passes[k] ?? []).map((pass) => ({ workoutId: id, startedAtMs, ...pass })),
  )
}

/** Stored data of runs, without those deleted meanwhile. */
function readOf<T>(some: readonly Candidate[], read: (id: string) => T | null) {
  const found = some.flatMap((run) => {
    const stored = read(run.id)
    return stored === null ? [] : [{ run, stored }]
  })
  return { here: found.map(({ run }) => run), read: found.map(({ stored }) => stored) }
}

/** Processes batches; the next one is read while the Worker processes the last. */
async function inBatches<T, R>(
  all: readonly T[],
  atOnce: number,
  work: (some: readonly T[]) => Promise<R[]>,
): Promise<R[]> {
  const found: R[] = []
  let underWay: Promise<R[]> = Promise.resolve([])
  for (let from = 0; from < all.length; from += atOnce) {
    const next = work(all.slice(from, from + atOnce))
    // when the batch before fails, this one is not awaited and must not count as unhandled
    next.catch(() => {})
    found.push(...(await underWay))
    underWay = next
  }
  found.push(...(await underWay))
  return found
}
