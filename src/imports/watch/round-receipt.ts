import { basename, dirname } from 'node:path'
import { desc, isNotNull } from 'drizzle-orm'
import { workouts } from '../../db/schema.ts'
import type { DepsBy } from '../../library/deps.ts'
import { type OpenReceipt, openReceipt } from '../../library/receipts/record.ts'
import { noteReceipt } from './ledger.ts'
import type { RoundFile } from './take.ts'
import { listed } from './words.ts'

interface RoundReceipt {
  /** Opens it at the first call; null: it could not be opened. */
  open(): OpenReceipt | null
  /** Notes which of the read files were not stored, and keeps the receipt only when something was stored or failed. */
  finish(read: readonly RoundFile[]): void
}

export function roundReceipt(deps: DepsBy): RoundReceipt {
  let receipt: OpenReceipt | null | undefined
  const open = () => {
    receipt ??= openReceipt(deps, { kind: 'import', origin: 'watch_folder', title: titleNow(deps) })
    return receipt
  }
  return {
    open,
    finish: (read) => {
      // an archive leaves its own receipt
      const files = read.filter(({ zip }) => zip === null)
      if (!files.some(({ isNews }) => isNews)) return receipt?.drop()
      const opened = open()
      if (opened === null) return
      for (const file of files) noteFile(opened, file)
      noteIgnored(
        opened,
        files.filter(({ decision }) => decision.outcome === 'ignored'),
      )
      opened.finish()
      noteReceipt(
        deps.db,
        files.map(({ row }) => row.id),
        opened.id,
      )
    },
  }
}

/** Notes a file that failed or was skipped; runs that were stored or skipped are noted when that happens. */
function noteFile(receipt: OpenReceipt, { row, decision, runs, isNews }: RoundFile): void {
  const filename = row.name
  const failures = runs.filter((run) => 'error' in run)
  const { outcome, reason } = decision
  if (outcome === 'error' && !isNews) return
  if (outcome === 'error' && failures.length === 0) receipt.note({ outcome: 'error', filename, reason })
  if (outcome === 'error') for (const { error } of failures) receipt.note({ outcome: 'error', filename, reason: error })
  if (outcome === 'skipped' && runs.length === 0) receipt.note({ outcome: 'skipped', filename, reason })
}

/** Notes files that hold no run: one item for each folder, with their number and the reasons. */
function noteIgnored(receipt: OpenReceipt, files: readonly RoundFile[]): void {
  const byFolder = Map.groupBy(files, ({ row }) => `${row.folder}/${dirname(row.name)}`)
  for (const inFolder of byFolder.values()) {
    const { folder, name } = inFolder[0]!.row
    const where = dirname(name) === '.' ? basename(folder) : dirname(name)
    const what = inFolder.length === 1 ? name : `${where}, ${inFolder.length} files that are not runs`
    receipt.ignored(inFolder.length, `${what}: ${listed(inFolder.map(({ decision }) => decision.reason ?? ''))}`)
  }
}

/** Title with the local time of the last run's place, since the service may run in another zone. */
function titleNow({ db, now }: Pick<DepsBy, 'db' | 'now'>): string {
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
