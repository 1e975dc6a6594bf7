import type { Db } from '../../db/open.ts'
import { storedGoals, storeGoal } from '../../library/training/goals.ts'
import type { ZipArchive } from '../../zip/reader.ts'
import { goalRows } from '../format/goal-rows.ts'
import { readGoal } from '../format/training-rows.ts'
import type { RestoreReport } from './report.ts'

const MOST_GOALS = 100

/** Goals whose id is new; an archive need not have any. @throws BadDataFile */
export async function restoreGoals(
  { db, nowMs }: { readonly db: Db; readonly nowMs: number },
  { zip, report }: { readonly zip: ZipArchive; readonly report: RestoreReport },
): Promise<void> {
  const rows = await goalRows(zip)
  if (rows === null) return
  const known = new Set(storedGoals(db).map(({ id }) => id))
  for (const row of rows) {
    const goal = readGoal(row)
    if (goal === null || known.size >= MOST_GOALS) report.warn('Goals that cannot be read, left out')
    else if (!known.has(goal.id)) {
      storeGoal(db, goal, nowMs)
      known.add(goal.id)
    }
  }
}
