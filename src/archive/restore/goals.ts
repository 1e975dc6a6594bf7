import type { Db } from '../../db/open.ts'
import type { OpenReceipt } from '../../library/receipts/record.ts'
import { storedGoals, storeGoal } from '../../library/training/goals.ts'
import type { ZipArchive } from '../../zip/reader.ts'
import { BadDataFile } from '../format/data-rows.ts'
import { parsedJson } from '../format/json-rows.ts'
import { GOALS_PATH, readGoal } from '../format/training-rows.ts'
import type { RestoreReport } from './report.ts'

const MAX_BYTES = 1_048_576
const MOST_GOALS = 100

interface GoalsWork {
  readonly zip: ZipArchive
  readonly report: RestoreReport
  readonly receipt: OpenReceipt | null
}

/** Goals whose id is new; an archive need not have any. @throws BadDataFile */
export async function restoreGoals(
  { db, nowMs }: { readonly db: Db; readonly nowMs: number },
  { zip, report, receipt }: GoalsWork,
): Promise<void> {
  const entry = zip.find(GOALS_PATH)
  if (entry === null || entry.isFolder) return
  const rows = await readRows(zip, entry)
  const known = new Set(storedGoals(db).map(({ id }) => id))
  for (const row of rows) {
    const goal = readGoal(row)
    if (goal === null || known.size >= MOST_GOALS) report.warn('Goals that cannot be read, left out')
    else if (!known.has(goal.id)) {
      db.transaction((tx) => {
        storeGoal(tx, goal, nowMs)
        receipt?.write(tx, { outcome: 'created', filename: 'Goal', before: { what: 'goal', goalId: goal.id } })
      })
      known.add(goal.id)
    }
  }
}

async function readRows(zip: ZipArchive, entry: Parameters<ZipArchive['bytes']>[0]): Promise<readonly unknown[]> {
  try {
    const rows = parsedJson(await zip.bytes(entry, MAX_BYTES))
    return Array.isArray(rows) ? rows : []
  } catch (error) {
    throw new BadDataFile(`${GOALS_PATH} cannot be read`, { cause: error })
  }
}
