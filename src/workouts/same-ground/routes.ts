import { Elysia } from 'elysia'
import type { Deps } from '../../deps.ts'
import { pathIds } from '../../http/path-ids.ts'
import { query } from '../../http/query.ts'
import { ErrorBody } from '../../http/schemas.ts'
import { SimilarParameters, SimilarRoutes } from '../schemas.ts'
import { raceAgainst } from './ghost.ts'
import { GhostRace } from './ghost-schemas.ts'
import { passesOfStretch } from './passes.ts'
import { Passes, PassesParameters } from './passes-schemas.ts'
import { similarRoutes } from './similar.ts'

/** Runs compared with others on the same ground. */
export function sameGroundRoutes(deps: Deps) {
  return new Elysia({ prefix: '/workouts', tags: ['Workouts'] })
    .get('/:id/similar-routes', ({ params, query: asked }) => similarRoutes(deps, params.id, asked), {
      params: pathIds({ id: 'Workout' }),
      ...query(SimilarParameters),
      response: { 200: SimilarRoutes },
      detail: { summary: 'Earlier runs on much the same route, the most similar first' },
    })
    .get('/:id/passes', ({ params, query: asked }) => passesOfStretch(deps, params.id, asked), {
      params: pathIds({ id: 'Workout' }),
      ...query(PassesParameters),
      response: { 200: Passes },
      detail: { summary: 'All passes of the library through a stretch of a run, either way round' },
    })
    .get('/:id/ghost/:otherId', ({ params }) => raceAgainst(deps, params), {
      params: pathIds({ id: 'Workout', otherId: 'Workout' }),
      response: { 200: GhostRace, 400: ErrorBody },
      detail: { summary: 'A run against another one on its route: the gap along the way, and what it is made of' },
    })
}
