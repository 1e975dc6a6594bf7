import { existsSync } from 'node:fs'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { preparedOnce } from '../db/prepared.ts'
import { earlierVersions } from '../db/schema-documents.ts'
import type { receiptItems } from '../db/schema-receipts.ts'
import { derivedRun } from './change-run.ts'
import { type Beside, type Change, type ChangeGroup, type Gone, SAME } from './commit.ts'
import type { DepsBy } from './deps.ts'
import { essenceOf, type Kind } from './documents/essence.ts'
import { type Bodies, bodyOf, changedSettings, type SettingsDocument } from './documents/rows.ts'
import { type Asked, affected, documentRow, type RunDocument, runHead, wantedShoe } from './documents/run.ts'
import { areTwoRecordings, twinOf } from './duplicates.ts'
import { mediaFilePath } from './files/paths.ts'
import type { NewItem } from './receipts/record.ts'
import { withLater } from './repairs.ts'
import { countingTwice, STORED_AGAIN } from './stretches.ts'

// Undoes what one commit wrote, its unit: each document that was kept for its items is committed again, as long as all of
// them have the essence that the commit left. Undoing is itself a unit of a new receipt, so that it can be undone in the
// same way.

export type StoredItem = typeof receiptItems.$inferSelect
type Earlier = typeof earlierVersions.$inferSelect

/** `nothing`: there is nothing left to undo. */
export type Verdict = 'undone' | 'nothing' | { readonly kept: string }

/** Runs, photos and videos as they would be by now, by kind and id. */
export type Pretended = Map<string, State>
/** null: it is not there. */
type State = { readonly essence: string | null; readonly shoeId: string | null } | null

export interface Judging {
  readonly dataDir: string
  /** Whether what was created is undone even when it was changed since. */
  readonly isForced: boolean
  /** Whether the unit is all of its receipt, such as a join: then it is forced as a whole. */
  readonly isOneUnit?: boolean
  readonly pretended: Pretended
}

/** The documents that are kept for an item, in the order in which they were replaced. */
export function earlierVersionsOf(tx: Tx, { receiptId, seq }: Pick<StoredItem, 'receiptId' | 'seq'>): Earlier[] {
  return ofItem(tx).all({ receiptId, seq })
}

const ofItem = preparedOnce((tx) =>
  tx
    .select()
    .from(earlierVersions)
    .where(
      and(
        eq(earlierVersions.receiptId, sql.placeholder('receiptId')),
        eq(earlierVersions.itemSeq, sql.placeholder('seq')),
      ),
    )
    .orderBy(asc(earlierVersions.seq))
    .prepare(),
)

/**
 * Whether the items of a unit can be undone, each as if those before it were, and if not, why: all are kept when one is.
 * Notes in `pretended` what undoing them would leave.
 */
export function judge(tx: Tx, judging: Judging, unit: readonly StoredItem[]): Verdict[] {
  const { pretended } = judging
  const before = new Map<string, State | undefined>()
  const verdicts = unit.map((item) => {
    const kept = decisive(earlierVersionsOf(tx, item))
    const verdict = judgeItem(tx, { ...judging, unit }, { item, kept })
    for (const [key, state] of verdict === 'undone' ? kept.flatMap((earlier) => statesLeft(pretended, earlier)) : []) {
      if (!before.has(key)) before.set(key, pretended.get(key))
      pretended.set(key, state)
    }
    return verdict
  })
  const first = verdicts.find((verdict) => typeof verdict === 'object')
  if (first === undefined) return verdicts
  for (const [key, state] of before) {
    if (state === undefined) pretended.delete(key)
    else pretended.set(key, state)
  }
  const others = { kept: `It belongs to a run that stays: ${first.kept}` }
  return verdicts.map((verdict) => (typeof verdict === 'object' ? verdict : others))
}

/** What decides of an item: a run that came or went alone, since its photos come and go with it. */
function decisive(kept: readonly Earlier[]): readonly Earlier[] {
  const run = kept.find(({ kind, body, after }) => kind === 'run' && (body === null || after === null))
  return run === undefined ? kept : [run]
}

interface JudgingUnit extends Judging {
  readonly unit: readonly StoredItem[]
}

interface One {
  readonly item: StoredItem
  readonly earlier: Earlier
}

function judgeItem(
  tx: Tx,
  judging: JudgingUnit,
  { item, kept }: { readonly item: StoredItem; readonly kept: readonly Earlier[] },
): Verdict {
  // a run that was removed permanently
  const isGone = item.outcome === 'created' && item.workoutId !== null
  if (kept.length === 0) return isGone ? 'nothing' : { kept: 'Nothing was kept for undo' }
  const verdicts = kept.map((earlier) => judgeOne(tx, judging, { item, earlier }))
  return verdicts.find((verdict) => typeof verdict === 'object') ?? (verdicts.includes('undone') ? 'undone' : 'nothing')
}

function judgeOne(tx: Tx, judging: JudgingUnit, { item, earlier }: One): Verdict {
  const { documentId: id, body } = earlier
  const kind = earlier.kind as Kind
  if (kind === 'run') return judgeRun(tx, judging, { item, earlier })
  if (kind === 'media') return judgeMedia(tx, judging, { item, earlier })
  if (kind === 'settings') {
    if (Object.keys(unchangedSettings(tx, body!)).length > 0) return 'undone'
    // another default since does not keep a deleted shoe away
    return item.outcome === 'changed' ? { kept: 'The settings were changed later' } : 'nothing'
  }
  if ((bodyOf(tx, kind, id) === null) === (body === null)) return 'nothing'
  // a shoe that came back may go again, whoever wears it
  const isWorn = kind === 'shoe' && body === null && item.undoesSeq === null && isWornYet(tx, judging, id)
  return isWorn ? { kept: 'Other runs use this shoe' } : 'undone'
}

function judgeRun(tx: Tx, judging: JudgingUnit, { item, earlier }: One): Verdict {
  const { body, after } = earlier
  const now = essenceNow(tx, judging, earlier)
  if (body === null) {
    if (now === null) return 'nothing'
    return now === after || judging.isForced ? 'undone' : changedSince(tx, earlier, now)
  }
  if (after === null) {
    if (now !== null) return { kept: 'It was added again' }
    const twin = storedTwin(tx, earlier)
    const goes = twin === null || isOfUnit(judging, twin) || judging.pretended.get(`run ${twin}`) === null
    return goes ? 'undone' : { kept: STORED_AGAIN }
  }
  if (now === null) return after === SAME ? 'nothing' : { kept: 'The run no longer exists' }
  if (after === SAME) return judgeShoe(tx, { item, earlier })
  return now === after || isForcedWhole(judging) ? 'undone' : changedSince(tx, earlier, now)
}

function essenceNow(tx: Tx, { pretended }: Judging, { kind, documentId: id }: Earlier): string | null {
  const known = pretended.get(`${kind} ${id}`)
  if (known !== undefined) return known?.essence ?? null
  return kind === 'run' ? (documentRow(tx, id)?.essence ?? null) : essenceOf('media', bodyOf(tx, 'media', id))
}

function isForcedWhole({ isForced, isOneUnit = false }: Judging): boolean {
  return isForced && isOneUnit
}

function isOfUnit({ unit }: JudgingUnit, runId: string): boolean {
  return unit.some(({ workoutId }) => workoutId === runId)
}

/** Why a document stays that has this essence now: what left it so. */
function changedSince(tx: Tx, { kind, documentId }: Earlier, essence: string | null): Verdict {
  const later = tx.$client
    .query<{ title: string }, [string, string, string | null]>(
      `SELECT title FROM earlier_version JOIN receipt ON receipt.id = earlier_version.receipt_id
       JOIN receipt_item AS item ON item.receipt_id = receipt.id AND item.seq = item_seq
       WHERE document_id = ? AND earlier_version.kind = ? AND after IS ? AND item.undone_by IS NULL ORDER BY earlier_version.seq DESC LIMIT 1`,
    )
    .get(documentId, kind, essence)
  return { kept: later === null ? 'It was edited later' : `It was edited later: ${later.title}` }
}

/** The stored run that is the same as a deleted one; null: there is none. */
function storedTwin(tx: Tx, { documentId: id, body }: Earlier): string | null {
  const row = documentRow(tx, id)
  if (row?.gone == null) return null
  const { startedAt: startedAtMs, distanceM, durationS } = JSON.parse(row.gone) as Gone
  const { track } = JSON.parse(body!) as RunDocument
  const isOther = (other: string) => areTwoRecordings(tx, track, runHead(tx, other)!.body.track)
  return countingTwice(tx, id, track) ?? twinOf(tx, { startedAtMs, distanceM, durationS }, { isOther })
}

function besideOf({ beside }: Earlier): Beside {
  return JSON.parse(beside ?? '{}') as Beside
}

/** Of a change that left the essence as it was, however it was changed since. */
function judgeShoe(tx: Tx, { item, earlier }: One): Verdict {
  const { shoe } = besideOf(earlier)
  if (shoe === undefined) return 'undone'
  const [before, after] = shoe
  const body = runHead(tx, earlier.documentId)?.body
  if ((body?.shoeId ?? null) !== after || body?.words?.shoeId !== undefined) return { kept: 'It has another shoe now' }
  // a shoe that was deleted before another took its place does not hinder the undoing of that
  const isReturning = item.undoesSeq !== null && before !== null
  return isReturning && bodyOf(tx, 'shoe', before) === null ? { kept: 'The shoe no longer exists' } : 'undone'
}

function judgeMedia(tx: Tx, judging: JudgingUnit, { item, earlier }: One): Verdict {
  const { documentId: id, body } = earlier
  const after = earlier.after === SAME ? essenceOf('media', body && JSON.parse(body)) : earlier.after
  if (essenceNow(tx, judging, { ...earlier, kind: 'run', documentId: item.workoutId ?? '' }) === null)
    return { kept: 'The run no longer exists' }
  const now = essenceNow(tx, judging, earlier)
  if (body === null) return now === null ? 'nothing' : 'undone'
  if (after === null && now !== null) return 'nothing'
  if (now !== after && !isForcedWhole(judging)) return changedSince(tx, earlier, now)
  return now !== null || existsSync(mediaFilePath(judging.dataDir, id))
    ? 'undone'
    : { kept: 'Its file no longer exists' }
}

function isWornYet(tx: Tx, { pretended }: Judging, shoeId: string): boolean {
  const runs = tx.$client.query('SELECT id FROM workout WHERE shoe_id = ?').values(shoeId) as [string][]
  return runs.some(([id]) => {
    const known = pretended.get(`run ${id}`)
    return known === undefined || known?.shoeId === shoeId
  })
}

/** The earlier values of the members that are still as the change left them. */
function unchangedSettings(tx: Tx, kept: string): SettingsDocument {
  const { before, after } = JSON.parse(kept) as Record<'before' | 'after', SettingsDocument>
  const now = bodyOf(tx, 'settings', '')!
  const same = changedSettings(before, after).filter((name) => Bun.deepEquals(now[name] ?? null, after[name] ?? null))
  return Object.fromEntries(same.map((name) => [name, before[name] ?? null]))
}

/** What undoing would leave of a document. */
function statesLeft(pretended: Pretended, { kind, documentId: id, body, after }: Earlier): [string, State][] {
  if (kind !== 'run' && kind !== 'media') return []
  const key = `${kind} ${id}`
  if (body === null) return [[key, null]]
  const document = JSON.parse(body) as RunDocument
  // what was changed since but the shoe stays
  const known = after === SAME ? pretended.get(key)?.essence : undefined
  const essence = known ?? essenceOf(kind, document)
  return [[key, { essence, shoeId: kind === 'run' ? wantedShoe(document) : null }]]
}

/**
 * Plans to undo an item that `judge` accepted, and derives the numbers of its runs.
 * @returns the changes, and the item of the receipt of the undoing
 * @throws Error for samples that cannot be read
 */
export async function plannedUndo(deps: DepsBy, item: StoredItem): Promise<ChangeGroup> {
  const kept = earlierVersionsOf(deps.db, item)
  const [first] = decisive(kept)
  const isCreated = first?.kind === 'run' && first.body === null
  const undone = await Promise.all((isCreated ? [first] : kept).toReversed().map((earlier) => undoing(deps, earlier)))
  const changes = undone.filter((change) => change !== null)
  const { workoutId, filename, seq: undoesSeq } = item
  return { changes, item: { outcome: undoneOutcome(item, changes), workoutId, filename, undoesSeq } }
}

async function undoing(deps: DepsBy, earlier: Earlier): Promise<Change | null> {
  const { db } = deps
  const { documentId: id, body } = earlier
  const kind = earlier.kind as Kind
  if (kind === 'run') return await undoingRun(deps, earlier)
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

/** null: the run is not there. */
async function undoingRun(deps: DepsBy, earlier: Earlier): Promise<Change | null> {
  const { db, now } = deps
  const { documentId: id, body, after } = earlier
  const row = documentRow(db, id)
  if (row === null) return null
  const head = runHead(db, id)
  if (body === null) return { kind: 'run', id, from: row.seq, to: null }
  if (head === null && after === SAME) return null
  const beside = besideOf(earlier)
  const before = JSON.parse(body) as RunDocument
  const asked = returned(JSON.parse(row.asked) as Asked, beside.asked)
  const back = head === null ? before : after === SAME ? head.body : withLater(before, head.body, now())
  const to = withShoe(back, returned((head?.body ?? before).shoeId ?? null, beside.shoe))
  const change = { kind: 'run', id, from: row.seq, to, asked } as const
  if (affected(head?.body ?? null, to) !== 'everything') return change
  return { ...change, derived: await derivedRun(deps, id, { to, asked }) }
}

function withShoe(body: RunDocument, given: string | null): RunDocument {
  if ((body.shoeId ?? null) === given) return body
  const { shoeId: _, ...rest } = body
  return given === null ? rest : { ...rest, shoeId: given }
}

/** What a change replaced, where it is still as the change left it. */
function returned<T>(now: T, pair: readonly [T, T] | undefined): T {
  return pair !== undefined && Bun.deepEquals(now, pair[1]) ? pair[0] : now
}

/** Runs, shoes, goals, races, marks and places that come back count as created; a photo changes the run that it is of. */
function undoneOutcome({ outcome }: StoredItem, changes: readonly Change[]): NewItem['outcome'] {
  const [first] = changes
  if (first === undefined || first.kind === 'settings') return 'changed'
  if (changes.some(({ kind, to }) => to === null && kind !== 'settings')) return 'deleted'
  return outcome === 'deleted' && changes.every(({ kind }) => kind !== 'media') ? 'created' : 'changed'
}
