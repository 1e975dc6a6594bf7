import { existsSync } from 'node:fs'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { preparedOnce } from '../db/prepared.ts'
import { formers } from '../db/schema-documents.ts'
import type { receiptItems } from '../db/schema-receipts.ts'
import { derivedRun } from './change-run.ts'
import {
  type Change,
  type ChangeGroup,
  commitGroup,
  type FormerKind,
  type Gone,
  type KeptFor,
  type Worn,
} from './commit.ts'
import type { DepsBy } from './deps.ts'
import { type Bodies, bodyOf, changedSettings, type SettingsDocument } from './documents/rows.ts'
import { type Asked, affected, documentRow, type RunDocument, recordingIds, runHead } from './documents/run.ts'
import { areTwoRecordings, twinOf } from './duplicates.ts'
import { mediaFilePath } from './files/paths.ts'
import type { NewItem } from './receipts/record.ts'
import { withLater } from './repairs.ts'
import type { Derived } from './run-rows.ts'
import { countingTwice, STORED_AGAIN } from './stretches.ts'

// Undoes items of receipts: the documents that were kept for an item are committed again. Undoing is itself an item of a
// new receipt, so that it can be undone in the same way.

export type StoredItem = typeof receiptItems.$inferSelect
type Former = typeof formers.$inferSelect

/**
 * State that a dry run has simulated so far: revisions of runs as they would be; null: in the trash. What concerns the shoe
 * of a run alone has no revision, and `shoeOf(id)` is null once it is taken off.
 */
export type Pretended = Map<string, number | null>

const shoeOf = (runId: string) => `${runId} shoe`

/** `nothing`: there is nothing left to undo. */
export type Verdict = 'undone' | 'nothing' | { readonly kept: string }

export interface Judging {
  readonly dataDir: string
  /** Whether the runs of an import, or all of a join or split, are undone even when they were changed since. */
  readonly isForced: boolean
  /** Whether the item is one of a join or split, which are undone as one. */
  readonly isTogether?: boolean
  readonly pretended?: Pretended | undefined
}

/** The documents that are kept for an item, in the order in which they were replaced. */
export function formersOf(tx: Tx, { receiptId, seq }: Pick<StoredItem, 'receiptId' | 'seq'>): Former[] {
  return ofItem(tx).all({ receiptId, seq })
}

const ofItem = preparedOnce((tx) =>
  tx
    .select()
    .from(formers)
    .where(and(eq(formers.receiptId, sql.placeholder('receiptId')), eq(formers.itemSeq, sql.placeholder('seq'))))
    .orderBy(asc(formers.seq))
    .prepare(),
)

/** Whether an item can be undone, and if not, why. */
export function judge(tx: Tx, judging: Judging, item: StoredItem): Verdict {
  const kept = formersOf(tx, item)
  const { outcome, workoutId, afterRevision } = item
  if (workoutId !== null && outcome === 'created' && !kept.some(({ kind }) => kind === 'run')) {
    const revision = revisionNow(tx, judging, workoutId)
    if (revision === null) return 'nothing'
    return revision === afterRevision || judging.isForced ? 'undone' : changedSince(tx, workoutId, revision)
  }
  if (kept.length === 0) return { kept: 'Nothing was kept for undo' }
  // photos come back with a deleted run
  const decisive = outcome === 'deleted' ? kept.filter(({ kind }) => kind === 'run') : []
  const verdicts = (decisive.length > 0 ? decisive : kept).map((former) => judgeOne(tx, judging, { item, former }))
  return verdicts.find((verdict) => typeof verdict === 'object') ?? (verdicts.includes('undone') ? 'undone' : 'nothing')
}

function revisionNow(tx: Tx, { pretended }: Judging, runId: string): number | null {
  const known = pretended?.get(runId)
  if (known !== undefined) return known
  const row = documentRow(tx, runId)
  return row === null || row.body === null ? null : row.revision
}

interface One {
  readonly item: StoredItem
  readonly former: Former
}

function judgeOne(tx: Tx, judging: Judging, { item, former }: One): Verdict {
  const { kind, documentId: id, body } = former
  switch (kind as FormerKind) {
    case 'run':
      return judgeRun(tx, judging, { item, former })
    case 'touch':
      return revisionNow(tx, judging, id) === null ? { kept: 'The run no longer exists' } : 'nothing'
    case 'worn':
      return judgeWorn(tx, { item, former })
    case 'media':
      return judgeMedia(tx, judging, { item, former })
    case 'shoe': {
      const isThere = bodyOf(tx, 'shoe', id) !== null
      if (body !== null) return isThere ? 'nothing' : 'undone'
      if (!isThere) return 'nothing'
      // a shoe that came back may go again, whoever wears it
      const isWorn = item.undoesSeq === null && wornBy(tx, id).some((run) => !isBare(judging, run))
      return isWorn ? { kept: 'Other runs use this shoe' } : 'undone'
    }
    case 'goal':
    case 'race':
    case 'mark':
    case 'place':
      return (bodyOf(tx, kind as 'goal', id) === null) === (body === null) ? 'nothing' : 'undone'
    case 'settings': {
      if (Object.keys(unchangedSettings(tx, body!)).length > 0) return 'undone'
      // another default since does not keep a deleted shoe away
      return item.outcome === 'changed' ? { kept: 'The settings were changed later' } : 'nothing'
    }
  }
}

function judgeRun(tx: Tx, judging: Judging, { item, former }: One): Verdict {
  const { documentId: id } = former
  const row = documentRow(tx, id)
  const revision = revisionNow(tx, judging, id)
  if (row === null) return { kept: 'The run no longer exists' }
  if (item.outcome === 'deleted') {
    if (revision !== null) return { kept: 'It was added again' }
    const twin = storedTwin(tx, id, former)
    const isUndone = judging.isTogether
      ? judging.pretended?.has(twin ?? '')
      : judging.pretended?.get(twin ?? '') === null
    return twin === null || isUndone ? 'undone' : { kept: STORED_AGAIN }
  }
  if (revision === null) return { kept: 'The run no longer exists' }
  return revision === item.afterRevision || (judging.isForced && judging.isTogether)
    ? 'undone'
    : changedSince(tx, id, revision)
}

function changedSince(tx: Tx, workoutId: string, revision: number): Verdict {
  const later = tx.$client
    .query<{ title: string }, [string, number]>(
      `SELECT title FROM receipt_item AS item JOIN receipt ON receipt.id = item.receipt_id
       WHERE item.workout_id = ? AND item.after_revision = ? AND item.undone_by IS NULL
       ORDER BY receipt.made_at DESC, receipt.id DESC LIMIT 1`,
    )
    .get(workoutId, revision)
  return { kept: later === null ? 'It was edited later' : `It was edited later: ${later.title}` }
}

/** Whether two items, one after the other in undoing, are of a merge that comes apart, or that is made again. */
export function arePair(tx: Tx, item: StoredItem, next: StoredItem | undefined): boolean {
  if (item.workoutId === null || next === undefined || next.workoutId === null) return false
  // what was kept of the run that went to the trash may be gone already
  if (next.outcome === 'deleted') return item.outcome === 'changed' && namesOthers(tx, item.workoutId, item, true)
  return item.outcome === 'created' && next.outcome === 'changed' && namesOthers(tx, item.workoutId, next, false)
}

/** Whether a run names recordings that the run of an item did not have before (`isNew`), or that it had. */
function namesOthers(tx: Tx, runId: string, item: StoredItem, isNew: boolean): boolean {
  const former = formersOf(tx, item).find(({ kind }) => kind === 'run')
  if (former?.body == null) return false
  const had = recordingIds((JSON.parse(former.body) as RunDocument).track)
  const named = tx.$client.query('SELECT recording_id FROM naming WHERE run_id = ? AND live').values(runId)
  return named.some(([id]) => had.includes(String(id)) !== isNew)
}

/** The stored run that is the same as a deleted one; null: there is none. */
function storedTwin(tx: Tx, id: string, { body }: Former): string | null {
  const row = documentRow(tx, id)
  if (row?.gone == null || body === null) return null
  const { startedAt: startedAtMs, distanceM, durationS } = JSON.parse(row.gone) as Gone
  const { track } = JSON.parse(body) as RunDocument
  const isOther = (other: string) => areTwoRecordings(tx, track, runHead(tx, other)!.body.track)
  return countingTwice(tx, id, track) ?? twinOf(tx, { startedAtMs, distanceM, durationS }, { isOther })
}

function judgeWorn(tx: Tx, { item, former }: One): Verdict {
  const { before, after } = JSON.parse(former.body!) as Worn
  const head = runHead(tx, former.documentId)
  if (head === null) return 'nothing'
  if ((head.body.shoeId ?? null) !== after || head.body.words?.shoeId !== undefined)
    return { kept: 'It has another shoe now' }
  // a shoe that was deleted before another took its place does not hinder the undoing of that
  const isReturning = item.undoesSeq !== null && before !== null
  return isReturning && bodyOf(tx, 'shoe', before) === null ? { kept: 'The shoe no longer exists' } : 'undone'
}

function judgeMedia(tx: Tx, judging: Judging, { item, former }: One): Verdict {
  const { documentId: id, body } = former
  const isThere = bodyOf(tx, 'media', id) !== null
  const runId = item.workoutId ?? ''
  const revision = revisionNow(tx, judging, runId)
  if (revision === null) return { kept: 'The run no longer exists' }
  if (body === null) return isThere ? 'undone' : 'nothing'
  if (isThere)
    return revision === item.afterRevision || item.outcome !== 'changed' ? 'undone' : changedSince(tx, runId, revision)
  return existsSync(mediaFilePath(judging.dataDir, id)) ? 'undone' : { kept: 'Its file no longer exists' }
}

function isBare({ pretended }: Judging, runId: string): boolean {
  return pretended?.get(runId) === null || pretended?.get(shoeOf(runId)) === null
}

function wornBy(tx: Tx, shoeId: string): string[] {
  return (tx.$client.query('SELECT id FROM workout WHERE shoe_id = ?').values(shoeId) as [string][]).map(([id]) => id)
}

/** The former values of the members that are still as the change left them. */
function unchangedSettings(tx: Tx, kept: string): SettingsDocument {
  const { before, after } = JSON.parse(kept) as Record<'before' | 'after', SettingsDocument>
  const now = bodyOf(tx, 'settings', '')!
  const same = changedSettings(before, after).filter((name) => Bun.deepEquals(now[name] ?? null, after[name] ?? null))
  return Object.fromEntries(same.map((name) => [name, before[name] ?? null]))
}

/** Notes what a dry run would have done. */
export function pretend(pretended: Pretended, { outcome, workoutId, beforeRevision }: StoredItem): void {
  if (workoutId === null) return
  if (outcome === 'created') pretended.set(workoutId, null)
  else if (beforeRevision !== null) pretended.set(workoutId, beforeRevision)
  else pretended.set(shoeOf(workoutId), null)
}

/** An item that is about to be undone, with the numbers of its runs. */
export interface PlannedUndo {
  readonly item: StoredItem
  readonly changes: readonly Change[]
}

/**
 * Plans to undo an item that `judge` accepted, and derives the numbers of its runs.
 * @throws Error for samples that cannot be read
 */
export async function plannedUndo(deps: DepsBy, item: StoredItem): Promise<PlannedUndo> {
  const kept = formersOf(deps.db, item)
  const { outcome, workoutId } = item
  if (workoutId !== null && outcome === 'created' && !kept.some(({ kind }) => kind === 'run')) {
    const row = documentRow(deps.db, workoutId)
    return { item, changes: [{ kind: 'run', id: workoutId, from: row?.seq ?? null, to: null }] }
  }
  const changes = await Promise.all(kept.toReversed().map((former) => undoingChange(deps, item, former)))
  return { item, changes: changes.filter((change) => change !== null) }
}

async function undoingChange(deps: DepsBy, item: StoredItem, former: Former): Promise<Change | null> {
  const { db } = deps
  const { kind, documentId: id, body } = former
  if (kind === 'run') return await undoingRun(deps, former)
  if (kind === 'touch' || kind === 'worn') {
    const head = runHead(db, id)
    if (head === null) return null
    const change = { kind: 'run', id, from: head.seq } as const
    const isSame = head.revision === item.afterRevision && former.revision !== null
    const revision = isSame ? { revision: former.revision! } : {}
    if (kind === 'touch') return { ...change, to: head.body, isTouched: true, ...revision }
    const { before } = JSON.parse(body!) as Worn
    const { shoeId: _, ...rest } = head.body
    const to = before === null ? rest : { ...rest, shoeId: before }
    return { ...change, to, isWorn: true, revision: 'kept' }
  }
  if (kind === 'settings') {
    const { before, after } = JSON.parse(body!) as Record<'before' | 'after', SettingsDocument>
    const now = bodyOf(db, 'settings', '')
    if (Object.keys(before).length === 0 && Bun.deepEquals(now, after)) return { kind, id, to: null }
    const to = unchangedSettings(db, body!)
    // lets running computations notice that the zones have changed
    const zonesVersion = (now?.zonesVersion ?? 0) + 1
    const { archiveId, createdAt } = before
    const kept = {
      ...(archiveId === undefined ? {} : { archiveId }),
      ...(createdAt === undefined ? {} : { createdAt }),
    }
    return { kind, id, to: { ...kept, ...to, zonesVersion } }
  }
  return { kind: kind as 'media', id, to: body === null ? null : (JSON.parse(body) as Bodies['media']) }
}

async function undoingRun(deps: DepsBy, { documentId: id, body, asked, revision }: Former): Promise<Change> {
  const { db, now } = deps
  const row = documentRow(db, id)!
  const head = runHead(db, id)
  const former = JSON.parse(body!) as RunDocument
  const to = head === null ? former : withLater(former, head.body, now())
  const current = JSON.parse(row.asked) as Asked
  const [before, left] = asked === null ? [current, current] : (JSON.parse(asked) as [Asked, Asked])
  const askedThen = Bun.deepEquals(current, left) ? before : current
  const change = { kind: 'run', id, from: row.seq, to, asked: askedThen, revision: revision ?? 0 } as const
  if (affected(head?.body ?? null, to) !== 'everything') return change
  const derived: Derived = await derivedRun(deps, id, { to, asked: askedThen })
  return { ...change, derived }
}

/**
 * Commits what was planned, in the caller's transaction.
 * @returns the item of the receipt of the undoing
 * @throws Outdated; AppError 400 when a part of it belongs to another run by now
 */
export function commitUndo(tx: Tx, deps: DepsBy, { item, changes }: PlannedUndo, keptFor: KeptFor): NewItem {
  const group: ChangeGroup = {
    changes,
    item: {
      outcome: undoneOutcome(item, changes),
      workoutId: item.workoutId,
      filename: item.filename,
      undoesSeq: item.seq,
    },
  }
  return commitGroup(tx, deps, group, keptFor)
}

/** Runs, shoes, goals, races, marks and places that come back count as created; a photo changes the run that it is of. */
function undoneOutcome({ outcome }: StoredItem, changes: readonly Change[]): NewItem['outcome'] {
  const [first] = changes
  if (first === undefined || first.kind === 'settings') return 'changed'
  if (changes.some(({ kind, to }) => to === null && kind !== 'settings')) return 'deleted'
  return outcome === 'deleted' && changes.every(({ kind }) => kind !== 'media') ? 'created' : 'changed'
}
