import type { Deps } from '../deps.ts'
import { createPace } from '../pace.ts'
import { fileAt } from './files.ts'
import { dueFiles, type LedgerRow, noteDecision, noteFailure, noteGone, noteSeen, noteUnchanged } from './ledger.ts'
import { roundReceipt, watchAuthor } from './round-receipt.ts'
import { type Decided, type RoundFile, takeFile } from './take.ts'

/** Files of one round; then others have their turn. */
const MOST_FILES = 500

/**
 * Reads the files that have stood still for long enough, the oldest first; what is decided of each is in the ledger before
 * the next one is begun, so that a round that is cut off goes on where it was.
 * @param folders those that the last look reached
 * @returns the files that were read; null: none was due
 */
export async function watchRound(
  deps: Deps,
  { folders, signal }: { readonly folders: readonly string[]; readonly signal: AbortSignal },
): Promise<RoundFile[] | null> {
  const due = dueFiles(deps.db, { folders, nowMs: deps.now(), most: MOST_FILES })
  const pace = createPace()
  const read: RoundFile[] = []
  let left: string | null = null
  const author = watchAuthor((receiptId) => {
    left = receiptId
  })
  const authored = { ...deps, author }
  const receipt = roundReceipt(authored)
  try {
    for (const row of due) {
      if (signal.aborted) break
      left = null
      const file = await oneFile(authored, row, { signal, receipt: receipt.open, left: () => left })
      if (file !== null) read.push(file)
      if (pace.needsRest()) await pace.rest()
    }
  } finally {
    receipt.finish(read)
  }
  return due.length === 0 ? null : read
}

interface InRound extends Required<Pick<Parameters<typeof takeFile>[2], 'signal' | 'receipt'>> {
  /** Id of the receipt that an archive left; null: none. */
  readonly left: () => string | null
}

/** null: nothing was decided. */
async function oneFile(deps: Deps, row: LedgerRow, { left, ...how }: InRound): Promise<RoundFile | null> {
  const { signal } = how
  const { db, now, config } = deps
  // not in this round, even where nobody wants to wait
  const settleMs = Math.max(1, config.watchSettleS) * 1000
  const state = await fileAt(row.folder, row.name).catch((error: Error) => error)
  if (state instanceof Error) {
    noteFailure(db, row, { reason: 'The file cannot be looked at', nowMs: now() })
    return null
  }
  if (state === null || state.size === 0) {
    noteGone(db, row)
    return null
  }
  const { size, modifiedAt } = state
  const again = () => {
    noteSeen(db, row.folder, { files: [{ name: row.name, size, modifiedAt }], nowMs: now(), settleMs })
    return null
  }
  if (size !== row.size || modifiedAt !== row.modifiedAt) return again()
  const taken = await takeFile(deps, row, { ...how, state })
  switch (taken.is) {
    case 'written':
      return again()
    case 'failed':
      // what was cut off by the end of the process is begun anew by the next one
      if (!signal.aborted) noteFailure(db, row, { reason: taken.reason, nowMs: now() })
      return null
    case 'unchanged':
      noteUnchanged(db, row.id)
      return null
    case 'decided': {
      const { decision, runs, zip } = taken
      // that of a round is known at its end
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
