import { AppError } from '../base/errors.ts'
import type { Tx } from '../db/open.ts'
import type { ChangeKind, ChangeWord } from '../db/schema-receipts.ts'
import { isoTime } from '../engine/calendar/timestamp.ts'
import { DAY_MS, HOUR_MS } from '../engine/units.ts'
import type { Deps } from './deps.ts'

// The log of changes. Triggers note what a transaction changed, whoever writes (db/migrations/0004_changes.sql); its last work
// gives each thing one place in the log.

export interface Change {
  readonly seq: number
  readonly at: number
  readonly kind: ChangeKind
  /** null: of the settings. */
  readonly id: string | null
  readonly change: ChangeWord
}

/** What is derived of a run, such as its load, is recorded once in so long. */
const DERIVED_MS = HOUR_MS
/** The log is kept for so long at least. */
const KEPT_DAYS = 30

interface Noted {
  readonly row: number
  readonly kind: string
  readonly id: string
  readonly change: string
}

/** Writes what the transaction changed into the log. */
export function noteChanges(tx: Tx, nowMs: number): void {
  const due = tx.$client.query<Noted, []>('SELECT row, kind, id, change FROM changed WHERE due = 2 ORDER BY row')
  note(tx, due.all(), nowMs)
}

function note(tx: Tx, due: readonly Noted[], nowMs: number): void {
  if (due.length === 0) return
  const insert = tx.$client.query("INSERT INTO change (at, kind, id, change) VALUES (?, ?, nullif(?, ''), ?)")
  const done = tx.$client.query(
    // what is derived was in the answers all along: the run itself is not another
    'UPDATE changed SET at = ?, change = ?, seq = CASE WHEN due = 2 THEN ? ELSE seq END, due = NULL WHERE row = ?',
  )
  for (const { row, kind, id, change } of due) {
    const { lastInsertRowid: seq } = insert.run(nowMs, kind, id, change)
    done.run(nowMs, change, seq, row)
  }
}

type Needs = Pick<Deps, 'db' | 'now'>

/** Brings what is not in the log yet into it: of writes without a transaction, and what was derived since. */
export function catchUp({ db, now }: Needs): void {
  const nowMs = now()
  if (db.$client.query('SELECT 1 FROM changed WHERE due IS NOT NULL LIMIT 1').get() === null) return
  const derived = db.$client.query<Noted, [number]>(
    "SELECT row, kind, id, 'updated' AS change FROM changed WHERE due = 1 AND at <= ? ORDER BY row",
  )
  // the transaction notes the rest as its last work
  db.transaction((tx) => note(tx, derived.all(nowMs - DERIVED_MS), nowMs))
}

/** The first and the last place after which all changes are known. */
export function spanOf(tx: Tx): { readonly first: number; readonly last: number } {
  const last = tx.$client.query<{ seq: number }, []>("SELECT seq FROM sqlite_sequence WHERE name = 'change'").get()
  const first = tx.$client.query<{ seq: number | null }, []>('SELECT min(seq) AS seq FROM change').get()
  return { first: (first?.seq ?? (last?.seq ?? 0) + 1) - 1, last: last?.seq ?? 0 }
}

/** The place of the last change of a thing; null: it has none. @param id empty: of the settings */
export function placeOf(tx: Tx, kind: ChangeKind, id: string): number | null {
  const found = tx.$client.query<{ seq: number | null }, [string, string]>(
    'SELECT seq FROM changed WHERE kind = ? AND id = ?',
  )
  return found.get(kind, id)?.seq ?? null
}

/** @throws AppError 410 when not all of them are known */
export function changesAfter(tx: Tx, after: number, most: number): Change[] {
  const { first, last } = spanOf(tx)
  if (after < first || after > last) throw new AppError('gone', 'Read everything again', { field: 'after' })
  return tx.$client
    .query<Change, [number, number]>('SELECT * FROM change WHERE seq > ? ORDER BY seq LIMIT ?')
    .all(after, most)
}

/** When a thing last changed; of one that was changed in this transaction, before that. */
export function updatedAt(tx: Tx, kind: ChangeKind, id: string): string {
  const found = tx.$client.query<{ at: number }, [string, string]>('SELECT at FROM changed WHERE kind = ? AND id = ?')
  return isoTime(found.get(kind, id)!.at)
}

/** Removes what is past its time. */
export function forgetChanges(deps: Needs & Pick<Deps, 'config'>): void {
  const { db, now, config } = deps
  catchUp(deps)
  const beforeMs = now() - Math.max(KEPT_DAYS, config.undoDays) * DAY_MS
  db.transaction(({ $client: client }) => {
    client.query('DELETE FROM change WHERE seq <= (SELECT max(seq) FROM change WHERE at < ?)').run(beforeMs)
    client.query("DELETE FROM changed WHERE change = 'deleted' AND due IS NULL AND at < ?").run(beforeMs)
  })
}
