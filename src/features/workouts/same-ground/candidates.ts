import { paced } from '../../../base/pace.ts'
import type { Db } from '../../../db/open.ts'
import { type StretchEnds, stretchEnds } from '../../../engine/route/pass-bounds.ts'
import type { MeasuredPass } from '../../../engine/route/pass-numbers.ts'
import type { Stretch } from '../../../engine/route/stretch.ts'
import { traceMayPass } from '../../../engine/route/trace.ts'
import type { Deps } from '../../../library/deps.ts'
import { searchedTrack } from '../../../library/recordings.ts'

export interface RunPass extends MeasuredPass {
  readonly workoutId: string
  readonly startedAtMs: number
}

/** What a search needs; `signal` is aborted when its result is no longer needed. */
export interface Search extends Pick<Deps, 'db' | 'worker'> {
  readonly signal: AbortSignal
}

interface Candidate {
  readonly id: string
  readonly startedAtMs: number
}

interface Indexed extends Candidate {
  readonly trace: Uint8Array
}

/** Tracks per job of the Worker, about 8 ms, so that other jobs do not wait longer. */
const TRACKS_AT_ONCE = 32

/**
 * The passes of all counted runs with a route through a stretch, in no order. Bounds and traces in the index exclude most
 * runs; the Worker searches the stored tracks of the remaining ones, the next of which are read meanwhile. The result is
 * the same as searching every track. Other requests are served in between.
 * @throws the reason of the signal
 */
export async function passesOfAll(search: Search, stretch: Stretch): Promise<RunPass[]> {
  const candidates: Candidate[] = []
  const mayPass = traceMayPass(stretch)
  for await (const { trace, ...run } of paced(indexed(search.db, stretch))) {
    search.signal.throwIfAborted()
    if (mayPass(trace)) candidates.push(run)
  }
  const found: RunPass[] = []
  let underWay: Promise<RunPass[]> = Promise.resolve([])
  for (let from = 0; from < candidates.length; from += TRACKS_AT_ONCE) {
    search.signal.throwIfAborted()
    const next = measured(search, stretch, candidates.slice(from, from + TRACKS_AT_ONCE))
    // when the batch before fails, this one is not awaited and must not count as unhandled
    next.catch(() => {})
    found.push(...(await underWay))
    underWay = next
  }
  return [...found, ...(await underWay)]
}

/** Counted runs whose route may pass, judged by its bounds. */
function indexed({ $client: client }: Db, stretch: Stretch): Indexed[] {
  const box = bothEnds(stretchEnds(stretch))
  const rows = client.query<Indexed, number[]>(
    `SELECT workout_id AS id, started_at AS startedAtMs, trace
     FROM workout_route
     WHERE north_deg >= ? AND south_deg <= ? AND (${box.sql})`,
  )
  const leftOut = new Set(client.query('SELECT id FROM workout WHERE left_out = 1').values().flat())
  return rows.all(box.leastNorthDeg, box.mostSouthDeg, ...box.longitudes).filter(({ id }) => !leftOut.has(id))
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

async function measured({ db, worker }: Search, stretch: Stretch, some: readonly Candidate[]): Promise<RunPass[]> {
  const read = some.flatMap(({ id, startedAtMs }) => {
    const track = searchedTrack(db, id)
    // null: it was deleted meanwhile
    return track === null ? [] : { workoutId: id, startedAtMs, track }
  })
  const { passes } = await worker.ask('passes', { stretch, runs: read.map(({ track }) => track) })
  return read.flatMap(({ track: _, ...run }, k) => (passes[k] ?? []).map((pass) => ({ ...run, ...pass })))
}
