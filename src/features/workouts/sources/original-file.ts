import { stat } from 'node:fs/promises'
import { AppError, notFound } from '../../../base/errors.ts'
import { printableName } from '../../../base/texts.ts'
import type { Tx } from '../../../db/open.ts'
import { contentDisposition, fileResponse } from '../../../http/file-response.ts'
import type { Deps } from '../../../library/deps.ts'
import { isJoined, runHead } from '../../../library/documents/run.ts'
import { rawFilePath } from '../../../library/files/paths.ts'
import { workoutExists } from '../../../library/ids.ts'
import { recordingsOf } from '../../../library/recordings.ts'

/**
 * The original of a workout, byte for byte, under its uploaded name, or one range of it.
 * @param of.recordingId of one recording; absent: the first with an original
 * @param range Range header as sent; null: the whole file
 * @throws AppError 404 for an unknown workout or recording, one without a file, or a missing file
 */
export async function originalFile(
  { db, config, log }: Pick<Deps, 'db' | 'config' | 'log'>,
  of: { readonly id: string; readonly recordingId?: string },
  range: string | null,
): Promise<Response> {
  if (!workoutExists(db, of.id)) throw notFound('Workout')
  const isOfAll = of.recordingId === undefined
  const recordings = recordingsOf(db, of.id).filter((recording) => isOfAll || recording.id === of.recordingId)
  if (!isOfAll && recordings.length === 0 && of.recordingId !== joinId(db, of.id)) throw notFound('Recording')
  const stored = recordings.find(({ storedAs }) => storedAs !== null)
  if (stored === undefined) {
    throw new AppError('notFound', `The ${isOfAll ? 'workout' : 'recording'} has no original file`, {
      code: 'file_not_found',
    })
  }
  const { id, storedAs, fileName } = stored
  const name = downloadName(fileName ?? '')
  return await originalResponse({ config, log }, { recordingId: id, storedAs: storedAs ?? id, name }, range)
}

interface Original {
  readonly recordingId: string
  readonly storedAs: string
  /** That it is downloaded under. */
  readonly name: string
}

/** A stored original, or one range of it. @throws AppError 404 when its file is missing */
export async function originalResponse(
  { config, log }: Pick<Deps, 'config' | 'log'>,
  { recordingId, storedAs, name }: Original,
  range: string | null,
): Promise<Response> {
  const path = rawFilePath(config.dataDir, storedAs)
  const found = await stat(path).catch(() => null)
  if (found === null) {
    log.warn(`The original file of the recording ${recordingId} is missing`)
    throw new AppError('notFound', 'The original file of the workout is lost', { code: 'file_not_found' })
  }
  return fileResponse({ path, size: found.size, range, headers: downloadHeaders('application/octet-stream', name) })
}

export function downloadHeaders(type: string, name: string) {
  return {
    'Content-Type': type,
    'Content-Disposition': contentDisposition('attachment', name),
    'Cache-Control': 'private, no-cache',
    'X-Content-Type-Options': 'nosniff',
  }
}

/** The id under which the sources of a joined run list the join. */
function joinId(tx: Tx, workoutId: string): string | null {
  const track = runHead(tx, workoutId)?.body.track
  return track !== undefined && isJoined(track) ? track.id : null
}

/** The uploaded name, without folders from an archive. */
function downloadName(name: string): string {
  const base = name.split(/[\\/]/).at(-1) ?? ''
  return printableName(base) || 'workout'
}
