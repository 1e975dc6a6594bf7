import { stat } from 'node:fs/promises'
import type { Deps } from '../deps.ts'
import { AppError, notFound } from '../errors.ts'
import { contentDisposition } from '../http/content-disposition.ts'
import { fileResponse } from '../http/file-response.ts'
import { workoutExists } from '../library/add-workout.ts'
import { rawFilePath } from '../library/files/paths.ts'
import { recordingsOf, type StoredRecording } from '../library/recordings.ts'
import { printableName } from '../texts.ts'

type Needs = Pick<Deps, 'db' | 'config' | 'log'>

/**
 * The file that a workout was imported from, byte for byte, under its own name, or one range of it.
 * @param range as sent; null: the whole file
 * @throws AppError 404 for an unknown workout, one without a file, or a file lost on disk
 */
export async function originalFile(deps: Needs, id: string, range: string | null): Promise<Response> {
  if (!workoutExists(deps.db, id)) throw notFound('Workout')
  const first = recordingsOf(deps.db, id).find(({ storedAs }) => storedAs !== null)
  if (first === undefined) throw new AppError('notFound', 'The workout has no original file')
  return await recordingResponse(deps, first, range)
}

/**
 * The original of one recording of a workout, as `originalFile`.
 * @throws AppError 404 for an unknown workout or recording, one without a file, or a file lost on disk
 */
export async function recordingFile(
  deps: Needs,
  { id, recordingId }: { readonly id: string; readonly recordingId: string },
  range: string | null,
): Promise<Response> {
  if (!workoutExists(deps.db, id)) throw notFound('Workout')
  const recording = recordingsOf(deps.db, id).find((candidate) => candidate.id === recordingId)
  if (recording === undefined) throw notFound('Recording')
  if (recording.storedAs === null) throw new AppError('notFound', 'The recording has no original file')
  return await recordingResponse(deps, recording, range)
}

async function recordingResponse(
  { config, log }: Needs,
  { id, storedAs, fileName }: StoredRecording,
  range: string | null,
): Promise<Response> {
  const path = rawFilePath(config.dataDir, storedAs ?? id)
  const found = await stat(path).catch(() => null)
  if (found === null) {
    log.warn(`The original file of the recording ${id} is lost`)
    throw new AppError('notFound', 'The original file of the workout is lost')
  }
  const headers = {
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': contentDisposition('attachment', downloadName(fileName ?? '')),
    'Cache-Control': 'private, no-cache',
    'X-Content-Type-Options': 'nosniff',
  }
  return await fileResponse({ path, size: found.size, range, headers })
}

/** The name as uploaded, without the folders an archive had it in. */
function downloadName(name: string): string {
  const base = name.split(/[\\/]/).at(-1) ?? ''
  return printableName(base) || 'workout'
}
