import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { byOf } from '../http/author.ts'
import { json } from '../http/json.ts'
import { responses } from '../http/openapi.ts'
import { pathIds } from '../http/path-ids.ts'
import { query } from '../http/query.ts'
import { ErrorBody } from '../http/schemas.ts'
import { createTurns } from '../turns.ts'
import { workoutDetailJson } from '../workouts/detail.ts'
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

const UNDO = `The newest item first, each workout in one go. Runs that came with it go to the trash, what was deleted comes \
back with its ids, and what was changed is as before. What was changed since stays and is named in kept; with force runs that \
came with it go to the trash all the same. Undoing is a receipt of its own: undoing that is a redo. Cut off, it is \
called again. 400: it is of a kind that cannot be undone, its time is over, or it was undone already.`

/** Receipts of changes, and undoing them. */
export function receiptRoutes(deps: Deps) {
  const turns = createTurns({ atOnce: 1 })
  return new Elysia({ prefix: '/receipts', tags: ['Receipts'] })
    .get('/', ({ query: asked }) => listReceipts(deps.db, asked), {
      ...query(ReceiptsQuery),
      response: { 200: ReceiptPage, 404: ErrorBody },
      detail: { summary: 'What was changed, newest first, in pages' },
    })
    .get('/:id', ({ params, query: asked }) => receiptDetail(deps, params.id, asked), {
      params: pathIds({ id: 'Receipt' }),
      ...query(ItemsQuery),
      response: { 200: ReceiptDetail },
      detail: { summary: 'One receipt with what became of each run and file, in pages' },
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
        detail: { summary: 'Take back what a receipt says', description: UNDO },
      },
    )
}

/** The trash: deleted runs, until they are deleted for good. */
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
        const parts = { includeRaw: true, includeRoute: true }
        const body = new Blob([...(await workoutDetailJson(deps, params.id, parts))])
        return new Response(body, { headers: { 'Content-Type': 'application/json' } })
      },
      {
        params: pathIds({ id: 'Workout' }),
        parse: 'none',
        response: { 200: WorkoutDetail, 400: ErrorBody },
        detail: { summary: 'Bring a run back with all that it had; 400 when the same run is stored again' },
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
        detail: { summary: 'Delete a run in the trash for good', ...responses(204) },
      },
    )
    .delete(
      '/',
      async ({ status }) => {
        await emptyTrash(deps)
        return status(204)
      },
      { detail: { summary: 'Empty the trash for good', ...responses(204) } },
    )
}
