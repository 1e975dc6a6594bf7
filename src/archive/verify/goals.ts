import { isObject } from '../../json-object.ts'
import { storedGoals } from '../../library/training/goals.ts'
import { calledOf } from '../format/fields.ts'
import { goalRows } from '../format/goal-rows.ts'
import { type RowsToVerify, tell } from './rows.ts'
import { firstDifference } from './values.ts'

const KIND = 'goals'

/** Compares the goals with those of the archive, which need not have any. @throws BadDataFile */
export async function verifyGoals({ archive, library, findings }: RowsToVerify): Promise<void> {
  const rows = await goalRows(archive.zip)
  const restored = new Map(storedGoals(library.db).map((goal) => [goal.id, goal]))
  if (rows === null && restored.size === 0) return
  const counts = findings.kind(KIND, { inArchive: rows?.length ?? 0, restored: restored.size, equal: 0 })
  for (const row of rows ?? []) {
    const id = calledOf(isObject(row) ? row.id : undefined)
    const goal = restored.get(id)
    if (goal === undefined) findings.differ(KIND, `${KIND} ${id}: not restored`)
    else tell(findings, counts, { name: `${KIND} ${id}`, difference: firstDifference(row, goal) })
  }
  const more = counts.restored - counts.inArchive
  if (more > 0) findings.differ(KIND, `${KIND}: ${more} restored that the archive does not have`)
}
