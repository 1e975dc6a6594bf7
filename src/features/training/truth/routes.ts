import { Elysia } from 'elysia'
import { byOf } from '../../../http/author.ts'
import { json } from '../../../http/json.ts'
import { responses } from '../../../http/openapi.ts'
import { pathIds } from '../../../http/path-ids.ts'
import { query } from '../../../http/query.ts'
import type { Deps } from '../../../library/deps.ts'
import { conditionsAnswer, fitnessAnswer, runAnswer } from './answers.ts'
import { addMark, deleteMark } from './marks.ts'
import type { Training } from './readings.ts'
import { ConditionsAnswer, FitnessAnswer, FitnessQuery, MarkAnswer, NewMark, RunAnswer } from './schemas.ts'

/** Whether the runner is getting better, with the conditions taken out. */
export function truthRoutes(deps: Deps, { library, readings }: Training) {
  const read = (asked: Parameters<typeof readings.read>[0]) =>
    library.current(async (isOld) => {
      const { found, recomputing } = await readings.read(asked)
      return { found, recomputing: recomputing || isOld }
    })
  return new Elysia({ prefix: '/truth', tags: ['Truth'] })
    .get('/fitness', async ({ query: sent }) => fitnessAnswer(await read(sent)), {
      ...query(FitnessQuery),
      response: { 200: FitnessAnswer },
      detail: { summary: 'Fitness at one heart rate against an earlier day, adjusted for conditions' },
    })
    .get('/fitness/:id', async ({ params: { id }, query: sent }) => runAnswer(deps, await read(sent), id), {
      params: pathIds({ id: 'Workout' }),
      ...query(FitnessQuery),
      response: { 200: RunAnswer },
      detail: { summary: 'The pace of one run as the sum of its conditions' },
    })
    .get('/conditions', async ({ query: sent }) => conditionsAnswer(await read(sent)), {
      ...query(FitnessQuery),
      response: { 200: ConditionsAnswer },
      detail: { summary: 'What heat and other conditions cost this runner' },
    })
    .post('/marks', ({ body, request, status }) => status(201, addMark({ ...deps, ...byOf(request) }, body)), {
      ...json(NewMark),
      response: { 201: MarkAnswer },
      detail: { summary: 'Mark the first day of another heart rate sensor' },
    })
    .delete(
      '/marks/:id',
      ({ params: { id }, request, status }) => {
        deleteMark({ ...deps, ...byOf(request) }, id)
        return status(204)
      },
      { params: pathIds({ id: 'Mark' }), detail: { summary: 'Remove a mark', ...responses(204, 401, 404) } },
    )
}
