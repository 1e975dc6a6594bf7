import { readdir, stat } from 'node:fs/promises'
import { eq, isNotNull } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { recordings } from '../../db/schema.ts'
import { putAside } from './found.ts'
import { rawFilePath, rawFolder } from './paths.ts'

/** Id of a recording, followed by nothing or by the suffix of its raw data file. */
const NAME = /^(.{36})(\.json\.zst)?$/

/**
 * Moves files to the folder for found files that no recording names, such as a crash between file and row leaves
 * them.
 * @param olderThanMs files changed since then may belong to an import in progress and stay
 * @param folder where they are moved
 * @returns number of moved files
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
    // checked again and moved synchronously, since an import may have completed the workout meanwhile
    if (ctimeMs >= olderThanMs || isNamed(db, name)) continue
    putAside(path, name, folder)
    found += 1
  }
  return found
}

/** All names in one query: a query per file would delay other requests for as long as there are files. */
function namedFiles(db: Tx): ReadonlySet<string> {
  const originals = db
    .select({ name: recordings.storedAs })
    .from(recordings)
    .where(isNotNull(recordings.storedAs))
    .all()
  const rawData = db.select({ id: recordings.id }).from(recordings).where(eq(recordings.hasRaw, true)).all()
  return new Set([...originals.map(({ name }) => name!), ...rawData.map(({ id }) => `${id}.json.zst`)])
}

function isNamed(db: Tx, name: string): boolean {
  const [, id, isRawData] = NAME.exec(name) ?? []
  if (id === undefined) return false
  if (isRawData === undefined) {
    return db.select({ id: recordings.id }).from(recordings).where(eq(recordings.storedAs, id)).get() !== undefined
  }
  return db.select({ hasRaw: recordings.hasRaw }).from(recordings).where(eq(recordings.id, id)).get()?.hasRaw === true
}
