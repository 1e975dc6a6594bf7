import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { createTurns } from '../../../base/turns.ts'
import { byOf } from '../../../http/author.ts'
import { call } from '../../../http/call.ts'
import { json } from '../../../http/json.ts'
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

const NoMembers = Type.Object({}, { description: 'May be absent; a body that is not a JSON object is 400' })

/** The settings route that also scores every workout; it is here because settings must not depend on workouts. */
export function zonesUpdateRoutes(deps: Deps) {
  const turns = createTurns({ atOnce: 1 })
  return new Elysia({ prefix: '/settings', tags: ['Settings'] }).post(
    '/heart-rate-zones/update-with-recalc',
    ({ body, request }) => updateZones({ ...deps, ...byOf(request) }, turns, body),
    call('setHeartRateZonesAndRecalculate', 'Store heart-rate zones and, when asked, score all workouts with them', {
      body: json(ZonesUpdate, { aliases: { ...ZONES_ALIASES, recalculateAll: 'recalculateExisting' } }),
      answer: UpdatedZones,
      says:
        'As the PUT; recalculateExisting scores all runs again before the answer. Zones and scores are stored ' +
        'together, or nothing is.',
      receipt: true,
    }),
  )
}

/** Efforts and splits of one run or of all, computed again. */
export function recalculationRoutes(deps: Deps) {
  const { db } = deps
  const by = (request: Request) => ({ ...deps, ...byOf(request) })
  return new Elysia({ prefix: '/workouts', tags: ['Recalculation'] })
    .post(
      '/:id/recalculate-effort',
      ({ params, request }) => recalculateEffort(by(request), params.id),
      call('recalculateWorkoutEffort', 'Score one workout with the stored zones', {
        path: { id: 'Workout' },
        parse: 'none',
        answer: RecalculatedEffort,
        statuses: [400],
        says: '400 when zones were never stored. Without a heart rate null is stored.',
        receipt: true,
      }),
    )
    .post(
      '/:id/recalculate-splits',
      ({ params, request }) => recalculateSplits(by(request), params.id),
      call('recalculateWorkoutSplits', 'Recalculate the splits of one workout in the preferred unit', {
        path: { id: 'Workout' },
        parse: 'none',
        answer: RecalculatedSplits,
        statuses: [400],
        says: 'Cut as an import in that unit would. 400 for a run without a route.',
        receipt: true,
      }),
    )
    .get(
      '/recalculate-relative-effort/count',
      () => ({ count: countWhere(db, SCORABLE) }),
      call('countEffortRecalculation', 'How many workouts have a heart rate to score', {
        answer: WorkoutCount,
        says: 'Runs with heart rate in the samples or in the raw FIT data, and those with an average alone.',
      }),
    )
    .post(
      '/recalculate-relative-effort',
      ({ request }) => recalculateAllEfforts(by(request)),
      call('recalculateEfforts', 'Score all workouts with the stored zones', {
        body: json(NoMembers, { optional: 'object' }),
        answer: EffortRecalculation,
        says:
          'Every run with a heart rate is scored again; one that cannot be read is listed and keeps its score. 400 ' +
          'when zones were never stored. Needs no body.',
        receipt: true,
      }),
    )
    .get(
      '/recalculate-splits/count',
      () => ({ count: countWhere(db, ROUTED) }),
      call('countSplitsRecalculation', 'How many workouts have a route', {
        answer: WorkoutCount,
        says: 'The number of runs that the recalculation would change.',
      }),
    )
    .post(
      '/recalculate-splits',
      ({ request }) => recalculateAllSplits(by(request)),
      call('recalculateSplits', 'Recalculate the splits of all workouts with a route in the preferred unit', {
        body: json(NoMembers, { optional: 'object' }),
        answer: SplitsRecalculation,
        says: 'Runs without a route are left out; one that cannot be read is listed. Needs no body.',
        receipt: true,
      }),
    )
}
