import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deps } from '../../deps.ts'

// Photos and videos are DATA_DIR/files/media/<mediaId>. They stand here since deleting a workout takes its media along,
// and media, which knows more of them, comes after workouts.

export function mediaFolder(dataDir: string): string {
  return join(dataDir, 'files', 'media')
}

/** The bytes of one photo or video. */
export function mediaFilePath(dataDir: string, mediaId: string): string {
  return join(mediaFolder(dataDir), mediaId)
}

export async function makeMediaFolder(dataDir: string): Promise<void> {
  await mkdir(mediaFolder(dataDir), { recursive: true })
}

/** Files whose rows are gone; a missing one is fine, one that cannot be removed is logged and left to the sweep. */
export async function removeMediaFiles(
  { config, log }: Pick<Deps, 'config' | 'log'>,
  mediaIds: readonly string[],
): Promise<void> {
  for (const id of mediaIds) {
    try {
      await rm(mediaFilePath(config.dataDir, id), { force: true })
    } catch (error) {
      log.error(`The file of the deleted media ${id} could not be removed`, error)
    }
  }
}
