import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { and, eq, isNotNull } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { media, recordings, workouts } from '../../db/schema.ts'
import { runRecordings } from '../../db/schema-documents.ts'
import { mediaFilePath, mediaFolder, rawFilePath, rawFolder } from './paths.ts'

/** A file that a row names and that does not exist. */
interface MissingFile {
  readonly workoutId: string
  readonly filename: string
  readonly path: string
}

/**
 * Missing originals, then missing photos and videos: lost through a damaged disk, an incomplete copy of the folder, or
 * manual deletion.
 */
export async function missingFiles(db: Tx, dataDir: string): Promise<MissingFile[]> {
  const originals = new Set(await readdir(rawFolder(dataDir)).catch(() => []))
  const photos = new Set(await readdir(mediaFolder(dataDir)).catch(() => []))
  const recorded = db
    .select({ workoutId: runRecordings.runId, filename: recordings.fileName, name: recordings.storedAs })
    .from(recordings)
    .innerJoin(runRecordings, and(eq(runRecordings.recordingId, recordings.id), eq(runRecordings.isLive, true)))
    .where(isNotNull(recordings.storedAs))
    .all()
  // those of runs in the trash are not
  const shown = db
    .select({ workoutId: media.workoutId, filename: media.filename, name: media.id })
    .from(media)
    .innerJoin(workouts, eq(workouts.id, media.workoutId))
    .all()
  const ofRecordings = recorded.map(({ name, filename, workoutId }) => {
    return { workoutId, filename: filename ?? name!, path: rawFilePath(dataDir, name!), isListed: originals.has(name!) }
  })
  const ofMedia = shown.map(({ name, ...row }) => {
    return { ...row, path: mediaFilePath(dataDir, name), isListed: photos.has(name) }
  })
  // files that were added after the folder was listed are checked individually
  const lost = [...ofRecordings, ...ofMedia].filter(({ isListed, path }) => !isListed && !existsSync(path))
  return lost.map(({ workoutId, filename, path }) => ({ workoutId, filename, path }))
}
