import { desc, isNotNull } from 'drizzle-orm'
import { workouts } from '../db/schema.ts'
import type { Author, Deps } from '../deps.ts'
import { type OpenReceipt, openReceipt } from '../library/receipts/record.ts'
import { noteReceipt } from './ledger.ts'
import type { RoundFile } from './take.ts'

/** The receipt of one round. */
export interface RoundReceipt {
  /** Opened when it is first asked for; null: there is none to be had. */
  open(): OpenReceipt | null
  /**
   * Notes what was not stored, and keeps the receipt when something was stored or failed.
   * @param read the files of the round that were read
   */
  finish(read: readonly RoundFile[]): void
}

export function roundReceipt(deps: Deps): RoundReceipt {
  let receipt: OpenReceipt | null | undefined
  const open = () => {
    receipt ??= openReceipt(deps, { kind: 'import', origin: 'watch_folder', title: titleNow(deps) })
    return receipt
  }
  return {
    open,
    finish: (read) => {
      // an archive leaves a receipt of its own
      const files = read.filter(({ zip }) => zip === null)
      if (!files.some(({ isNews }) => isNews)) return receipt?.drop()
      const opened = open()
      if (opened === null) return
      for (const file of files) noteFile(opened, file)
      opened.finish()
      noteReceipt(
        deps.db,
        files.map(({ row }) => row.id),
        opened.id,
      )
    },
  }
}

/** For whom the folder is watched; whatever leaves a receipt of its own tells it to him. */
export function watchAuthor(left: (receiptId: string) => void): Author {
  return { actor: 'watch_folder', isAutomatic: true, left }
}

/** Runs that were stored or skipped are noted as they are stored. */
function noteFile(receipt: OpenReceipt, { row, decision, runs, isNews }: RoundFile): void {
  const filename = row.name
  const failures = runs.filter((run) => 'error' in run)
  const { outcome, reason } = decision
  if (outcome === 'error' && !isNews) return
  if (outcome === 'error' && failures.length === 0) receipt.note({ outcome: 'error', filename, reason })
  if (outcome === 'error') for (const { error } of failures) receipt.note({ outcome: 'error', filename, reason: error })
  if (outcome === 'ignored') receipt.ignored(1, `${filename}: ${reason ?? ''}`)
  if (outcome === 'skipped' && runs.length === 0) receipt.note({ outcome: 'skipped', filename, reason })
}

/** By the clock of the place of the last run: the service may stand in another one. */
function titleNow({ db, now }: Deps): string {
  const last = db
    .select({ offset: workouts.utcOffsetMinutes })
    .from(workouts)
    .where(isNotNull(workouts.utcOffsetMinutes))
    .orderBy(desc(workouts.startedAt))
    .limit(1)
    .get()
  const local = new Date(now() + (last?.offset ?? 0) * 60_000)
  return `Watch folder, ${local.toISOString().slice(11, 16)}`
}
