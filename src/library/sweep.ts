import { rmSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { workouts } from '../db/schema.ts'
import { rawFilePath, rawFolder } from './files.ts'

/** A workout's id, then nothing or what the file of its raw data ends in. */
const NAME = /^(.{36})(\.json\.zst)?$/

/**
 * Removes files that no row names, as a crash between file and row leaves them: of no workout, or of one that has no
 * original or no raw data.
 * @param olderThanMs files changed since then may belong to an import at work and stay
 * @returns how many were removed
 */
export async function sweepRawFiles(db: Tx, dataDir: string, olderThanMs: number): Promise<number> {
  let removed = 0
  for (const name of await readdir(rawFolder(dataDir)).catch(() => [])) {
    if (isNamed(db, name)) continue
    const path = rawFilePath(dataDir, name)
    const { ctimeMs } = await stat(path).catch(() => ({ ctimeMs: Number.POSITIVE_INFINITY }))
    // asked again, and removed at once: meanwhile an import may have completed the workout
    if (ctimeMs >= olderThanMs || isNamed(db, name)) continue
    rmSync(path, { force: true })
    removed += 1
  }
  return removed
}

function isNamed(db: Tx, name: string): boolean {
  const [, id, isRawData] = NAME.exec(name) ?? []
  if (id === undefined) return false
  const row = db
    .select({ rawFileName: workouts.rawFileName, hasRawData: workouts.hasRawData })
    .from(workouts)
    .where(eq(workouts.id, id))
    .get()
  if (row === undefined) return false
  return isRawData === undefined ? row.rawFileName !== null : row.hasRawData
}
