import { and, desc, eq, gte, isNull } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { receiptItems, receipts } from '../../db/schema-receipts.ts'
import type { WordsBefore } from '../../db/stored-receipts.ts'
import { leaveReceipt, type Noting, touchRevision } from './record.ts'

/** How long further edits of the same workout are added to the same receipt. */
const JOINED_MS = 600_000

type Words = Omit<WordsBefore, 'what'>

/** Names of the members of an edit. */
const NAMES: Readonly<Record<keyof WordsBefore['values'], string>> = {
  name: 'name',
  notes: 'notes',
  runType: 'type',
  rpe: 'effort',
  shoeId: 'shoe',
  leftOut: 'statistics',
  runnerSet: '',
}

/**
 * Writes the receipt of an edit of one workout, in its transaction: a new one, or the receipt of the last edit, which
 * keeps the values from before that. `tellReceipt` must follow once it is committed.
 * @param before the replaced values; when empty, no receipt is written
 * @returns its id; null when there is none
 */
export function leaveWords(tx: Tx, deps: Noting, workoutId: string, before: Words): string | null {
  const words: WordsBefore = { what: 'words', ...before }
  if (isNothing(words)) return null
  const revision = touchRevision(tx, workoutId)
  if (revision === null || deps.author === undefined) return null
  const joined = lastEdit(tx, deps, { workoutId, revision: revision.before })
  if (joined === null) {
    return leaveReceipt(tx, deps, { kind: 'edit', title: titleOf(words), workoutId }, [
      { outcome: 'changed', workoutId, before: words, beforeRevision: revision.before, afterRevision: revision.after },
    ])
  }
  const all = joinedWords(joined.words, words)
  const ofItem = and(eq(receiptItems.receiptId, joined.id), eq(receiptItems.seq, 0))
  tx.update(receiptItems).set({ oldValues: all, afterRevision: revision.after }).where(ofItem).run()
  tx.update(receipts)
    .set({ title: titleOf(all) })
    .where(eq(receipts.id, joined.id))
    .run()
  return joined.id
}

function isNothing({ values, choice, efforts, captions }: WordsBefore): boolean {
  return [values, choice ?? {}, efforts ?? {}, captions ?? {}].every((part) => Object.keys(part).length === 0)
}

/** The last edit by the same author, when it is recent and the workout has not been changed since. */
function lastEdit(
  tx: Tx,
  { now, author }: Noting,
  { workoutId, revision }: { readonly workoutId: string; readonly revision: number },
): { readonly id: string; readonly words: WordsBefore } | null {
  const row = tx
    .select({ id: receipts.id, words: receiptItems.oldValues, revision: receiptItems.afterRevision })
    .from(receipts)
    .innerJoin(receiptItems, and(eq(receiptItems.receiptId, receipts.id), eq(receiptItems.seq, 0)))
    .where(
      and(
        eq(receipts.workoutId, workoutId),
        eq(receipts.kind, 'edit'),
        eq(receipts.actor, author?.actor ?? ''),
        gte(receipts.madeAt, now() - JOINED_MS),
        isNull(receipts.undoneBy),
      ),
    )
    .orderBy(desc(receipts.madeAt), desc(receipts.id))
    .get()
  if (row === undefined || row.revision !== revision || row.words?.what !== 'words') return null
  return { id: row.id, words: row.words }
}

/** The values from before the first of two edits. */
function joinedWords(first: WordsBefore, second: WordsBefore): WordsBefore {
  const choice = first.choice ?? second.choice
  const efforts = { ...second.efforts, ...first.efforts }
  const captions = { ...second.captions, ...first.captions }
  return {
    what: 'words',
    values: { ...second.values, ...first.values },
    ...(choice === undefined ? {} : { choice }),
    ...(Object.keys(efforts).length === 0 ? {} : { efforts }),
    ...(Object.keys(captions).length === 0 ? {} : { captions }),
  }
}

function titleOf({ values, choice, efforts, captions }: WordsBefore): string {
  const named = Object.entries(NAMES).flatMap(([name, text]) => (name in values ? [text] : []))
  const parts = [
    ...named,
    choice === undefined ? '' : 'load',
    efforts === undefined ? '' : 'best efforts',
    captions === undefined ? '' : 'captions',
  ].filter((part) => part !== '')
  return `Edited ${parts.join(', ') || 'a run'}`
}
