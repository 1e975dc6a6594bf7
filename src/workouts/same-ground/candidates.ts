import type { Db } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { type StretchEnds, stretchEnds } from '../../engine/route/pass-bounds.ts'
import type { MeasuredPass } from '../../engine/route/pass-numbers.ts'
import type { Stretch } from '../../engine/route/stretch.ts'
import { traceMayPass } from '../../engine/route/trace.ts'
import { searchedTrack } from '../../library/recordings.ts'
import { createPace } from '../../pace.ts'
import { computed } from '../../workers/compute.ts'

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
/** Tracks per job of the Worker, about 8 ms, so that other jobs do not wait longer. */
const TRACKS_AT_ONCE = 32

/**
 * The passes of all counted runs with a route through a stretch, in no order. Bounds and traces in the index exclude
 * most runs, and the Worker searches the stored tracks of the remaining ones, the next of which are read meanwhile; the
 * result is the same as searching every track. Other requests are served in between.
 */
export async function passesOfAll(deps: Needs, stretch: Stretch): Promise<RunPass[]> {
  const candidates = await indexed(deps.db, stretch)
  const found: RunPass[] = []
  let underWay: Promise<RunPass[]> = Promise.resolve([])
  for (let from = 0; from < candidates.length; from += TRACKS_AT_ONCE) {
    const next = measured(deps, stretch, candidates.slice(from, from + TRACKS_AT_ONCE))
    // when the batch before fails, this one is not awaited and must not count as unhandled
    next.catch(() => {})
    found.push(...(await underWay))
    underWay = next
  }
  return [...found, ...(await underWay)]
}

/** Counted runs whose route may pass, judged by bounds and trace. */
async function indexed({ $client: client }: Db, stretch: Stretch): Promise<Candidate[]> {
  const box = bothEnds(stretchEnds(stretch))
  const rows = client.query<Candidate & { trace: Uint8Array | null }, number[]>(
    `SELECT workout_id AS id, started_at AS startedAtMs, trace
     FROM workout_route
     WHERE rowid > ? AND rowid <= ? AND north_deg >= ? AND south_deg <= ? AND (${box.sql})`,
  )
  const may = traceMayPass(stretch)
  const leftOut = new Set(client.query('SELECT id FROM workout WHERE left_out = 1').values().flat())
  const found: Candidate[] = []
  const pace = createPace()
  const last = client.query<{ rowId: number | null }, []>('SELECT max(rowid) AS rowId FROM workout_route').get()
  for (let after = 0; after < (last?.rowId ?? 0); after += ROWS_AT_ONCE) {
    const some = rows.all(after, after + ROWS_AT_ONCE, box.leastNorthDeg, box.mostSouthDeg, ...box.longitudes)
    for (const { id, startedAtMs, trace } of some) {
      if (!leftOut.has(id) && (trace === null || may(trace))) found.push({ id, startedAtMs })
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

async function measured({ db, analyzer }: Needs, stretch: Stretch, some: readonly Candidate[]): Promise<RunPass[]> {
  const read = some.flatMap(({ id, startedAtMs }) => {
    const track = searchedTrack(db, id)
    // null: it was deleted meanwhile
    return track === null ? [] : { workoutId: id, startedAtMs, track }
  })
  const { passes } = await computed(analyzer, { what: 'passes', stretch, runs: read.map(({ track }) => track) })
  return read.flatMap(({ track: _, ...run }, k) => (passes[k] ?? []).map((pass) => ({ ...run, ...pass })))
}
