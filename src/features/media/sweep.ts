import { readdir } from 'node:fs/promises'
import type { Db } from '../../db/open.ts'
import { isMediaKept } from '../../library/commit.ts'
import { putStraysAside, type StrayFiles } from '../../library/files/found.ts'
import { mediaFolder } from '../../library/files/paths.ts'

/** Moves files that neither a row nor a former document names to the found folder. @returns number of moved files */
export async function sweepMediaFiles(db: Db, dataDir: string, strays: StrayFiles): Promise<number> {
  const from = mediaFolder(dataDir)
  // the folder does not exist before the first upload
  const names = await readdir(from).catch(() => [])
  return await putStraysAside(from, names, (name) => isMediaKept(db, name), strays)
}
