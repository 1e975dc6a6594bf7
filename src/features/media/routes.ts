import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { AppError, codeOf, type ErrorCode, invalid, notFound } from '../../base/errors.ts'
import { LENGTHS } from '../../base/texts.ts'
import { createTurns, type Turns } from '../../base/turns.ts'
import { isDiskFull, reasonOf } from '../../db/disk-full.ts'
import { byOf } from '../../http/author.ts'
import { call } from '../../http/call.ts'
import { characters, checked } from '../../http/check.ts'
import { contentDisposition, fileResponse, isTagKnown } from '../../http/file-response.ts'
import { keepNoAnswer } from '../../http/idempotency.ts'
import { readUpload, type UploadedFile, uploadLimit } from '../../http/multipart.ts'
import { bytesResponse, multipartBody } from '../../http/openapi.ts'
import { asSummary } from '../../http/query.ts'
import { DeleteQuery } from '../../http/schemas.ts'
import { reader } from '../../http/standard.ts'
import type { Deps, DepsBy } from '../../library/deps.ts'
import { runHead } from '../../library/documents/run.ts'
import { mediaFilePath } from '../../library/files/paths.ts'
import { workoutExists } from '../../library/ids.ts'
import { placePhotos } from '../../library/photo-places.ts'
import { announceReceipt } from '../../library/receipts/record.ts'
import { commitEdit } from '../../library/words.ts'
import { mayBeSmaller, pictureOf } from './pictures.ts'
import { listMedia, type MediaObject, type MediaRow, mediaObjects, mediaRow } from './queries.ts'
import {
  type FileError,
  FileHeaders,
  FileParameters,
  Media,
  MediaEdit,
  MediaRefusal,
  MediaUpload,
  UploadFields,
} from './schemas.ts'
import { MEDIA_EXTENSIONS, MEDIA_TYPES } from './sniff.ts'
import { deleteMedia, storeMedia } from './store.ts'

const MediaParameters = Type.Object(asSummary('MediaUploadResults'))

export function mediaRoutes(deps: Deps) {
  const path = { id: 'Workout', mediaId: 'Media' } as const
  // one picture at a time, since a page requests all of its small ones at once
  const turns = createTurns({ atOnce: 1 })
  return new Elysia({ prefix: '/workouts', tags: ['Media'] })
    .post(
      '/:id/media',
      ({ params, request, query }) => uploadMedia(deps, params.id, request, query.as === 'summary'),
      call('addWorkoutMedia', 'Add photos and videos to a workout', {
        idempotent: 'adds',
        path: { id: 'Workout' },
        query: MediaParameters,
        ...uploadLimit(deps.config.maxUploadBytes),
        answer: MediaUpload,
        answers: { 400: MediaRefusal },
        says:
          'Each file is stored or refused alone: by its extension, its first bytes, its size, or as empty. 200 with the list ' +
          'when all are stored, with uploaded and errors when some are; 400 when none is. The stored type follows the content.',
        requestBody: multipartBody({
          files: 'files',
          description: `One or more files, whatever their field is called: ${MEDIA_EXTENSIONS.join(', ')}`,
          fields: UploadFields,
          example: { file: 'finish.jpg', fields: { caption: 'Finish line' } },
        }),
      }),
    )
    .get(
      '/:id/media',
      ({ params }) => listMedia(deps, params.id),
      call('listWorkoutMedia', 'Photos and videos of a workout, oldest first', {
        path: { id: 'Workout' },
        answer: Type.Array(Media),
        says: 'In the order of their arrival.',
      }),
    )
    .get(
      '/:id/media/:mediaId',
      ({ params, headers, query: { small = false } }) => {
        return serveMedia(deps, params, { sent: headers, isSmall: small, turns })
      },
      call('getWorkoutMedia', 'The file itself, whole or one range of it', {
        path,
        headers: reader(FileHeaders, (sent) => checked(FileHeaders, sent, '') as Static<typeof FileHeaders>),
        query: FileParameters,
        statuses: [304, 416],
        says:
          'With a strong ETag, inline, never cached by others. A range beyond the end is 416; several or malformed ones give ' +
          'the whole file. 404 also for media of another run and for a file that is lost.',
        responses: { 200: bytesResponse(200, ...MEDIA_TYPES), 206: bytesResponse(206, ...MEDIA_TYPES) },
      }),
    )
    .patch(
      '/:id/media/:mediaId',
      ({ params, body, request }) => captioned({ ...deps, ...byOf(request) }, params, body),
      call('updateWorkoutMedia', 'Change the caption of a photo or video', {
        path,
        body: MediaEdit,
        answer: Media,
        says: 'An edit of its run, with the receipt of one.',
        receipt: true,
      }),
    )
    .delete(
      '/:id/media/:mediaId',
      async ({ params, query: { forever = false }, request, status }) => {
        await deleteMedia({ ...deps, ...byOf(request) }, { ...params, isForever: forever })
        return status(204)
      },
      call('deleteWorkoutMedia', 'Delete a photo or video', {
        path,
        query: DeleteQuery,
        statuses: [204],
        says: 'Undoing the receipt brings it back, unless forever is true. 204 even when the file cannot be removed.',
        receipt: true,
      }),
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

type Refusal = Static<typeof FileError>

interface Failed {
  readonly errors: readonly Refusal[]
  /** Whether the service failed on one of them. */
  readonly isOurs: boolean
}

/**
 * Receives photos and videos, each stored alone: the answer is their list, with errors when some are refused; 400 when
 * all are.
 * @param isSummary whether the answer is an object with the errors, whatever became of them
 * @throws AppError 413, 400 without a file or with too long a caption, 404
 */
async function uploadMedia(deps: Deps, workoutId: string, request: Request, isSummary: boolean): Promise<Response> {
  const { db, config } = deps
  const upload = await readUpload(request, { maxBytes: config.maxUploadBytes, tmpDir: join(config.dataDir, 'tmp') })
  try {
    if (upload.files.length === 0) throw invalid('The upload has no file')
    const caption = sentCaption(upload.fields.get('caption'))
    if (!workoutExists(db, workoutId)) throw notFound('Workout')
    const { stored, ...failed } = await storeAll(deps, upload.files, { workoutId, caption })
    // sent again with its key, they may be stored
    if (stored.length === 0 && failed.isOurs) keepNoAnswer(request)
    await placePhotos(deps, { workoutId })
    return answer(mediaObjects(db, stored), failed, isSummary)
  } finally {
    await upload.dispose()
  }
}

/** null: not sent, or blank. */
function sentCaption(sent: string | undefined): string | null {
  const caption = sent?.trim() ?? ''
  if (characters(caption) > LENGTHS.caption)
    throw invalid(`caption must be text of at most ${LENGTHS.caption} characters`, { field: 'caption' })
  return caption === '' ? null : caption
}

async function storeAll(
  deps: Deps,
  files: readonly UploadedFile[],
  about: { readonly workoutId: string; readonly caption: string | null },
): Promise<{ stored: MediaRow[] } & Failed> {
  const stored: MediaRow[] = []
  const errors: Refusal[] = []
  let isOurs = false
  let full: unknown = null
  for (const file of files) {
    try {
      const outcome = await storeMedia(deps, file, about)
      if ('error' in outcome) errors.push({ filename: file.filename, error: outcome.error })
      else stored.push(outcome)
    } catch (error) {
      // when the workout was deleted meanwhile, the files stored before were deleted with it
      if (files.length === 1 || error instanceof AppError) throw error
      isOurs = true
      if (isDiskFull(error)) full = error
      else deps.log.error('Storing one of several media files failed', error)
      errors.push({ filename: file.filename, error: reasonOf(error, 'The file could not be stored', deps.damage) })
    }
  }
  // 400 would claim that the files are at fault
  if (stored.length === 0 && full !== null) throw full
  return { stored, errors, isOurs }
}

function answer(uploaded: readonly MediaObject[], { errors, isOurs }: Failed, isSummary: boolean): Response {
  if (errors.length === 0 && !isSummary) return Response.json(uploaded)
  if (uploaded.length > 0 || isSummary) {
    return Response.json({ uploaded, errors, successCount: uploaded.length, errorCount: errors.length })
  }
  const [first] = errors
  const error = errors.length === 1 && first !== undefined ? first.error : 'None of the files could be stored'
  return Response.json(
    { error, code: (isOurs ? 'internal' : 'file_unreadable') satisfies ErrorCode, errors },
    { status: 400 },
  )
}

/** Longer side of a small picture, px; enough for a thumbnail on a phone. */
const SMALL_SIDE_PX = 480
/** Files up to this size are not made smaller, bytes. */
const SMALL_FILE_BYTES = 60_000

interface Asked {
  readonly sent: Static<typeof FileHeaders>
  /** Whether a small version of a picture is sent where one can be made; else the file. */
  readonly isSmall: boolean
  readonly turns: Turns
}

/**
 * The bytes of a photo or video, whole or in part, respecting conditional headers (RFC 9110, 13).
 * @throws AppError 404 for an unknown workout, media of another one, or a missing file
 */
async function serveMedia(
  { db, config, log }: Pick<Deps, 'db' | 'config' | 'log'>,
  { id, mediaId }: { readonly id: string; readonly mediaId: string },
  { sent, isSmall, turns }: Asked,
): Promise<Response> {
  const { filename, mimeType } = mediaRow(db, id, mediaId)
  const path = mediaFilePath(config.dataDir, mediaId)
  const size = await sizeOf(path)
  if (size === 0) {
    log.warn(`The file of the media ${mediaId} is missing`)
    throw notFound('Media')
  }
  // the bytes of an id never change
  const etag = `"${mediaId}-${size.toString(16)}"`
  const validators = { ETag: etag, 'Cache-Control': 'private, no-cache', 'X-Content-Type-Options': 'nosniff' }
  if (isSmall && size > SMALL_FILE_BYTES && mayBeSmaller(mimeType)) {
    const headers = { ...validators, ETag: `"${mediaId}-small"`, 'Content-Type': 'image/webp' }
    if (isTagKnown(sent['if-none-match'], headers.ETag)) return new Response(null, { status: 304, headers })
    const picture = await pictureOf(path, mimeType, { sidePx: SMALL_SIDE_PX, turns })
    if (picture !== null) return new Response(picture, { headers })
  }
  if (isTagKnown(sent['if-none-match'], etag)) return new Response(null, { status: 304, headers: validators })

  const ifRange = sent['if-range']
  const range = ifRange === undefined || ifRange === etag ? (sent.range ?? null) : null
  const headers = {
    ...validators,
    'Content-Type': mimeType,
    'Content-Disposition': contentDisposition('inline', filename),
  }
  return fileResponse({ path, size, range, headers })
}

/** Size in bytes; 0 when the file does not exist. Uploads are never empty, so an empty file counts as missing too. */
async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 0
    throw error
  }
}
