import { stat } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import { workouts } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { AppError, notFound } from '../errors.ts'
import { contentDisposition } from '../http/content-disposition.ts'
import { fileResponse } from '../http/file-response.ts'
import { rawFilePath } from '../library/files.ts'

/**
 * The file that a workout was imported from, byte for byte, under its own name, or one range of it.
 * @param range as sent; null: the whole file
 * @throws AppError 404 for an unknown workout, one without a file, or a file lost on disk
 */
export async function originalFile(
  { db, config, log }: Pick<Deps, 'db' | 'config' | 'log'>,
  id: string,
  range: string | null,
): Promise<Response> {
  const row = db.select({ name: workouts.rawFileName }).from(workouts).where(eq(workouts.id, id)).get()
  if (row === undefined) throw notFound('Workout')
  if (row.name === null) throw new AppError('notFound', 'The workout has no original file')

  const path = rawFilePath(config.dataDir, id)
  const found = await stat(path).catch(() => null)
  if (found === null) {
    log.warn(`The original file of the workout ${id} is lost`)
    throw new AppError('notFound', 'The original file of the workout is lost')
  }

  const headers = {
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': contentDisposition('attachment', downloadName(row.name)),
    'Cache-Control': 'private, no-cache',
    'X-Content-Type-Options': 'nosniff',
  }
  return await fileResponse({ path, size: found.size, range, headers })
}

/** The name as uploaded, without the folders an archive had it in. */
function downloadName(name: string): string {
  const base = name.split(/[\\/]/).at(-1) ?? ''
  return base.replace(/\p{Cc}/gu, '').trim() || 'workout'
}
