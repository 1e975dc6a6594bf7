import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { createTurns } from '../../../base/turns.ts'
import { byOf } from '../../../http/author.ts'
import { json } from '../../../http/json.ts'
import { ErrorBody } from '../../../http/schemas.ts'
import { pathIds } from '../../../http/standard.ts'
import type { Deps } from '../../../library/deps.ts'
import { ZONES_ALIASES } from '../../settings/schemas.ts'
import { countWhere, ROUTED, SCORABLE } from '../queries.ts'
import {
  EffortRecalculation,
  RecalculatedEffort,
  RecalculatedSplits,
  SplitsRecalculation,
  WorkoutCount,
} from '../schemas.ts'
import { recalculateAllEfforts, recalculateAllSplits, recalculateEffort, recalculateSplits } from './recalculate.ts'
import { UpdatedZones, updateZones, ZonesUpdate } from './update-zones.ts'

const NoMembers = Type.Object({}, { description: 'May be absent', examples: [{}] })

/** The settings route that also scores every workout; it is here because settings must not depend on workouts. */
export function zonesUpdateRoutes(deps: Deps) {
  const turns = createTurns({ atOnce: 1 })
  return new Elysia({ prefix: '/settings', tags: ['Settings'] }).post(
    '/heart-rate-zones/update-with-recalc',
    ({ body, request }) => updateZones({ ...deps, ...byOf(request) }, turns, body),
    {
      ...json(ZonesUpdate, { aliases: { ...ZONES_ALIASES, recalculateAll: 'recalculateExisting' } }),
      response: { 200: UpdatedZones },
      detail: { summary: 'Store heart-rate zones and, when asked, score all workouts with them' },
    },
  )
}

/** Efforts and splits of one run or of all, computed again. */
export function recalculationRoutes(deps: Deps) {
  const { db } = deps
  const by = (request: Request) => ({ ...deps, ...byOf(request) })
  return new Elysia({ prefix: '/workouts', tags: ['Workouts'] })
    .post('/:id/recalculate-effort', ({ params, request }) => recalculateEffort(by(request), params.id), {
      params: pathIds({ id: 'Workout' }),
      parse: 'none',
      response: { 200: RecalculatedEffort, 400: ErrorBody },
      detail: { summary: 'Score one workout with the stored zones' },
    })
    .post('/:id/recalculate-splits', ({ params, request }) => recalculateSplits(by(request), params.id), {
      params: pathIds({ id: 'Workout' }),
      parse: 'none',
      response: { 200: RecalculatedSplits, 400: ErrorBody },
      detail: { summary: 'Recalculate the splits of one workout in the preferred unit' },
    })
    .get('/recalculate-relative-effort/count', () => ({ count: countWhere(db, SCORABLE) }), {
      response: { 200: WorkoutCount },
      detail: { summary: 'How many workouts have a heart rate to score' },
    })
    .post('/recalculate-relative-effort', ({ request }) => recalculateAllEfforts(by(request)), {
      ...json(NoMembers, { optional: 'object' }),
      response: { 200: EffortRecalculation },
      detail: { summary: 'Score all workouts with the stored zones' },
    })
    .get('/recalculate-splits/count', () => ({ count: countWhere(db, ROUTED) }), {
      response: { 200: WorkoutCount },
      detail: { summary: 'How many workouts have a route' },
    })
    .post('/recalculate-splits', ({ request }) => recalculateAllSplits(by(request)), {
      ...json(NoMembers, { optional: 'object' }),
      response: { 200: SplitsRecalculation },
      detail: { summary: 'Recalculate the splits of all workouts with a route in the preferred unit' },
    })
}
