import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { notFound } from '../../base/errors.ts'
import { isObject } from '../../base/json-object.ts'
import type { Db } from '../../db/open.ts'
import { isoTimeOrNull } from '../../engine/calendar/timestamp.ts'
import { SIDE, type Square } from '../../engine/ground/squares.ts'
import { roundHalfUp } from '../../engine/units.ts'
import { call } from '../../http/call.ts'
import { accepts } from '../../http/compression.ts'
import { isTagKnown } from '../../http/file-response.ts'
import { bytesResponse } from '../../http/openapi.ts'
import { integer } from '../../http/schemas.ts'
import { type Reader, reader } from '../../http/standard.ts'
import type { Deps } from '../../library/deps.ts'
import { type PlaceDeps, placeFew, TAKEN_MS } from '../../library/photo-places.ts'
import { tilePath } from '../map/client.ts'
import { createStartPlaces } from '../places/queries.ts'
import { type Counted, createCounted, createRevision } from './counted.ts'
import { createHeat, heatSummary } from './heat.ts'
import { runsHidden, runsNear } from './near.ts'
import {
  GroundNews,
  HeatSummary,
  HiddenAnswer,
  HiddenQuery,
  NearAnswer,
  NearQuery,
  OneSquare,
  PhotosAnswer,
  PhotosQuery,
  RunFilter,
  RunGround,
  SquareList,
  SquaresAnswer,
  SquaresQuery,
} from './schemas.ts'
import { createSquares, oneSquare, runGround, squaresAnswer, squaresIn, type VisitedSquares } from './squares.ts'

export function groundRoutes(deps: PlaceDeps & Pick<Deps, 'jwtSecret'>) {
  const { db } = deps
  const [counted, revision, places] = [createCounted(db), createRevision(db), createStartPlaces(deps)]
  const heat = createHeat(db)
  const squares = createSquares(db, counted)
  return new Elysia({ tags: ['Map'] })
    .get(
      '/map/heat',
      ({ query: filter }) => heatSummary(db, counted(filter), places().places),
      call('getHeatMap', 'How many runs the heat map shows, where they are, and where it opens', {
        query: RunFilter,
        answer: HeatSummary,
        says: 'Of the runs that count in statistics, fit and have a route.',
      }),
    )
    .get(
      '/map/heat/:z/:x/:y',
      async ({ params, query: filter, request }) => {
        const runs = counted(filter)
        const headers = { ETag: `"${revision()}"`, 'Cache-Control': 'private, no-cache', Vary: 'Accept-Encoding' }
        if (isTagKnown(request.headers.get('if-none-match'), headers.ETag))
          return new Response(null, { status: 304, headers })
        const codes = await heat(params, { runs, signal: request.signal })
        if (codes === null) return new Response(null, { status: 204, headers })
        const isPacked = accepts(request, 'gzip')
        const packed = { 'Content-Type': 'application/octet-stream', 'X-Content-Type-Options': 'nosniff' }
        return new Response(isPacked ? Bun.gzipSync(codes, { level: 1 }) : codes, {
          headers: { ...headers, ...packed, ...(isPacked ? { 'Content-Encoding': 'gzip' } : {}) },
        })
      },
      call('getHeatTile', 'One tile of the heat map: how many runs touch each pixel, 65,536 bytes; zoom 6 to 15', {
        params: tilePath(),
        query: RunFilter,
        statuses: [204, 304, 503],
        says:
          'A byte is min(255, ⌊19·log2(n + 1) + ½⌋) of the n runs that touch the pixel, each once; 256 rows from the north, ' +
          'in Web Mercator. 204: no run. 404: another zoom, or outside of the world. 503: too many wait. The ETag holds ' +
          'until something in the library changes.',
        responses: { 200: bytesResponse(200) },
      }),
    )
    .get(
      '/map/runs',
      ({ query }) => runsNear(db, counted(query), query),
      call('listRunsNear', 'Runs that pass a place, the latest first', {
        query: NearQuery,
        answer: NearAnswer,
        says: 'By the distance to the stored lines. startLat, startLon and startM: 400 unless all three are sent or none.',
      }),
    )
    .get(
      '/map/photos',
      ({ query }) => photosIn(deps, counted(query), query),
      call('listMapPhotos', 'Photos of a part of the map, the latest first', {
        query: PhotosQuery,
        answer: PhotosAnswer,
        says: 'Of counted runs with a route, placed by their own position within 2 km of it, else by the time of the run.',
      }),
    )
    .get(
      '/map/hidden',
      ({ query }) => runsHidden(deps, counted({}), query),
      call('listRunsOfHiddenPlace', 'Runs that a hidden place would trim, the latest first', {
        query: HiddenQuery,
        answer: HiddenAnswer,
        says:
          'Runs whose line enters the circle that would hide the place, so that both can be shown before it is ' +
          'hidden. Without placeId runs within hideM of the place are listed. At most 50 are.',
      }),
    )
    .get(
      '/map/squares',
      async ({ query: filter }) => await squaresAnswer(db, await squares(filter)),
      call('getSquares', 'How many squares of the map runs went through, and the largest block of them', {
        query: RunFilter,
        answer: SquaresAnswer,
        says:
          'Squares are tiles of zoom 14. The largest block is of n by n visited squares; the cluster is of ' +
          'those whose four neighbours are visited.',
      }),
    )
    .get(
      '/map/new-ground',
      async ({ query: filter }) => groundNews(await squares({}), counted(filter).ids),
      call('getNewGround', 'What was new in the runs that fit', {
        query: RunFilter,
        answer: GroundNews,
        says:
          'A square is new in the run that was the first there, of all that count. Filters are those of GET ' +
          '/map/squares.',
      }),
    )
    .get(
      '/receipts/:id/ground',
      async ({ params: { id } }) => {
        const ids = createdRuns(db, id)
        return groundNews(await squares({}), ids)
      },
      call('getReceiptGround', 'What was new in the runs that an import brought', {
        path: { id: 'Receipt' },
        answer: GroundNews,
        says: 'Of runs that came with this receipt and are still there.',
      }),
    )
    .get(
      '/map/squares/in',
      async ({ query }) => squaresIn(await squares(query), query),
      call('listSquares', 'The visited squares of a part of the map', {
        query: SquaresQuery,
        answer: SquareList,
        says: 'Both corners are included. 400 for more than 65,536 squares.',
      }),
    )
    .get(
      '/map/squares/:x/:y',
      async ({ params }) => oneSquare(await squares({}), params),
      call('getSquare', 'The first and the last run of a square', {
        params: squarePath(),
        answer: OneSquare,
        says: '404 outside of the world.',
      }),
    )
    .get(
      '/workouts/:id/ground',
      async ({ params: { id } }) =>
        runGround(db, id, { squares: await squares({}), placeOf: (run) => places().placeOf.get(run) ?? null }),
      call('getRunGround', 'The squares of a run, and how much of it is new ground', {
        path: { id: 'Workout' },
        answer: RunGround,
        says: 'Compared with counted runs that started before. Without a route zeros and nulls.',
      }),
    )
}

/** What was new in some runs: squares that one of them was the first in, and metres of new ground. */
function groundNews({ runs, visits, newM }: VisitedSquares, ids: ReadonlySet<string>): Static<typeof GroundNews> {
  const isChosen = runs.map(({ id }) => ids.has(id))
  let newSquares = 0
  for (const { first } of visits.values()) if (isChosen[first]) newSquares += 1
  const metres = newM.reduce((sum, one, place) => sum + (isChosen[place] ? one : 0), 0)
  return { newSquares, newM: roundHalfUp(metres, 1) }
}

/** Runs that came with a receipt. @throws AppError 404 */
function createdRuns({ $client: client }: Db, receiptId: string): ReadonlySet<string> {
  if (client.query('SELECT 1 FROM receipt WHERE id = ?').get(receiptId) === null) throw notFound('Receipt')
  const rows = client
    .query<{ id: string }, [string]>(
      "SELECT workout_id AS id FROM receipt_item WHERE receipt_id = ? AND outcome = 'created' AND workout_id IS NOT NULL",
    )
    .all(receiptId)
  return new Set(rows.map(({ id }) => id))
}

const MOST_PHOTOS = 500

interface Found {
  readonly id: string
  readonly workoutId: string
  readonly lat: number
  readonly lon: number
  readonly takenMs: number | null
}

/** Photos of counted runs within bounds, the latest first; east of less than west crosses the antimeridian. */
async function photosIn(
  deps: PlaceDeps,
  { ids }: Counted,
  { west, south, east, north }: Pick<Static<typeof PhotosQuery>, 'west' | 'south' | 'east' | 'north'>,
): Promise<Static<typeof PhotosAnswer>> {
  await placeFew(deps)
  const found = deps.db.$client
    .query<Found, [number, number, number, number]>(
      `SELECT media.id, place.workout_id AS workoutId, place.lat, place.lon,
         ${TAKEN_MS} AS takenMs
       FROM media_place AS place JOIN media ON media.id = place.media_id JOIN media_stated USING (media_id)
       JOIN workout ON workout.id = place.workout_id
       WHERE place.lat BETWEEN ?2 AND ?4 AND mime_type LIKE 'image/%'
         AND iif(?1 <= ?3, place.lon BETWEEN ?1 AND ?3, place.lon >= ?1 OR place.lon <= ?3)
       ORDER BY coalesce(takenMs, started_at) DESC, media.id`,
    )
    .all(west, south, east, north)
    .filter(({ workoutId }) => ids.has(workoutId))
  return {
    count: found.length,
    photos: found.slice(0, MOST_PHOTOS).map(({ takenMs, ...photo }) => ({ ...photo, takenAt: isoTimeOrNull(takenMs) })),
  }
}

const SquarePath = Type.Object({
  x: integer({ minimum: 0, maximum: SIDE - 1, description: 'Column of a tile of zoom 14' }),
  y: integer({ minimum: 0, maximum: SIDE - 1, description: 'Its row' }),
})

/** The route option `params` of a square; an address outside of the world is answered like an unknown one, 404. */
function squarePath(): Reader<Square> {
  return reader(SquarePath, (params) => {
    const sent = isObject(params) ? params : {}
    const within = (text: unknown) => {
      const value = typeof text === 'string' && /^\d{1,5}$/.test(text) ? Number(text) : SIDE
      if (value >= SIDE) throw notFound('Tile')
      return value
    }
    return { x: within(sent.x), y: within(sent.y) }
  })
}
