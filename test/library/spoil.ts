import { rm } from 'node:fs/promises'
import { rawFilePath } from '../../src/library/files/paths.ts'
import { recordingsOf } from '../../src/library/recordings.ts'
import type { TestApp } from '../app.ts'

/** What disks and older versions do to the first recording of a run, which no call can. */
export function spoiler({ deps: { db, config } }: TestApp, workoutId: string) {
  const [recording] = recordingsOf(db, workoutId)
  const path = rawFilePath(config.dataDir, recording!.storedAs!)
  return {
    loseOriginal: () => rm(path),
    restoreOriginal: (bytes: Uint8Array) => Bun.write(path, bytes),
    forgetOriginal: () => db.$client.run('UPDATE recording SET stored_as = NULL WHERE id = ?', [recording!.id]),
    damageSamples: () => db.$client.run("UPDATE samples SET track = x'00' WHERE recording_id = ?", [recording!.id]),
  }
}
