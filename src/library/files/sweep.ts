import { rmSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { recordings } from '../../db/schema.ts'
import { rawFilePath, rawFolder } from './paths.ts'

/** A recording's id, then nothing or what the file of its raw data ends in. */
const NAME = /^(.{36})(\.json\.zst)?$/

/**
 * Removes files that no row names, as a crash between file and row leaves them: of no recording, or of one that has no
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
  if (isRawData === undefined) {
    return db.select({ id: recordings.id }).from(recordings).where(eq(recordings.storedAs, id)).get() !== undefined
  }
  return db.select({ hasRaw: recordings.hasRaw }).from(recordings).where(eq(recordings.id, id)).get()?.hasRaw === true
}
