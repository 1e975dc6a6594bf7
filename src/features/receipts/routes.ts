import { Elysia } from 'elysia'
import type { Turns } from '../../base/turns.ts'
import { byOf } from '../../http/author.ts'
import { json } from '../../http/json.ts'
import { responses } from '../../http/openapi.ts'
import { query } from '../../http/query.ts'
import { ErrorBody } from '../../http/schemas.ts'
import { pathIds } from '../../http/standard.ts'
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

const UNDO = `Imported runs move to the trash, deleted ones come back, changes are reverted; runs that were edited later stay, listed \
in kept. Undoing the receipt of the undo is a redo. 400: nothing is left to undo.`

export function receiptRoutes(deps: Deps, turns: Turns) {
  return new Elysia({ prefix: '/receipts', tags: ['Receipts'] })
    .get('/', ({ query: asked }) => listReceipts(deps, asked), {
      ...query(ReceiptsQuery),
      response: { 200: ReceiptPage, 404: ErrorBody },
      detail: { summary: 'What was changed, newest first, in pages' },
    })
    .get('/:id', ({ params, query: asked }) => receiptDetail(deps, params.id, asked), {
      params: pathIds({ id: 'Receipt' }),
      ...query(ItemsQuery),
      response: { 200: ReceiptDetail },
      detail: { summary: 'One receipt with the result of each run and file, in pages' },
    })
    .post(
      '/:id/undo',
      ({ params, body: { dryRun = false, force = false }, request }) => {
        const by = { ...deps, ...byOf(request) }
        return turns.take(() => undoReceipt(by, params.id, { isDry: dryRun, isForced: force }))
      },
      {
        params: pathIds({ id: 'Receipt' }),
        ...json(UndoRequest, { optional: 'object' }),
        response: { 200: UndoAnswer },
        detail: { summary: 'Undo a receipt', description: UNDO },
      },
    )
}

/** The trash: deleted runs, until they are deleted permanently. */
export function trashRoutes(deps: Deps) {
  return new Elysia({ prefix: '/trash', tags: ['Receipts'] })
    .get('/', ({ query: asked }) => listTrash(deps, asked), {
      ...query(PageQuery),
      response: { 200: TrashPage, 404: ErrorBody },
      detail: { summary: 'Runs in the trash, what was deleted last first, in pages' },
    })
    .post(
      '/:id/restore',
      async ({ params, request }) => {
        await restoreFromTrash({ ...deps, ...byOf(request) }, params.id)
        return await detailResponse(deps, params.id, {})
      },
      {
        params: pathIds({ id: 'Workout' }),
        parse: 'none',
        response: { 200: WorkoutDetail, 400: ErrorBody },
        detail: { summary: 'Restore a run with everything it had; 400 when the same run is stored again' },
      },
    )
    .delete(
      '/:id',
      async ({ params, status }) => {
        await deleteFromTrash(deps, params.id)
        return status(204)
      },
      {
        params: pathIds({ id: 'Workout' }),
        detail: { summary: 'Delete a run in the trash permanently', ...responses(204) },
      },
    )
    .delete(
      '/',
      async ({ status }) => {
        await emptyTrash(deps)
        return status(204)
      },
      { detail: { summary: 'Empty the trash permanently', ...responses(204) } },
    )
}
