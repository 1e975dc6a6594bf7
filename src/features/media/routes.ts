import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { createTurns } from '../../base/turns.ts'
import { byOf } from '../../http/author.ts'
import { checked } from '../../http/check.ts'
import { json } from '../../http/json.ts'
import { uploadLimit } from '../../http/multipart.ts'
import { bytesResponse, multipartBody, responses } from '../../http/openapi.ts'
import { query } from '../../http/query.ts'
import { DeleteQuery } from '../../http/schemas.ts'
import { pathIds, reader } from '../../http/standard.ts'
import type { Deps, DepsBy } from '../../library/deps.ts'
import { runHead } from '../../library/documents/run.ts'
import { announceReceipt } from '../../library/receipts/record.ts'
import { commitEdit } from '../../library/words.ts'
import { listMedia, type MediaObject, type MediaRow, mediaObjects, mediaRow } from './queries.ts'
import { FileHeaders, FileParameters, Media, MediaEdit, MediaRefusal, MediaUpload, UploadFields } from './schemas.ts'
import { serveMedia } from './serve.ts'
import { MEDIA_EXTENSIONS, MEDIA_TYPES } from './sniff.ts'
import { deleteMedia } from './store.ts'
import { uploadMedia } from './upload.ts'

export function mediaRoutes(deps: Deps) {
  const ids = pathIds({ id: 'Workout', mediaId: 'Media' })
  // one picture at a time, since a page requests all of its small ones at once
  const turns = createTurns({ atOnce: 1 })
  return new Elysia({ prefix: '/workouts', tags: ['Media'] })
    .post('/:id/media', ({ params, request }) => uploadMedia(deps, params.id, request), {
      params: pathIds({ id: 'Workout' }),
      ...uploadLimit(deps.config.maxUploadBytes),
      response: { 200: MediaUpload, 400: MediaRefusal },
      detail: {
        summary: 'Add photos and videos to a workout',
        requestBody: multipartBody({
          files: 'files',
          description: `One or more files, whatever their field is called: ${MEDIA_EXTENSIONS.join(', ')}`,
          fields: UploadFields,
          example: { file: 'finish.jpg', fields: { caption: 'Finish line' } },
        }),
      },
    })
    .get('/:id/media', ({ params }) => listMedia(deps, params.id), {
      params: pathIds({ id: 'Workout' }),
      response: { 200: Type.Array(Media) },
      detail: { summary: 'Photos and videos of a workout, oldest first' },
    })
    .get(
      '/:id/media/:mediaId',
      ({ params, headers, query: { small = false } }) => {
        return serveMedia(deps, params, { sent: headers, isSmall: small, turns })
      },
      {
        params: ids,
        headers: reader(FileHeaders, (sent) => checked(FileHeaders, sent, '') as Static<typeof FileHeaders>),
        ...query(FileParameters),
        detail: {
          summary: 'The file itself, whole or one range of it',
          responses: {
            ...responses(304, 416).responses,
            200: bytesResponse(200, ...MEDIA_TYPES),
            206: bytesResponse(206, ...MEDIA_TYPES),
          },
        },
      },
    )
    .patch(
      '/:id/media/:mediaId',
      ({ params, body, request }) => captioned({ ...deps, ...byOf(request) }, params, body),
      {
        params: ids,
        ...json(MediaEdit),
        response: { 200: Media },
        detail: { summary: 'Change the caption of a photo or video' },
      },
    )
    .delete(
      '/:id/media/:mediaId',
      async ({ params, query: { forever = false }, request, status }) => {
        await deleteMedia({ ...deps, ...byOf(request) }, { ...params, isForever: forever })
        return status(204)
      },
      { params: ids, ...query(DeleteQuery), detail: { summary: 'Delete a photo or video', ...responses(204) } },
    )
}

/** Changes a caption: undefined leaves it, null or blank removes it. @throws AppError 404 for a workout or media */
function captioned(
  deps: DepsBy,
  { id, mediaId }: { readonly id: string; readonly mediaId: string },
  { caption }: Static<typeof MediaEdit>,
): MediaObject {
  const { object, receiptId } = deps.db.transaction((tx) => {
    const row = mediaRow(tx, id, mediaId)
    const objectOf = (of: MediaRow) => mediaObjects(tx, [of])[0]!
    if (caption === undefined) return { object: objectOf(row), receiptId: null }
    const captions = { [mediaId]: caption === '' ? null : caption }
    const receiptId = commitEdit(tx, deps, runHead(tx, id)!, { captions })
    return { object: objectOf(mediaRow(tx, id, mediaId)), receiptId }
  })
  announceReceipt(deps, receiptId)
  return object
}
