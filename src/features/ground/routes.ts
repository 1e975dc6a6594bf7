import { Elysia } from 'elysia'
import { accepts } from '../../http/compression.ts'
import { bytesResponse, responses } from '../../http/openapi.ts'
import { pathIds } from '../../http/path-ids.ts'
import { query } from '../../http/query.ts'
import type { Deps } from '../../library/deps.ts'
import type { PlaceDeps } from '../../library/photo-places.ts'
import { tilePath } from '../map/address.ts'
import { createStartPlaces } from '../places/queries.ts'
import { createCounted, createRevision } from './counted.ts'
import { createHeat, heatSummary } from './heat.ts'
import { runsHidden, runsNear } from './near.ts'
import { createdRuns, groundNews } from './news.ts'
import { photosIn } from './photos.ts'
import { runGround } from './run-ground.ts'
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
import { squarePath } from './square-path.ts'
import { createSquares, oneSquare, squaresAnswer, squaresIn } from './squares.ts'

/** Where all the runs went. */
export function groundRoutes(deps: PlaceDeps & Pick<Deps, 'jwtSecret'>) {
  const { db } = deps
  const [counted, revision, places] = [createCounted(db), createRevision(db), createStartPlaces(deps)]
  const heat = createHeat({ db, counted, revision })
  const squares = createSquares(db, counted)
  return new Elysia({ tags: ['Places'] })
    .get('/map/heat', ({ query: filter }) => heatSummary(db, counted(filter), places().places), {
      ...query(RunFilter),
      response: { 200: HeatSummary },
      detail: { summary: 'How many runs the heat map shows, where they are, and where it opens' },
    })
    .get(
      '/map/heat/:z/:x/:y',
      async ({ params, query: filter, request }) => {
        counted(filter)
        const headers = { ETag: `"${revision()}"`, 'Cache-Control': 'private, no-cache', Vary: 'Accept-Encoding' }
        const known = request.headers.get('if-none-match')?.split(',') ?? []
        if (known.some((tag) => tag.trim() === headers.ETag)) return new Response(null, { status: 304, headers })
        const codes = await heat.tile(params, { filter, signal: request.signal })
        if (codes === null) return new Response(null, { status: 204, headers })
        const isPacked = accepts(request, 'gzip')
        const packed = { 'Content-Type': 'application/octet-stream', 'X-Content-Type-Options': 'nosniff' }
        return new Response(isPacked ? codes : Bun.gunzipSync(codes), {
          headers: { ...headers, ...packed, ...(isPacked ? { 'Content-Encoding': 'gzip' } : {}) },
        })
      },
      {
        params: tilePath(),
        ...query(RunFilter),
        detail: {
          summary: 'One tile of the heat map: how many runs touch each pixel, 65,536 bytes; zoom 6 to 15',
          responses: {
            200: bytesResponse(200),
            ...responses(204, 304, 400, 404, 503).responses,
          },
        },
      },
    )
    .get('/map/runs', ({ query: asked }) => runsNear(db, counted(asked), asked), {
      ...query(NearQuery),
      response: { 200: NearAnswer },
      detail: { summary: 'Runs that pass a place, the latest first' },
    })
    .get('/map/photos', ({ query: asked }) => photosIn(deps, counted(asked), asked), {
      ...query(PhotosQuery),
      response: { 200: PhotosAnswer },
      detail: { summary: 'Photos of a part of the map, the latest first' },
    })
    .get('/map/hidden', ({ query: asked }) => runsHidden(deps, counted({}), asked), {
      ...query(HiddenQuery),
      response: { 200: HiddenAnswer },
      detail: { summary: 'Runs that a hidden place would trim, the latest first' },
    })
    .get('/map/squares', async ({ query: filter }) => await squaresAnswer(db, await squares(filter)), {
      ...query(RunFilter),
      response: { 200: SquaresAnswer },
      detail: { summary: 'How many squares of the map runs went through, and the largest block of them' },
    })
    .get('/map/new-ground', async ({ query: filter }) => groundNews(await squares({}), counted(filter).ids), {
      ...query(RunFilter),
      response: { 200: GroundNews },
      detail: { summary: 'What was new in the runs that fit' },
    })
    .get(
      '/receipts/:id/ground',
      async ({ params: { id } }) => {
        const ids = createdRuns(db, id)
        return groundNews(await squares({}), ids)
      },
      {
        params: pathIds({ id: 'Receipt' }),
        response: { 200: GroundNews },
        detail: { summary: 'What was new in the runs that an import brought' },
      },
    )
    .get('/map/squares/in', async ({ query: asked }) => squaresIn(await squares(asked), asked), {
      ...query(SquaresQuery),
      response: { 200: SquareList },
      detail: { summary: 'The visited squares of a part of the map' },
    })
    .get('/map/squares/:x/:y', async ({ params }) => oneSquare(await squares({}), params), {
      params: squarePath(),
      response: { 200: OneSquare },
      detail: { summary: 'The first and the last run of a square', ...responses(404) },
    })
    .get(
      '/workouts/:id/ground',
      async ({ params: { id } }) =>
        runGround(db, id, { squares: await squares({}), placeOf: (run) => places().placeOf.get(run) ?? null }),
      {
        params: pathIds({ id: 'Workout' }),
        response: { 200: RunGround },
        detail: { summary: 'The squares of a run, and how much of it is new ground' },
      },
    )
}
