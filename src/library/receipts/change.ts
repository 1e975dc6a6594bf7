import type { Tx } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import type { Finish } from '../change-run.ts'
import { packRun } from './capsule.ts'
import { leaveReceipt, type NewReceipt, type Noting, tellReceipt, touchRevision } from './record.ts'

/** The receipt of a change that `changeRun` makes, on trial first and perhaps more than once. */
export interface ReceiptOfChange {
  /**
   * Does one attempt, with what the workout was before.
   * @param change as that of `changeRun`
   * @returns what `changeRun` is to be given
   */
  changed(tx: Tx, change: () => Finish | null): Finish | null
  /** Tells of the receipt once the change is committed. */
  tell(): void
}

/**
 * Notes a repair of one workout, or that one was taken back. What was recorded does not change with it, so that what follows
 * from it is all that is kept.
 */
export function receiptOfChange(
  deps: Noting & Pick<Deps, 'events'>,
  workoutId: string,
  about: Omit<NewReceipt, 'workoutId'>,
): ReceiptOfChange {
  let left: string | null = null
  return {
    changed: (tx, change) => {
      const capsule = deps.author === undefined ? null : packRun(tx, workoutId, 'numbers')
      const finish = change()
      return (
        finish &&
        ((derived, job) => {
          finish(derived, job)
          const revision = touchRevision(tx, workoutId)
          const revisions = { beforeRevision: revision?.before ?? null, afterRevision: revision?.after ?? null }
          left = leaveReceipt(tx, deps, { ...about, workoutId }, [
            { outcome: 'changed', workoutId, capsule, ...revisions },
          ])
        })
      )
    },
    tell: () => tellReceipt(deps, left),
  }
}
