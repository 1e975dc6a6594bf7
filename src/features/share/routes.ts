import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { notFound } from '../../base/errors.ts'
import { createTurns, type Turns } from '../../base/turns.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { call } from '../../http/call.ts'
import { json } from '../../http/json.ts'
import { bytesResponse, responses } from '../../http/openapi.ts'
import { pathOf } from '../../http/paths.ts'
import { text } from '../../http/schemas.ts'
import { reader } from '../../http/standard.ts'
import type { Deps } from '../../library/deps.ts'
import { mediaFilePath } from '../../library/files/paths.ts'
import { unitPreference } from '../../library/settings.ts'
import { pictureOf } from '../media/pictures.ts'
import { noPage, PAGE_HEADERS, sharedPage } from './page.ts'
import { NewShare, Share, SharedView, SharedViewQuery, shownParts } from './schemas.ts'
import { listShares, makeShare, sharedBy, withdrawShare } from './shares.ts'
import { photosForOthers, seenByOthers } from './view.ts'

const token = text('The token of the address, 22 characters')
const tokenInPath = strings(Type.Object({ token }))
const photoInPath = strings(Type.Object({ token, number: text('The number of the photo on the page, from 1') }))

/** Parts of a path that are what they are; a wrong one is unknown. */
function strings<T extends ReturnType<typeof Type.Object>>(schema: T) {
  return reader(schema, (sent) => sent as Static<T>)
}

const HTML = { 'text/html': { schema: { type: 'string' } } }
const NO_PAGE = responses(404).responses[404]
const ONE_404 = '404 without distinction for one that is unknown, withdrawn, expired or of a deleted run.'

/** Pages of single runs for others: made and withdrawn by the runner, read by whoever has the address. */
export function shareRoutes(deps: Deps) {
  const path = { id: 'Workout' } as const
  const turns = createTurns({ atOnce: 1 })
  return new Elysia({ tags: ['Sharing'] })
    .get(
      '/shares',
      () => listShares(deps),
      call('listShares', 'Addresses of shared runs that work now, newest first', {
        answer: Type.Array(Share),
        says: 'One that has expired, or whose run was deleted, is not among them.',
      }),
    )
    .post(
      '/workouts/:id/share',
      ({ params, body: { days = null, show = {} }, status }) =>
        status(201, makeShare(deps, params.id, { days, show: shownParts(show) })),
      call('shareWorkout', 'Make an address at which others see this run', {
        path,
        body: json(NewShare, { optional: 'object' }),
        answers: { 201: Share },
        says:
          'A run has one at most: the address before stops working immediately. What others see follows the run as it is ' +
          'when they look, and hidden places and trimEndsM of then.',
      }),
    )
    .delete(
      '/workouts/:id/share',
      ({ params, status }) => {
        withdrawShare(deps, params.id)
        return status(204)
      },
      call('withdrawShare', 'Withdraw the address of a shared run', {
        path,
        statuses: [204],
        says: 'It stops working immediately; when there is none, nothing changes.',
      }),
    )
    .get(
      '/workouts/:id/shared-view',
      ({ params, query }) => seenByOthers(deps, params.id, shownParts(query)),
      call('getSharedView', 'What others see of this run, or would', {
        path,
        query: SharedViewQuery,
        answer: SharedView,
        says: 'All that a shared page shows, for a preview or a picture; nothing is shared by it.',
      }),
    )
    .get(
      '/s/:token',
      ({ params, request }) => page(deps, params.token, request),
      call('getSharedPage', 'The page of a shared run', {
        params: tokenInPath,
        says: `For browsers: HTML without scripts and cookies. ${ONE_404}`,
        responses: {
          200: { description: 'The page', content: HTML },
          404: { ...NO_PAGE, content: { ...NO_PAGE?.content, ...HTML } },
        },
      }),
    )
    .get(
      '/s/:token/photos/:number',
      ({ params }) => photo(deps, params, turns),
      call('getSharedPhoto', 'A photo of a shared run', {
        params: photoInPath,
        says: `At most 1600 px a side, without what its file says of place, time and device. ${ONE_404}`,
        responses: { 200: bytesResponse(200, 'image/webp') },
      }),
    )
}

async function page(deps: Deps, token: string, request: Request): Promise<Response> {
  const shared = sharedBy(deps, token)
  if (shared === null) {
    if (request.headers.get('accept')?.includes('text/html') !== true) throw notFound('Share')
    return new Response(noPage(), { status: 404, headers: PAGE_HEADERS })
  }
  const view = await seenByOthers(deps, shared.workoutId, shared.show)
  const expires = shared.expiresAt === null ? null : isoTime(shared.expiresAt).slice(0, 10)
  const body = sharedPage(view, { path: pathOf(request), unit: unitPreference(deps.db), expires })
  return new Response(body, { headers: PAGE_HEADERS })
}

const SIDE_PX = 1600

async function photo(deps: Deps, { token, number }: { readonly token: string; readonly number: string }, turns: Turns) {
  const shared = sharedBy(deps, token)
  if (shared === null || !shared.show.photos) throw notFound('Share')
  const found = (await photosForOthers(deps, shared.workoutId))[Number(number) - 1]
  if (found === undefined) throw notFound('Share')
  const path = mediaFilePath(deps.config.dataDir, found.id)
  const picture = await pictureOf(path, found.mimeType, { sidePx: SIDE_PX, turns })
  // the file itself would say where and when it was taken
  if (picture === null) throw notFound('Share')
  const { 'Content-Type': _, ...headers } = PAGE_HEADERS
  return new Response(picture, {
    headers: { ...headers, 'Content-Type': 'image/webp', 'Cache-Control': 'private, max-age=600' },
  })
}
