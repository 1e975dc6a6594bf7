import { sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/open.ts'
import { preparedOnce } from '../../db/prepared.ts'
import { watchFiles } from '../../db/schema-account.ts'
import { inSlices } from '../../db/transactions.ts'
import type { SeenFile } from './files.ts'

/** Those of the files that are new or have changed since they were last seen. */
export function changedFiles(db: Db, folder: string, files: readonly SeenFile[]): SeenFile[] {
  const sent = JSON.stringify(files.map(({ name, size, modifiedAt }) => [name, size, modifiedAt]))
  const rows = db.$client
    .query<{ place: number }, [string, string]>(
      `SELECT j.key AS place FROM json_each(?1) AS j
       LEFT JOIN watch_file AS w ON w.folder = ?2 AND w.name = j.value ->> 0
       WHERE w.id IS NULL OR w.size <> j.value ->> 1 OR w.modified_at <> j.value ->> 2`,
    )
    .all(sent, folder)
  return rows.map(({ place }) => files[place]!)
}

/** Notes changed files; they are read once they have been unchanged for long enough. */
export async function noteSeen(
  db: Db,
  folder: string,
  {
    files,
    nowMs,
    settleMs,
  }: { readonly files: readonly SeenFile[]; readonly nowMs: number; readonly settleMs: number },
): Promise<void> {
  const nextAt = nowMs + settleMs
  const note = (tx: Tx, { name, size, modifiedAt }: SeenFile) => {
    seenFile(tx).run({ id: Bun.randomUUIDv7(), folder, name, size, modifiedAt, nextAt, nowMs })
  }
  await inSlices(db, files, note)
}

const seenFile = preparedOnce((tx) => {
  const { placeholder } = sql
  return tx
    .insert(watchFiles)
    .values({
      id: placeholder('id'),
      folder: placeholder('folder'),
      name: placeholder('name'),
      size: placeholder('size'),
      modifiedAt: placeholder('modifiedAt'),
      outcome: 'waiting',
      workoutIds: [],
      attempts: 0,
      nextAt: placeholder('nextAt'),
      lookedAt: placeholder('nowMs'),
    })
    .onConflictDoUpdate({
      target: [watchFiles.folder, watchFiles.name],
      set: {
        size: sql`excluded.size`,
        modifiedAt: sql`excluded.modified_at`,
        attempts: 0,
        nextAt: sql`excluded.next_at`,
      },
    })
    .prepare()
})
