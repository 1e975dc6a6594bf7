import type { DepsBy } from '../../deps.ts'
import { commitItem } from '../../library/commit.ts'
import type { OpenReceipt } from '../../library/receipts/record.ts'
import { goalDocument, storedGoals } from '../../library/training/goals.ts'
import type { ZipArchive } from '../../zip/reader.ts'
import { goalRows } from '../format/goal-rows.ts'
import { readGoal } from '../format/training-rows.ts'
import type { RestoreReport } from './report.ts'

const MOST_GOALS = 100

interface GoalsWork {
  readonly zip: ZipArchive
  readonly report: RestoreReport
  readonly receipt: OpenReceipt | null
}

/** Restores goals with new ids; an archive need not have any. @throws BadDataFile */
export async function restoreGoals(deps: DepsBy, { zip, report, receipt }: GoalsWork): Promise<void> {
  const { db, now } = deps
  const rows = await goalRows(zip)
  if (rows === null) return
  const known = new Set(storedGoals(db).map(({ id }) => id))
  for (const row of rows) {
    const goal = readGoal(row)
    if (goal === null || known.size >= MOST_GOALS) report.warn('Goals that cannot be read, left out')
    else if (!known.has(goal.id)) {
      const changes = [{ kind: 'goal' as const, id: goal.id, to: goalDocument(goal, now()) }]
      db.transaction((tx) => commitItem(tx, deps, { changes, item: { outcome: 'created', filename: 'Goal' } }, receipt))
      known.add(goal.id)
    }
  }
}
