import { Elysia } from 'elysia'
import { AppError } from '../../../base/errors.ts'
import { createTurns } from '../../../base/turns.ts'
import { call } from '../../../http/call.ts'
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
  return new Elysia({ prefix: '/workouts', tags: ['Details of a run'] })
    .get(
      '/:id/similar-routes',
      ({ params, query }) => similarRoutes(deps, params.id, query),
      call('listSimilarRoutes', 'Earlier runs on much the same route, the most similar first', {
        path: { id: 'Workout' },
        query: SimilarParameters,
        answer: SimilarRoutes,
        says:
          'Compares course, direction and laps. Runs with a route that began earlier, within maxYears, and score at ' +
          'least 75; of equal scores the latest first. 400 for a run without a route.',
      }),
    )
    .get(
      '/:id/passes',
      ({ params, query, request: { signal } }) =>
        turns.take(() => passesOfStretch({ ...deps, signal }, params.id, query), signal),
      call('listPasses', 'All passes of the library through a section of a run, in both directions', {
        path: { id: 'Workout' },
        query: PassesParameters,
        answer: Passes,
        statuses: [503],
        says:
          'Also finds the section as a part of other runs that are not excluded. One question is answered at a time; ' +
          '503 with Retry-After when 64 wait. 400 without a route or recorded times, and for a section under 100 m, ' +
          'outside of the run or where it has no positions.',
      }),
    )
    .get(
      '/:id/ghost/:otherId',
      ({ params }) => raceAgainst(deps, params),
      call('getGhost', 'A run against another one on its route: the gap along the way, and its parts', {
        path: { id: 'Workout', otherId: 'Workout' },
        answer: GhostRace,
        statuses: [400],
        says:
          'Says at each point of the ground that both runs share who is ahead, and by how much. 400 for a run without ' +
          'a route or recorded times, and when less than half of the run is shared this way round.',
      }),
    )
}

function crowded(): AppError {
  const headers = { 'Retry-After': String(RETRY_S) }
  return new AppError('unavailable', 'Too many questions about passes are waiting, try again', { headers })
}
