import type { Tx } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import type { Keeper } from '../change-run.ts'
import { type PackedRun, packRun } from './capsule.ts'
import { leaveReceipt, type NewReceipt, type Noting, tellReceipt, touchRevision } from './record.ts'

/** The receipt of a change made with `changeRun`. */
export interface ReceiptOfChange extends Keeper {
  /** Announces the receipt after the change is committed. */
  tell(): void
}

/**
 * The receipt of a repair of one workout, or of its reverting. Recordings do not change with it, so only derived data
 * is kept.
 */
export function receiptOfChange(
  deps: Noting & Pick<Deps, 'events'>,
  workoutId: string,
  about: Omit<NewReceipt, 'workoutId'>,
): ReceiptOfChange {
  let left: string | null = null
  let kept: { readonly capsule: PackedRun | null; readonly writes: number } | null = null
  return {
    keep: (tx) => {
      const writes = writesSoFar(tx)
      // nothing was written since, so the capsule still holds
      if (kept?.writes === writes) return
      kept = { capsule: deps.author === undefined ? null : packRun(tx, workoutId, 'numbers'), writes }
    },
    changed: (tx) => {
      const revision = touchRevision(tx, workoutId)
      const revisions = { beforeRevision: revision?.before ?? null, afterRevision: revision?.after ?? null }
      left = leaveReceipt(tx, deps, { ...about, workoutId }, [
        { outcome: 'changed', workoutId, capsule: kept?.capsule ?? null, ...revisions },
      ])
    },
    tell: () => tellReceipt(deps, left),
  }
}

/** Rows that this connection has written so far, those of transactions that were rolled back included. */
function writesSoFar(tx: Tx): number {
  return tx.$client.query<{ n: number }, []>('SELECT total_changes() AS n').get()!.n
}
