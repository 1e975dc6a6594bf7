import { existsSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { media, workouts } from '../../db/schema.ts'
import type { Deps } from '../../deps.ts'
import { mediaFilePath } from '../files/paths.ts'
import { packMedia, packRun, unpackRun } from './capsule.ts'
import { forgetDeleted, rememberDeleted } from './deleted-runs.ts'
import { capsuleOf } from './kept.ts'
import { putBackMedia, putBackWhole, storedTwin, swapNumbers, swapWhole } from './put-back.ts'
import type { NewItem } from './record.ts'
import { swapOther, whyOtherKept } from './undo-other.ts'
import type { Effect, Pretended, StoredItem, Undone, Verdict } from './undo-types.ts'
import { swapWords } from './undo-words.ts'

// Undoes single items of a receipt, in the caller's transaction. Each undoing is itself an item of a new receipt.

interface UndoNeeds extends Pick<Deps, 'config' | 'now'> {
  /** Whether workouts that were changed since are moved to the trash as well. */
  readonly isForced: boolean
}

/** Whether an item can be undone, and if not, why. @param pretended in a dry run: what was undone before this item */
export function judge(tx: Tx, { config, isForced }: UndoNeeds, item: StoredItem, pretended?: Pretended): Verdict {
  const { outcome, workoutId, oldValues: before, capsuleId } = item
  if (before !== null && before.what !== 'words' && before.what !== 'media') {
    return whyOtherKept(tx, { item, before, pretended })
  }
  if (workoutId === null) return 'nothing'
  const revision = pretended?.revisions.has(workoutId) ? pretended.revisions.get(workoutId)! : revisionOf(tx, workoutId)
  if (outcome === 'created' && before === null) {
    if (revision === null) return 'nothing'
    return revision === item.afterRevision || isForced ? 'undone' : changedSince(tx, workoutId, revision)
  }
  const capsule = capsuleId === null ? null : capsuleOf(tx, capsuleId)
  if (capsuleId !== null && capsule === null) return { kept: 'What was kept of it was removed' }
  if (capsule === null && before === null) return { kept: 'Nothing of it was kept' }
  if (outcome === 'deleted' && capsule?.isDeleted) {
    if (revision !== null) return { kept: 'It is there again' }
    const twin = storedTwin(tx, unpackRun(capsule.body))
    return twin === null || pretended?.revisions.get(twin) === null
      ? 'undone'
      : { kept: 'The same run is stored again' }
  }
  if (revision === null) return { kept: 'The run is not there any more' }
  if (outcome === 'deleted' || before?.what === 'media') return judgeMedia(tx, config.dataDir, item)
  return revision === item.afterRevision ? 'undone' : changedSince(tx, workoutId, revision)
}

function judgeMedia(tx: Tx, dataDir: string, { outcome, oldValues, capsuleId }: StoredItem): Verdict {
  if (oldValues?.what === 'media') {
    const isThere = tx.select({ id: media.id }).from(media).where(eq(media.id, oldValues.mediaId)).get() !== undefined
    return isThere ? 'undone' : 'nothing'
  }
  const rows = tx.$client.query<{ name: string }, [string]>(
    `SELECT name FROM capsule_file WHERE capsule_id = ? AND folder = 'media'`,
  )
  const isWhole = rows.all(capsuleId ?? '').every(({ name }) => existsSync(mediaFilePath(dataDir, name)))
  return outcome === 'deleted' && isWhole ? 'undone' : { kept: 'Its file is not there any more' }
}

function changedSince(tx: Tx, workoutId: string, revision: number): Verdict {
  const later = tx.$client
    .query<{ title: string }, [string, number]>(
      `SELECT title FROM receipt_item AS item JOIN receipt ON receipt.id = item.receipt_id
       WHERE item.workout_id = ? AND item.after_revision = ? AND item.undone_by IS NULL
       ORDER BY receipt.made_at DESC, receipt.id DESC LIMIT 1`,
    )
    .get(workoutId, revision)
  return { kept: later === null ? 'It was changed since' : `It was changed since: ${later.title}` }
}

function revisionOf(tx: Tx, workoutId: string): number | null {
  const query = tx.$client.query<{ revision: number }, [string]>('SELECT revision FROM workout WHERE id = ?')
  return query.get(workoutId)?.revision ?? null
}

/** Notes what a dry run would have done. */
export function pretend({ revisions }: Pretended, { outcome, workoutId, oldValues, beforeRevision }: StoredItem): void {
  if (workoutId === null) return
  if (outcome === 'created' && oldValues === null) revisions.set(workoutId, null)
  else if (beforeRevision !== null) revisions.set(workoutId, beforeRevision)
}

/**
 * Undoes an item that `judge` accepted.
 * @throws errors of the database when a part of it now belongs to another workout
 */
export function undoItem(tx: Tx, deps: UndoNeeds, item: StoredItem): Undone {
  const { outcome, workoutId, oldValues: before, capsuleId, filename } = item
  const undone = (made: NewItem, effect: Effect | null): Undone => {
    return { item: { ...made, workoutId, filename, undoesSeq: item.seq }, effect }
  }
  if (before !== null && before.what !== 'words' && before.what !== 'media') {
    const { effect, ...made } = swapOther(tx, deps, { item, before })
    return undone(made, effect)
  }
  if (workoutId === null) throw new RangeError(`The item ${item.seq} of a receipt is about nothing`)
  const revision = revisionOf(tx, workoutId)
  const updated: Effect = { what: 'updated', workoutId }
  if (outcome === 'created' && before === null) {
    const capsule = packRun(tx, workoutId, 'whole')
    rememberDeleted(tx, workoutId, deps.now())
    tx.$client.query('DELETE FROM workout WHERE id = ?').run(workoutId)
    return undone({ outcome: 'deleted', capsule, beforeRevision: revision }, { what: 'deleted', workoutId })
  }
  const capsule = capsuleId === null ? null : capsuleOf(tx, capsuleId)
  if (capsule?.isDeleted) {
    putBackWhole(tx, capsule)
    forgetDeleted(tx, workoutId)
    return undone({ outcome: 'created', afterRevision: revisionOf(tx, workoutId) }, { what: 'created', workoutId })
  }
  if (capsule !== null && outcome === 'deleted') {
    const { columns = [], rows = [] } = unpackRun(capsule.body).tables.media ?? {}
    const mediaId = String(rows[0]?.[columns.indexOf('id')])
    putBackMedia(tx, capsule)
    const revisions = setRevision(tx, item, revision)
    return undone({ outcome: 'changed', before: { what: 'media', mediaId }, ...revisions }, updated)
  }
  if (before?.what === 'media') {
    const gone = packMedia(tx, workoutId, before.mediaId)
    tx.delete(media).where(eq(media.id, before.mediaId)).run()
    return undone({ outcome: 'deleted', capsule: gone, ...setRevision(tx, item, revision) }, updated)
  }
  if (capsule !== null) {
    const content = unpackRun(capsule.body)
    const isWhole = content.scope === 'whole'
    const now = packRun(tx, workoutId, isWhole ? 'whole' : 'numbers')
    if (isWhole) swapWhole(tx, deps, capsule, content)
    else swapNumbers(tx, deps, capsule, content)
    const revisions = { beforeRevision: revision, afterRevision: revisionOf(tx, workoutId) }
    return undone({ outcome: 'changed', capsule: now, ...revisions }, updated)
  }
  if (before?.what !== 'words') throw new RangeError(`The item ${item.seq} of a receipt has nothing to put back`)
  const now = swapWords(tx, workoutId, before)
  return undone({ outcome: 'changed', before: now, ...setRevision(tx, item, revision) }, updated)
}

/** If the workout is as the item left it, it gets its former revision; else the revision is raised. */
function setRevision(tx: Tx, { workoutId, beforeRevision, afterRevision }: StoredItem, revision: number | null) {
  const isSame = revision === afterRevision && beforeRevision !== null
  const after = isSame ? beforeRevision : (revision ?? 0) + 1
  tx.update(workouts)
    .set({ revision: after })
    .where(eq(workouts.id, workoutId ?? ''))
    .run()
  return { beforeRevision: revision, afterRevision: after }
}
