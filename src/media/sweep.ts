import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../db/open.ts'
import { isMediaKept } from '../library/commit.ts'
import { putAside } from '../library/files/found.ts'
import { mediaFolder } from '../library/files/paths.ts'

/**
 * Moves files to the found folder that neither a row nor a former document names, as a crash or a failed removal
 * leaves.
 * @param olderThanMs files changed since then may belong to an upload in progress and stay
 * @returns number of moved files
 */
export async function sweepMediaFiles(
  db: Db,
  dataDir: string,
  { olderThanMs, folder }: { readonly olderThanMs: number; readonly folder: string },
): Promise<number> {
  let found = 0
  // the folder does not exist before the first upload
  const names = await readdir(mediaFolder(dataDir)).catch(() => [])
  for (const name of names) {
    const path = join(mediaFolder(dataDir), name)
    const { ctimeMs } = await stat(path).catch(() => ({ ctimeMs: Number.POSITIVE_INFINITY }))
    // checked last and moved synchronously, so that no other request can write a row in between
    if (ctimeMs >= olderThanMs || isMediaKept(db, name)) continue
    putAside(path, name, folder)
    found += 1
  }
  return found
}
