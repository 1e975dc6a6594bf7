import { paced } from '../../base/pace.ts'
import type { Deps, DepsBy } from '../../library/deps.ts'
import { fileAt } from './files.ts'
import { dueFiles, type LedgerRow, noteDecision, noteFailure, noteGone, noteUnchanged, WATCH_ACTOR } from './ledger.ts'
import { roundReceipt } from './round-receipt.ts'
import { noteSeen } from './seen.ts'
import { type Decided, type RoundFile, takeFile } from './take.ts'

/** Most files of one round; then other imports have their turn. */
const MOST_FILES = 500

/**
 * Reads the due files of the folders that the last scan reached, the oldest first. Each decision is stored before the
 * next file is begun, so that an interrupted round continues where it was.
 * @returns the files that were read; null: none was due
 */
export async function watchRound(
  deps: Deps,
  { folders, signal }: { readonly folders: readonly string[]; readonly signal: AbortSignal },
): Promise<RoundFile[] | null> {
  const due = dueFiles(deps.db, { folders, nowMs: deps.now(), most: MOST_FILES })
  const read: RoundFile[] = []
  let left: string | null = null
  // archives leave receipts of their own
  const setLeft = (receiptId: string) => {
    left = receiptId
  }
  const importing = { ...deps, by: { actor: WATCH_ACTOR, isAutomatic: true, left: setLeft } }
  const receipt = roundReceipt(importing)
  try {
    for await (const row of paced(due)) {
      if (signal.aborted || deps.damage.isFound) break
      left = null
      const file = await oneFile(importing, row, { signal, receipt: receipt.open, left: () => left })
      if (file !== null) read.push(file)
    }
  } finally {
    receipt.finish(read)
  }
  return due.length === 0 ? null : read
}

interface InRound extends Required<Pick<Parameters<typeof takeFile>[2], 'signal' | 'receipt'>> {
  readonly left: () => string | null
}

/** null: nothing was decided. */
async function oneFile(deps: DepsBy, row: LedgerRow, { left, ...how }: InRound): Promise<RoundFile | null> {
  const { signal } = how
  const { db, now, config } = deps
  // at least a second, so that the file is not tried again in this round even when no settling time is configured
  const settleMs = Math.max(1, config.watchSettleS) * 1000
  const state = await fileAt(row.folder, row.name).catch((error: Error) => error)
  if (state instanceof Error) {
    noteFailure(db, row, { reason: 'The file cannot be accessed', nowMs: now() })
    return null
  }
  if (state === null || state.size === 0) {
    noteGone(db, row)
    return null
  }
  const { size, modifiedAt } = state
  const again = async () => {
    await noteSeen(db, row.folder, { files: [{ name: row.name, size, modifiedAt }], nowMs: now(), settleMs })
    return null
  }
  if (size !== row.size || modifiedAt !== row.modifiedAt) return await again()
  const taken = await takeFile(deps, row, { ...how, state })
  switch (taken.is) {
    case 'written':
      return await again()
    case 'failed':
      // a file interrupted by the end of the process is read again at the next start
      if (!signal.aborted) noteFailure(db, row, { reason: taken.reason, nowMs: now() })
      return null
    case 'unchanged':
      noteUnchanged(db, row.id)
      return null
    case 'decided': {
      const { decision, runs, zip } = taken
      // the receipt of the round is known only at its end
      noteDecision(db, row.id, { decision, nowMs: now(), receiptId: zip === null ? null : left() })
      return { row, decision, runs, zip, isNews: isNews(row, taken) }
    }
  }
}

function isNews(row: LedgerRow, { decision }: Decided): boolean {
  const { outcome, reason } = decision
  if (outcome === 'error') return row.outcome !== 'error' || row.reason !== reason
  return outcome === 'created' || outcome === 'updated' || outcome === 'merged'
}
