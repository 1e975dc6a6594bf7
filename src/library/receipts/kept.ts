import { and, desc, eq } from 'drizzle-orm'
import { insertRow } from '../../db/insert.ts'
import { SCHEMA_VERSION } from '../../db/migrate.ts'
import type { Tx } from '../../db/open.ts'
import { capsuleFiles, capsules } from '../../db/schema-receipts.ts'
import type { Deps } from '../../deps.ts'
import type { NamedFile, PackedRun } from './capsule.ts'

// Storage of capsules until they are put back or removed for good.

export const DAY_MS = 86_400_000

export type Capsule = typeof capsules.$inferSelect

/**
 * Stores a packed workout, in the caller's transaction.
 * @param about.isDeleted the workout is in the trash
 * @returns the capsule's id; null when capsules are not kept
 */
export function keepCapsule(
  tx: Tx,
  { config, now }: Pick<Deps, 'config' | 'now'>,
  run: PackedRun,
  { receiptId, isDeleted }: { readonly receiptId: string; readonly isDeleted: boolean },
): string | null {
  if (config.undoDays === 0) return null
  const { files, body, workoutId, name, startedAt, distanceM, durationS } = run
  const id = Bun.randomUUIDv7()
  const made = { id, receiptId, isDeleted, schemaVersion: SCHEMA_VERSION, madeAt: now(), bytes: body.length }
  const about = { workoutId, name, startedAt, distanceM, durationS }
  insertRow(tx, capsules, { ...about, ...made, body: Buffer.from(body.buffer, body.byteOffset, body.byteLength) })
  for (const file of files) insertRow(tx, capsuleFiles, { ...file, capsuleId: id })
  return id
}

export function capsuleOf(tx: Tx, id: string): Capsule | null {
  return tx.select().from(capsules).where(eq(capsules.id, id)).get() ?? null
}

/** The newest capsule of a workout that is in the trash; null: it is not in the trash. */
export function trashedCapsule(tx: Tx, workoutId: string): Capsule | null {
  const isTrashed = and(eq(capsules.workoutId, workoutId), eq(capsules.isDeleted, true))
  return tx.select().from(capsules).where(isTrashed).orderBy(desc(capsules.madeAt), desc(capsules.id)).get() ?? null
}

/** Removes a capsule whose rows were put back; its files are named by rows again. */
export function forgetCapsule(tx: Tx, id: string): void {
  tx.delete(capsules).where(eq(capsules.id, id)).run()
}

/** Whether a capsule needs the file. */
export function isKeptFile(tx: Tx, { folder, name }: NamedFile): boolean {
  return tx.$client.query('SELECT 1 FROM capsule_file WHERE folder = ? AND name = ? LIMIT 1').get(folder, name) !== null
}

/** Whether a capsule needs a file of the recording with this id. */
export function isKeptRecording(tx: Tx, id: string): boolean {
  return [id, `${id}.json.zst`].some((name) => isKeptFile(tx, { folder: 'raw', name }))
}

/** All files of a folder that capsules need. */
export function keptFiles(tx: Tx, folder: NamedFile['folder']): string[] {
  const rows = tx.select({ name: capsuleFiles.name }).from(capsuleFiles).where(eq(capsuleFiles.folder, folder)).all()
  return rows.map(({ name }) => name)
}

/** Those of the files that neither a row nor a capsule names any more. */
export function unnamedFiles(tx: Tx, files: readonly NamedFile[]): NamedFile[] {
  return files.filter((file) => !isNamed(tx, file) && !isKeptFile(tx, file))
}

function isNamed(tx: Tx, { folder, name }: NamedFile): boolean {
  const sql =
    folder === 'media'
      ? 'SELECT 1 FROM media WHERE id = ?1'
      : `SELECT 1 FROM recording WHERE stored_as = ?1
         UNION ALL SELECT 1 FROM recording WHERE has_raw AND ?1 LIKE '%.json.zst' AND id = substr(?1, 1, 36)`
  return tx.$client.query(`${sql} LIMIT 1`).get(name) !== null
}
