import { Elysia } from 'elysia'
import type { Turns } from '../../base/turns.ts'
import { byOf } from '../../http/author.ts'
import { call } from '../../http/call.ts'
import { json } from '../../http/json.ts'
import type { Deps } from '../../library/deps.ts'
import { detailResponse } from '../workouts/detail.ts'
import { WorkoutDetail } from '../workouts/schemas.ts'
import { listReceipts, receiptDetail } from './queries.ts'
import {
  ItemsQuery,
  PageQuery,
  ReceiptDetail,
  ReceiptPage,
  ReceiptsQuery,
  TrashPage,
  UndoAnswer,
  UndoRequest,
} from './schemas.ts'
import { deleteFromTrash, emptyTrash, listTrash, restoreFromTrash } from './trash.ts'
import { undoReceipt } from './undo.ts'

const UNDO =
  'Imported runs move to the trash, deleted ones come back with all they had, others return to their state before. The newest ' +
  'change is undone first, each in one transaction; after a crash the same call continues. Runs that were edited later stay, ' +
  'listed in kept: photos, weather and upgrades since do not count as edits. Settings of a restore go back one by one, unless ' +
  'changed since; a shoe returns, but runs that got another one keep that. Undoing the receipt of the undo is a redo. 400: it ' +
  'is in progress, a recalculation, too old, or nothing is left to undo.'

export function receiptRoutes(deps: Deps, turns: Turns) {
  return new Elysia({ prefix: '/receipts', tags: ['Receipts'] })
    .get(
      '/',
      ({ query }) => listReceipts(deps, query),
      call('listReceipts', 'What was changed, newest first, in pages', {
        query: ReceiptsQuery,
        answer: ReceiptPage,
        statuses: [404],
        says:
          'Every change of runs leaves one, and so do deleted shoes, goals, races, places and sensor marks; an automatic ' +
          'import only when a run was stored or failed. Weather that arrives later and clean-ups leave none. They stay ' +
          'forever, their items for a year.',
      }),
    )
    .get(
      '/:id',
      ({ params, query }) => receiptDetail(deps, params.id, query),
      call('getReceipt', 'One receipt with the result of each run and file, in pages', {
        path: { id: 'Receipt' },
        query: ItemsQuery,
        answer: ReceiptDetail,
        says: 'Items are of runs, files, shoes, photos or settings.',
      }),
    )
    .post(
      '/:id/undo',
      ({ params, body: { dryRun = false, force = false }, request }) => {
        const by = { ...deps, ...byOf(request) }
        return turns.take(() => undoReceipt(by, params.id, { isDry: dryRun, isForced: force }))
      },
      call('undoReceipt', 'Undo a receipt', {
        path: { id: 'Receipt' },
        body: json(UndoRequest, { optional: 'object' }),
        answer: UndoAnswer,
        says: UNDO,
        receipt: true,
      }),
    )
}

/** The trash: deleted runs, until they are deleted permanently. */
export function trashRoutes(deps: Deps) {
  return new Elysia({ prefix: '/trash', tags: ['Receipts'] })
    .get(
      '/',
      ({ query }) => listTrash(deps, query),
      call('listTrash', 'Runs in the trash, what was deleted last first, in pages', {
        query: PageQuery,
        answer: TrashPage,
        statuses: [404],
        says:
          'A run is deleted permanently some time after purgeAt, by an hourly clean-up that begins a day after the start of ' +
          'the service. Automatic imports skip deleted runs, also after that.',
      }),
    )
    .post(
      '/:id/restore',
      async ({ params, request }) => {
        await restoreFromTrash({ ...deps, ...byOf(request) }, params.id)
        return await detailResponse(deps, params.id, {})
      },
      call('restoreWorkout', 'Restore a run with everything it had; 400 when the same run is stored again', {
        path: { id: 'Workout' },
        parse: 'none',
        answer: WorkoutDetail,
        statuses: [400],
        says: 'It leaves a receipt of kind undo.',
        receipt: true,
      }),
    )
    .delete(
      '/:id',
      async ({ params, status }) => {
        await deleteFromTrash(deps, params.id)
        return status(204)
      },
      call('deleteTrashedWorkout', 'Delete a run in the trash permanently', {
        path: { id: 'Workout' },
        statuses: [204],
        says: 'The run and its files cannot be restored afterwards.',
      }),
    )
    .delete(
      '/',
      async ({ status }) => {
        await emptyTrash(deps)
        return status(204)
      },
      call('emptyTrash', 'Empty the trash permanently', {
        statuses: [204],
        says: 'Runs in the trash and their files cannot be restored afterwards.',
      }),
    )
}
