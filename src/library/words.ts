import { and, between, desc, eq, isNull } from 'drizzle-orm'
import type { Tx } from '../db/open.ts'
import { receipts } from '../db/schema-receipts.ts'
import { type Change, commit, commitGroup, SAME } from './commit.ts'
import type { DepsBy } from './deps.ts'
import { essenceOf } from './documents/essence.ts'
import { type Bodies, bodyOf } from './documents/rows.ts'
import {
  affected,
  compact,
  type RunDocument,
  type RunHead,
  type RunWords,
  recordingIds,
  wantedShoe,
} from './documents/run.ts'
import { recordingsByIds } from './recordings.ts'
import { combinedWords } from './run-rows.ts'
import { NO_CHOICE } from './training/choices.ts'
import { earlierVersionsOf } from './undo.ts'

// Edits of what the runner says of one run. Several within a few minutes leave one receipt.

/** How long further edits of the same run are added to the same receipt. */
const JOINED_MS = 600_000

/** Members of a run that an edit sets; absent: it stays, null: it is set to nothing. */
type SetWords = Partial<RunWords> & { readonly leftOut?: boolean }

export function withWords(body: RunDocument, { leftOut, ...words }: SetWords): RunDocument {
  const { leftOut: before, ...choices } = body.choices ?? {}
  const isLeftOut = leftOut ?? before ?? false
  return compact({
    ...body,
    words: { ...body.words, ...words },
    choices: { ...choices, ...(isLeftOut ? { leftOut: true } : {}) },
  })
}

/** The document with a decision on one best effort. @param isRecord null: takes it back */
export function withRecord(body: RunDocument, distanceIndex: number, isRecord: boolean | null): RunDocument {
  const { [distanceIndex]: _, ...others } = body.choices?.efforts ?? {}
  const efforts = isRecord === null ? others : { ...others, [distanceIndex]: isRecord }
  return { ...body, choices: { ...body.choices, efforts } }
}

export interface Edit {
  /** The next document; absent: it stays. */
  readonly to?: RunDocument
  /** By id of the photo or video. */
  readonly captions?: Readonly<Record<string, string | null>>
}

/**
 * Commits an edit of one run, in the caller's transaction; `announceReceipt` follows once that is committed. The receipt is a
 * new one, or that of the last edit by the same person, for which what was before that is kept.
 * @returns id of the receipt; null: nothing changed
 */
export function commitEdit(
  tx: Tx,
  deps: DepsBy,
  head: RunHead,
  { to = head.body, captions = {} }: Edit,
): string | null {
  const { id, seq, body } = head
  const media = Object.entries(captions).flatMap(([mediaId, caption]): Change[] => {
    const row = bodyOf(tx, 'media', mediaId)
    return row === null || row.caption === caption ? [] : [{ kind: 'media', id: mediaId, to: { ...row, caption } }]
  })
  if (affected(body, compact(to)) === 'nothing' && media.length === 0) return null
  const group = {
    changes: [{ kind: 'run', id, from: seq, to } as const, ...media],
    item: { outcome: 'changed', workoutId: id } as const,
  }
  const last = lastEdit(tx, deps, head)
  if (last === null) {
    const title = titleOf(tx, { before: body, after: to, isCaptioned: media.length > 0 })
    return commit(tx, deps, deps.by, { receipt: { kind: 'edit', title, workoutId: id }, groups: [group] })
  }
  commitGroup(tx, deps, group, { receiptId: last.id, itemSeq: 0 })
  const kept = earlierVersionsOf(tx, { receiptId: last.id, seq: 0 })
  const isCaptioned = kept.some((earlier) => {
    if (earlier.kind !== 'media' || earlier.body === null) return false
    return (JSON.parse(earlier.body) as Bodies['media']).caption !== bodyOf(tx, 'media', earlier.documentId)?.caption
  })
  const title = titleOf(tx, { before: last.before, after: to, isCaptioned })
  tx.update(receipts).set({ title }).where(eq(receipts.id, last.id)).run()
  return last.id
}

/** The last edit by the same person with the document before it, when it is recent and the run was not changed since. */
function lastEdit(
  tx: Tx,
  { now, by }: DepsBy,
  { id, body }: RunHead,
): { readonly id: string; readonly before: RunDocument } | null {
  const last = tx
    .select({ id: receipts.id })
    .from(receipts)
    .where(
      and(
        eq(receipts.workoutId, id),
        eq(receipts.kind, 'edit'),
        eq(receipts.actor, by.actor),
        between(receipts.madeAt, now() - JOINED_MS, now()),
        isNull(receipts.undoneBy),
      ),
    )
    .orderBy(desc(receipts.madeAt), desc(receipts.id))
    .get()
  const kept = last && earlierVersionsOf(tx, { receiptId: last.id, seq: 0 }).find(({ kind }) => kind === 'run')
  if (last === undefined || kept?.body == null) return null
  const before = JSON.parse(kept.body) as RunDocument
  const left = kept.after === SAME ? essenceOf('run', before) : kept.after
  return left === essenceOf('run', body) ? { id: last.id, before } : null
}

interface Edited {
  readonly before: RunDocument
  readonly after: RunDocument
  readonly isCaptioned?: boolean
}

/** Names what an edit changed, such as `Edited name, shoe`. */
export function titleOf(tx: Tx, { before, after, isCaptioned = false }: Edited): string {
  const stated = recordingsByIds(tx, recordingIds(after.track))
  const was = combinedWords(before, stated)
  const is = combinedWords(after, stated)
  const parts = {
    name: was.name !== is.name,
    notes: was.notes !== is.notes,
    // "no type" is a decision, even where there was none
    type: was.runType !== is.runType || (is.runType === null && before.words?.runType !== after.words?.runType),
    effort: was.rpe !== is.rpe,
    shoe: wantedShoe(before) !== wantedShoe(after),
    statistics: before.choices?.leftOut !== after.choices?.leftOut,
    load: !Bun.deepEquals(before.choices?.load ?? NO_CHOICE, after.choices?.load ?? NO_CHOICE),
    'best efforts': !Bun.deepEquals(before.choices?.efforts ?? {}, after.choices?.efforts ?? {}),
    repetitions: !Bun.deepEquals(before.choices?.intervals, after.choices?.intervals),
    race: before.choices?.wasRaced !== after.choices?.wasRaced,
    corrections: before.choices?.stated !== after.choices?.stated,
    captions: isCaptioned,
  }
  const named = Object.entries(parts).flatMap(([name, isOther]) => (isOther ? [name] : []))
  return `Edited ${named.join(', ') || 'a run'}`
}
