import { AppError, notFound } from '../../base/errors.ts'
import { gently } from '../../base/pace.ts'
import { createTurns } from '../../base/turns.ts'
import type { Db } from '../../db/open.ts'
import { createHeatTile, HEAT_ZOOMS, squaresOfTile, type Tile } from '../../engine/ground/heat.ts'
import { MOST_RUNS, squareOfKey, squareRowId } from '../../engine/ground/squares.ts'
import { roundHalfUp } from '../../engine/units.ts'
import { olderRuns } from '../../library/derive.ts'
import type { StartPlace } from '../places/queries.ts'
import type { Counted, Filter } from './counted.ts'

/** Answers kept until the library changes. */
const MOST_BYTES = 2 * 1_048_576
const ROWS_AT_ONCE = 256
/** Several screens full. */
const MOST_WAITING = 300
const RUN_SPAN = MOST_RUNS + 1
const GZIP = { level: 1 } as const

interface Asked {
  readonly filter: Filter
  readonly signal: AbortSignal
}

interface Needs {
  readonly db: Db
  readonly counted: (filter: Filter) => Counted
  readonly revision: () => string
}

export function createHeat({ db, counted, revision }: Needs) {
  const turns = createTurns({
    atOnce: 1,
    mostWaiting: MOST_WAITING,
    refusal: (why) => new AppError('unavailable', why, { headers: { 'Retry-After': '1' } }),
  })
  /** In order of last use; null: no run. */
  const answers = new Map<string, Uint8Array<ArrayBuffer> | null>()
  let [bytes, of] = [0, '']
  const keep = (key: string, answer: Uint8Array<ArrayBuffer> | null) => {
    answers.set(key, answer)
    bytes += key.length + (answer?.length ?? 0)
    for (const [oldest, gone] of answers) {
      if (bytes <= MOST_BYTES) break
      answers.delete(oldest)
      bytes -= oldest.length + (gone?.length ?? 0)
    }
  }
  const found = (key: string, now: string) => {
    if (of !== now) {
      answers.clear()
      of = now
      bytes = 0
    }
    const answer = answers.get(key)
    if (answer === undefined) return undefined
    answers.delete(key)
    answers.set(key, answer)
    return answer
  }
  return {
    /** The codes of a tile, gzipped; null: no run went there. @throws AppError 400, 404, 503 */
    tile: async (tile: Tile, { filter, signal }: Asked): Promise<Uint8Array<ArrayBuffer> | null> => {
      const [least, most] = HEAT_ZOOMS
      if (tile.z < least || tile.z > most) throw notFound('Tile')
      const known = () => found(`${tile.z}/${tile.x}/${tile.y} ${counted(filter).key}`, revision())
      const before = known()
      if (before !== undefined) return before
      return await turns.take(async () => {
        const meanwhile = known()
        if (meanwhile !== undefined) return meanwhile
        const runs = counted(filter)
        const now = revision()
        const codes = await drawn(db, { tile, runs, signal })
        const answer = codes && Bun.gzipSync(codes, GZIP)
        // what changed meanwhile may or may not be drawn
        if (now === revision() && of === now) keep(`${tile.z}/${tile.x}/${tile.y} ${runs.key}`, answer)
        return answer
      }, signal)
    },
  }
}

interface Drawing {
  readonly tile: Tile
  readonly runs: Counted
  readonly signal: AbortSignal
}

async function drawn(db: Db, { tile, runs: { isCounted }, signal }: Drawing) {
  const heat = createHeatTile(tile)
  const batch = db.$client.query<{ id: number; line: Uint8Array }, [number, number, number]>(
    'SELECT id, line FROM ground_square WHERE id > ? AND id <= ? ORDER BY id LIMIT ?',
  )
  const { x0, x1, y0, y1 } = squaresOfTile(tile)
  for (let x = x0; x <= x1; x += 1) {
    const last = squareRowId({ x, y: y1 }, MOST_RUNS)
    for (let after = squareRowId({ x, y: y0 }, 0); ; ) {
      const rows = batch.all(after, last, ROWS_AT_ONCE)
      for (const { id, line } of rows) {
        const run = id % RUN_SPAN
        if (isCounted[run] === 1) heat.draw(squareOfKey(Math.floor(id / RUN_SPAN)), run, line)
      }
      await gently()
      signal.throwIfAborted()
      if (rows.length < ROWS_AT_ONCE) break
      after = rows.at(-1)!.id
    }
  }
  return heat.codes()
}

/** How many runs the map shows, where they are, and where it opens. */
export function heatSummary(db: Db, { ids }: Counted, places: readonly StartPlace[]) {
  const rows = db.$client
    .query<{ id: string; m: number; west: number; south: number; east: number; north: number }, []>(
      `SELECT workout_id AS id, workout.distance_m AS m, west_deg AS west, south_deg AS south, east_deg AS east,
         north_deg AS north FROM workout_route JOIN workout ON workout.id = workout_id`,
    )
    .all()
  let [runs, distanceM] = [0, 0]
  let [west, south, east, north] = [180, 90, -180, -90]
  for (const row of rows) {
    if (!ids.has(row.id)) continue
    runs += 1
    distanceM += row.m
    west = Math.min(west, row.west)
    south = Math.min(south, row.south)
    east = Math.max(east, row.east)
    north = Math.max(north, row.north)
  }
  const home = places.find(({ isHome }) => isHome)
  return {
    runs,
    distanceM: roundHalfUp(distanceM, 1),
    bounds: runs === 0 ? null : { west, south, east, north },
    home: home === undefined ? null : { lat: home.lat, lon: home.lon },
    filling: olderRuns(db),
  }
}
