import { readdir, stat } from 'node:fs/promises'
import { eq, isNotNull } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { recordings, repairs } from '../../db/schema.ts'
import { isKeptFile, keptFiles } from '../receipts/kept.ts'
import { putAside } from './found.ts'
import { rawFilePath, rawFolder } from './paths.ts'

/** A recording's id, then nothing or what the file of its raw data ends in. */
const NAME = /^(.{36})(\.json\.zst)?$/

/**
 * Puts files aside that no row, no repair and nothing in the trash names, as a crash between file and row leaves them: of no recording, or of one
 * that has no original or no raw data.
 * @param olderThanMs files changed since then may belong to an import at work and stay
 * @param folder where they are put
 * @returns how many were put there
 */
export async function sweepRawFiles(
  db: Tx,
  dataDir: string,
  { olderThanMs, folder }: { readonly olderThanMs: number; readonly folder: string },
): Promise<number> {
  let found = 0
  const names = await readdir(rawFolder(dataDir)).catch(() => [])
  const known = namedFiles(db)
  for (const name of names) {
    if (known.has(name)) continue
    const path = rawFilePath(dataDir, name)
    const { ctimeMs } = await stat(path).catch(() => ({ ctimeMs: Number.POSITIVE_INFINITY }))
    // asked again, and moved at once: meanwhile an import may have completed the workout
    if (ctimeMs >= olderThanMs || isNamed(db, name)) continue
    putAside(path, name, folder)
    found += 1
  }
  return found
}

/** All at once: a question a file would hold others up for as long as there are files. */
function namedFiles(db: Tx): ReadonlySet<string> {
  const originals = db
    .select({ name: recordings.storedAs })
    .from(recordings)
    .where(isNotNull(recordings.storedAs))
    .all()
  const rawData = db.select({ id: recordings.id }).from(recordings).where(eq(recordings.hasRaw, true)).all()
  const kept = keptFiles(db, 'raw')
  return new Set([...originals.map(({ name }) => name!), ...rawData.map(({ id }) => `${id}.json.zst`), ...kept])
}

function isNamed(db: Tx, name: string): boolean {
  const [, id, isRawData] = NAME.exec(name) ?? []
  if (id === undefined) return false
  if (isKeptFile(db, { folder: 'raw', name })) return true
  const repaired = db.select({ id: repairs.id }).from(repairs).where(eq(repairs.recordingId, id))
  if (repaired.get() !== undefined) return true
  if (isRawData === undefined) {
    return db.select({ id: recordings.id }).from(recordings).where(eq(recordings.storedAs, id)).get() !== undefined
  }
  return db.select({ hasRaw: recordings.hasRaw }).from(recordings).where(eq(recordings.id, id)).get()?.hasRaw === true
}
