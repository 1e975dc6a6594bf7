import { isUtf8 } from 'node:buffer'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../../db/open.ts'
import { watchFiles } from '../../db/schema-account.ts'
import { inSlices } from '../../db/transactions.ts'
import type { SeenFile } from './files.ts'
import { isLookedAt, isWalked } from './names.ts'

/** Why a file or folder is listed whose name the runtime cannot pass on: it only knows names in UTF-8. */
export const MISNAMED = 'Its name is not UTF-8, so it cannot be opened; rename it'

/**
 * Those files and folders to look at in a folder whose names are not UTF-8.
 * @param folder below the watched folder `root`; empty: itself
 */
export async function misnamedIn(root: string, folder: string): Promise<SeenFile[]> {
  const found: SeenFile[] = []
  for (const bytes of await readdir(join(root, folder), { encoding: 'buffer' })) {
    if (isUtf8(bytes)) continue
    const state = await lstat(Buffer.concat([Buffer.from(`${join(root, folder)}/`), bytes])).catch(() => null)
    const name = escaped(bytes)
    if (state !== null && (state.isDirectory() ? isWalked(name) : isLookedAt(name))) {
      const { size, mtimeMs } = state
      found.push({ name: folder === '' ? name : `${folder}/${name}`, size, modifiedAt: Math.floor(mtimeMs) })
    }
  }
  return found
}

/** With other bytes than printable ASCII as `\xE9`, so that each name remains different. */
function escaped(name: Buffer): string {
  const code = (byte: string) => `\\x${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
  return name.toString('latin1').replace(/[^ -~]/g, code)
}

/** Lists them as errors. @returns number of new ones */
export async function noteMisnamed(
  db: Db,
  folder: string,
  { files, nowMs }: { readonly files: readonly SeenFile[]; readonly nowMs: number },
): Promise<number> {
  let added = 0
  await inSlices(db, files, (tx, file) => {
    const about = { id: Bun.randomUUIDv7(), folder, ...file, workoutIds: [], attempts: 0, lookedAt: nowMs }
    const row = { ...about, outcome: 'error' as const, reason: MISNAMED }
    const { id } = watchFiles
    added += tx.insert(watchFiles).values(row).onConflictDoNothing().returning({ id }).all().length
  })
  return added
}
