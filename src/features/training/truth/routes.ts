import type { Static } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { invalid } from '../../../base/errors.ts'
import { byOf } from '../../../http/author.ts'
import { call } from '../../../http/call.ts'
import { commit } from '../../../library/commit.ts'
import { deleteDocument } from '../../../library/delete-document.ts'
import type { Deps, DepsBy } from '../../../library/deps.ts'
import { announceReceipt } from '../../../library/receipts/record.ts'
import { type Mark, MOST_MARKS, markDocument, storedMarks } from '../../../library/training/documents.ts'
import { conditionsAnswer, fitnessAnswer, runAnswer } from './answers.ts'
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
    .get(
      '/fitness',
      async ({ query: sent }) => fitnessAnswer(await read(sent)),
      call('getFitness', 'Fitness at one heart rate against an earlier day, adjusted for conditions', {
        query: FitnessQuery,
        answer: FitnessAnswer,
        says:
          'Speed at the reference heart rate without heat, cold, wind, climb, length, hour, tiredness, place and device, fitted to ' +
          'steady runs of five years. `change` is null with a reason where there are too few of them, or where new runs do not fit ' +
          'older ones. While a fit takes longer than a moment the earlier one is answered, with `recomputing`, and ' +
          '`training.updated` follows.',
      }),
    )
    .get(
      '/fitness/:id',
      async ({ params: { id }, query: sent }) => runAnswer(deps, await read(sent), id),
      call('getFitnessOfWorkout', 'The pace of one run as the sum of its conditions', {
        path: { id: 'Workout' },
        query: FitnessQuery,
        answer: RunAnswer,
        says: 'The parts add up to the difference of both paces. 404 as well for a run that is not of the five years up to `day`.',
      }),
    )
    .get(
      '/conditions',
      async ({ query: sent }) => conditionsAnswer(await read(sent)),
      call('getConditions', 'What heat and other conditions cost this runner', {
        query: FitnessQuery,
        answer: ConditionsAnswer,
        says: "The runner's own heat curve from WBGT 12 to 32, what heat cost in the last full week, and the other conditions.",
      }),
    )
    .post(
      '/marks',
      ({ body, request, status }) => status(201, addMark({ ...deps, ...byOf(request) }, body)),
      call('createMark', 'Mark the first day of another heart rate sensor', {
        body: NewMark,
        answers: { 201: MarkAnswer },
        says:
          'Sensors read differently: without a mark a strap in the place of a wrist looks like a change of fitness. 400: there are ' +
          '100 marks already.',
        receipt: true,
      }),
    )
    .delete(
      '/marks/:id',
      ({ params: { id }, request, status }) => {
        deleteMark({ ...deps, ...byOf(request) }, id)
        return status(204)
      },
      call('deleteMark', 'Remove a mark', {
        path: { id: 'Mark' },
        statuses: [204],
        says: "The receipt's undo brings it back.",
        receipt: true,
      }),
    )
}

/** Marks a day from which on the runner wore another sensor. @throws AppError 400 */
function addMark(deps: DepsBy, body: Static<typeof NewMark>): Mark {
  const mark: Mark = { ...body, id: Bun.randomUUIDv7() }
  const receiptId = deps.db.transaction((tx) => {
    if (storedMarks(tx).length >= MOST_MARKS)
      throw invalid(`There are ${MOST_MARKS} marks already`, { code: 'limit_reached' })
    const changes = [{ kind: 'mark', id: mark.id, to: markDocument(mark) } as const]
    const receipt = { kind: 'edit', title: `Marked a new sensor: ${mark.name}` } as const
    return commit(tx, deps, deps.by, { receipt, groups: [{ changes, item: { outcome: 'created' } }] })
  })
  announceReceipt(deps, receiptId)
  return mark
}

function deleteMark(deps: DepsBy, id: string): void {
  deleteDocument(deps, ['mark', id], ({ name }) => `Removed the sensor mark ${name}`)
}
