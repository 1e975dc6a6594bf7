import { readdir } from 'node:fs/promises'
import { eq, isNotNull } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { recordings } from '../../db/schema.ts'
import { putStraysAside, type StrayFiles } from './found.ts'
import { rawFolder } from './paths.ts'

/** Id of a recording, followed by nothing or by the suffix of its raw data file. */
const NAME = /^(.{36})(\.json\.zst)?$/

/** Moves files that no recording names to the folder for found files. @returns number of moved files */
export async function sweepRawFiles(db: Tx, dataDir: string, strays: StrayFiles): Promise<number> {
  const from = rawFolder(dataDir)
  const known = namedFiles(db)
  const names = (await readdir(from).catch(() => [])).filter((name) => !known.has(name))
  return await putStraysAside(from, names, (name) => isNamed(db, name), strays)
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
