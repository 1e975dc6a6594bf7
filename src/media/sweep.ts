import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../db/open.ts'
import { putAside } from '../library/files/found.ts'
import { mediaFolder } from '../library/files/paths.ts'
import { isKeptFile } from '../library/receipts/kept.ts'
import { mediaExists } from './queries.ts'

/**
 * Puts files aside that neither a row nor anything in the trash knows, as a crash between file and row, or a failed removal, leaves them.
 * @param olderThanMs files that came or changed since then may belong to an upload at work and stay
 * @param folder where they are put
 * @returns how many were put there
 */
export async function sweepMediaFiles(
  db: Db,
  dataDir: string,
  { olderThanMs, folder }: { readonly olderThanMs: number; readonly folder: string },
): Promise<number> {
  let found = 0
  // there is no folder before the first upload
  const names = await readdir(mediaFolder(dataDir)).catch(() => [])
  for (const name of names) {
    const path = join(mediaFolder(dataDir), name)
    const { ctimeMs } = await stat(path).catch(() => ({ ctimeMs: Number.POSITIVE_INFINITY }))
    // asked last, and moved at once: in between nobody else has a turn to write a row
    if (ctimeMs >= olderThanMs || mediaExists(db, name) || isKeptFile(db, { folder: 'media', name })) continue
    putAside(path, name, folder)
    found += 1
  }
  return found
}
