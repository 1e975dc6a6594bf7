import { AppError, notFound } from '../../base/errors.ts'
import { createTurns } from '../../base/turns.ts'
import type { Db } from '../../db/open.ts'
import { createHeatTile, HEAT_ZOOMS, squaresOfTile, type Tile } from '../../engine/ground/heat.ts'
import { MOST_RUNS, squareOfKey, squareRowId } from '../../engine/ground/squares.ts'
import { distanceM } from '../../engine/ground/starts.ts'
import { roundHalfUp } from '../../engine/units.ts'
import { olderRuns } from '../../library/derive.ts'
import type { StartPlace } from '../places/queries.ts'
import { type Counted, squareRows } from './counted.ts'

/** Several screens full. */
const MOST_WAITING = 300
const RUN_SPAN = MOST_RUNS + 1

interface Asked {
  readonly runs: Counted
  readonly signal: AbortSignal
}

/** @returns draws a tile: the codes of its pixels; null: no run went there @throws AppError 404, 503 */
export function createHeat(db: Db) {
  const turns = createTurns({
    atOnce: 1,
    mostWaiting: MOST_WAITING,
    refusal: (why) => new AppError('unavailable', why, { headers: { 'Retry-After': '1' } }),
  })
  return (tile: Tile, { runs, signal }: Asked): Promise<Uint8Array<ArrayBuffer> | null> => {
    const [least, most] = HEAT_ZOOMS
    if (tile.z < least || tile.z > most) throw notFound('Tile')
    return turns.take(() => drawn(db, tile, { runs, signal }), signal)
  }
}

async function drawn(db: Db, tile: Tile, { runs: { isCounted }, signal }: Asked) {
  const heat = createHeatTile(tile)
  const { x0, x1, y0, y1 } = squaresOfTile(tile)
  for (let x = x0; x <= x1; x += 1) {
    const span = [squareRowId({ x, y: y0 }, 0), squareRowId({ x, y: y1 }, MOST_RUNS)] as const
    for await (const rows of squareRows<{ line: Uint8Array }>(db, 'line', span)) {
      for (const { id, line } of rows) {
        const run = id % RUN_SPAN
        if (isCounted[run] === 1) heat.draw(squareOfKey(Math.floor(id / RUN_SPAN)), run, line)
      }
      signal.throwIfAborted()
    }
  }
  return heat.codes()
}

type Bounds = { west: number; south: number; east: number; north: number }

/** Runs within so much of home are about it. */
const NEAR_M = 25_000

const emptyBounds = (): Bounds => ({ west: 180, south: 90, east: -180, north: -90 })

function extend(bounds: Bounds, { west, south, east, north }: Bounds): void {
  bounds.west = Math.min(bounds.west, west)
  bounds.south = Math.min(bounds.south, south)
  bounds.east = Math.max(bounds.east, east)
  bounds.north = Math.max(bounds.north, north)
}

function isNear(home: { readonly lat: number; readonly lon: number }, { west, south, east, north }: Bounds): boolean {
  return [south, north].every((lat) => [west, east].every((lon) => distanceM(home, { lat, lon }) <= NEAR_M))
}

/** How many runs the map shows, where they are, and where it opens. */
export function heatSummary(db: Db, { ids }: Counted, places: readonly StartPlace[]) {
  const rows = db.$client
    .query<{ id: string; m: number; west: number; south: number; east: number; north: number }, []>(
      `SELECT workout_id AS id, workout.distance_m AS m, west_deg AS west, south_deg AS south, east_deg AS east,
         north_deg AS north FROM workout_route JOIN workout ON workout.id = workout_id`,
    )
    .all()
  const home = places.find(({ isHome }) => isHome)
  let [runs, metres] = [0, 0]
  const [all, around] = [emptyBounds(), emptyBounds()]
  for (const row of rows) {
    if (!ids.has(row.id)) continue
    runs += 1
    metres += row.m
    extend(all, row)
    if (home !== undefined && isNear(home, row)) extend(around, row)
  }
  return {
    runs,
    distanceM: roundHalfUp(metres, 1),
    bounds: runs === 0 ? null : all,
    around: around.west > around.east ? null : around,
    home: home === undefined ? null : { lat: home.lat, lon: home.lon },
    filling: olderRuns(db),
  }
}
