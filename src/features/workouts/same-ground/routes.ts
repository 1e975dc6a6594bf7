import { Elysia } from 'elysia'
import { AppError } from '../../../base/errors.ts'
import { createTurns } from '../../../base/turns.ts'
import { query } from '../../../http/query.ts'
import { ErrorBody } from '../../../http/schemas.ts'
import { pathIds } from '../../../http/standard.ts'
import type { Deps } from '../../../library/deps.ts'
import { SimilarParameters, SimilarRoutes } from '../schemas.ts'
import { raceAgainst } from './ghost.ts'
import { GhostRace } from './ghost-schemas.ts'
import { passesOfStretch } from './passes.ts'
import { Passes, PassesParameters } from './passes-schemas.ts'
import { similarRoutes } from './similar.ts'

/** Questions about passes that wait while one is answered. */
const MOST_WAITING = 64
const RETRY_S = 5

export function sameGroundRoutes(deps: Deps) {
  const turns = createTurns({ atOnce: 1, mostWaiting: MOST_WAITING, refusal: crowded })
  return new Elysia({ prefix: '/workouts', tags: ['Workouts'] })
    .get('/:id/similar-routes', ({ params, query: asked }) => similarRoutes(deps, params.id, asked), {
      params: pathIds({ id: 'Workout' }),
      ...query(SimilarParameters),
      response: { 200: SimilarRoutes },
      detail: { summary: 'Earlier runs on much the same route, the most similar first' },
    })
    .get(
      '/:id/passes',
      ({ params, query: asked, request: { signal } }) =>
        turns.take(() => passesOfStretch({ ...deps, signal }, params.id, asked), signal),
      {
        params: pathIds({ id: 'Workout' }),
        ...query(PassesParameters),
        response: { 200: Passes, 503: ErrorBody },
        detail: { summary: 'All passes of the library through a section of a run, in both directions' },
      },
    )
    .get('/:id/ghost/:otherId', ({ params }) => raceAgainst(deps, params), {
      params: pathIds({ id: 'Workout', otherId: 'Workout' }),
      response: { 200: GhostRace, 400: ErrorBody },
      detail: { summary: 'A run against another one on its route: the gap along the way, and its parts' },
    })
}

function crowded(): AppError {
  const headers = { 'Retry-After': String(RETRY_S) }
  return new AppError('unavailable', 'Too many questions about passes are waiting, try again', { headers })
}
