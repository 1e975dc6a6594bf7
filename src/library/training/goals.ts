import { asc } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { trainingGoals } from '../../db/schema-training.ts'
import { isoDate, parseDay } from '../../engine/calendar/weeks.ts'
import type { GoalDocument } from '../documents/rows.ts'

/** A goal as in the API and in archives. */
export interface Goal extends Omit<GoalDocument, 'fromDay' | 'toDay' | 'activeFrom' | 'activeTo' | 'createdAt'> {
  /** First and last day, `yyyy-MM-dd`, for a goal with its own dates; null for others. */
  readonly from: string | null
  readonly to: string | null
  readonly activeFrom: string | null
  readonly activeTo: string | null
}

const date = (day: number | null) => (day === null ? null : isoDate(day))
const day = (text: string | null) => (text === null ? null : parseDay(text))

export function goalOf({ fromDay, toDay, activeFrom, activeTo, createdAt: _, ...rest }: GoalDocument): Goal {
  return { ...rest, from: date(fromDay), to: date(toDay), activeFrom: date(activeFrom), activeTo: date(activeTo) }
}

/** All goals, the oldest first. */
export function storedGoals(tx: Tx): Goal[] {
  return tx.select().from(trainingGoals).orderBy(asc(trainingGoals.createdAt), asc(trainingGoals.id)).all().map(goalOf)
}

/** The document of a goal. */
export function goalDocument({ from, to, activeFrom, activeTo, ...rest }: Goal, createdAt: number): GoalDocument {
  const days = { fromDay: day(from), toDay: day(to), activeFrom: day(activeFrom), activeTo: day(activeTo) }
  return { ...rest, ...days, createdAt }
}
