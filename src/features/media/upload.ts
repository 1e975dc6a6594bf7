import { join } from 'node:path'
import type { Static } from '@sinclair/typebox'
import { AppError, invalid, notFound } from '../../base/errors.ts'
import { LENGTHS } from '../../base/texts.ts'
import { isDiskFull, reasonOf } from '../../db/disk-full.ts'
import { characters } from '../../http/check.ts'
import { readUpload, type UploadedFile } from '../../http/multipart.ts'
import type { Deps } from '../../library/deps.ts'
import { workoutExists } from '../../library/ids.ts'
import { placePhotos } from '../../library/photo-places.ts'
import { type MediaRow, mediaObjects } from './queries.ts'
import type { FileError } from './schemas.ts'
import { storeMedia } from './store.ts'

type Refusal = Static<typeof FileError>

/**
 * Receives photos and videos, each stored alone: the answer is their list, with errors when some are refused; 400 when
 * all are.
 * @throws AppError 413, 400 without a file or with too long a caption, 404
 */
export async function uploadMedia(deps: Deps, workoutId: string, request: Request): Promise<Response> {
  const { db, config } = deps
  const upload = await readUpload(request, { maxBytes: config.maxUploadBytes, tmpDir: join(config.dataDir, 'tmp') })
  try {
    if (upload.files.length === 0) throw invalid('The upload has no file')
    const caption = sentCaption(upload.fields.get('caption'))
    if (!workoutExists(db, workoutId)) throw notFound('Workout')
    const { stored, errors } = await storeAll(deps, upload.files, { workoutId, caption })
    await placePhotos(deps, { workoutId })
    return answer(db, stored, errors)
  } finally {
    await upload.dispose()
  }
}

/** null: not sent, or blank. */
function sentCaption(sent: string | undefined): string | null {
  const caption = sent?.trim() ?? ''
  if (characters(caption) > LENGTHS.caption)
    throw invalid(`caption must be text of at most ${LENGTHS.caption} characters`)
  return caption === '' ? null : caption
}

async function storeAll(
  deps: Deps,
  files: readonly UploadedFile[],
  about: { readonly workoutId: string; readonly caption: string | null },
): Promise<{ stored: MediaRow[]; errors: Refusal[] }> {
  const stored: MediaRow[] = []
  const errors: Refusal[] = []
  let full: unknown = null
  for (const file of files) {
    try {
      const outcome = await storeMedia(deps, file, about)
      if ('error' in outcome) errors.push({ filename: file.filename, error: outcome.error })
      else stored.push(outcome)
    } catch (error) {
      // when the workout was deleted meanwhile, the files stored before were deleted with it
      if (files.length === 1 || error instanceof AppError) throw error
      if (isDiskFull(error)) full = error
      else deps.log.error('Storing one of several media files failed', error)
      errors.push({ filename: file.filename, error: reasonOf(error, 'The file could not be stored', deps.damage) })
    }
  }
  // 400 would claim that the files are at fault
  if (stored.length === 0 && full !== null) throw full
  return { stored, errors }
}

function answer(db: Deps['db'], stored: readonly MediaRow[], errors: readonly Refusal[]): Response {
  const uploaded = mediaObjects(db, stored)
  if (errors.length === 0) return Response.json(uploaded)
  if (uploaded.length > 0) {
    return Response.json({ uploaded, errors, successCount: uploaded.length, errorCount: errors.length })
  }
  const [first] = errors
  const error = errors.length === 1 && first !== undefined ? first.error : 'None of the files could be stored'
  return Response.json({ error, errors }, { status: 400 })
}
