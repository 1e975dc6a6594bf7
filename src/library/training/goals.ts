import { asc, eq } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { trainingGoals } from '../../db/schema-training.ts'
import { isoDate, parseDay } from '../../engine/calendar/weeks.ts'
import type { GoalMetric, GoalPeriod } from '../../engine/training/goals.ts'

/** A goal as in the API and in archives; dates are `yyyy-MM-dd`. */
export interface Goal {
  readonly id: string
  readonly metric: GoalMetric
  readonly period: GoalPeriod
  readonly target: number
  /** First and last day, for a goal with its own dates; null for others. */
  readonly from: string | null
  readonly to: string | null
  readonly activeFrom: string | null
  readonly activeTo: string | null
  readonly name: string | null
}

type Row = typeof trainingGoals.$inferSelect

const date = (day: number | null) => (day === null ? null : isoDate(day))
const day = (text: string | null) => (text === null ? null : parseDay(text))

function goalOf({ fromDay, toDay, activeFrom, activeTo, createdAt: _, ...rest }: Row): Goal {
  return { ...rest, from: date(fromDay), to: date(toDay), activeFrom: date(activeFrom), activeTo: date(activeTo) }
}

/** All goals, the oldest first. */
export function storedGoals(tx: Tx): Goal[] {
  return tx.select().from(trainingGoals).orderBy(asc(trainingGoals.createdAt), asc(trainingGoals.id)).all().map(goalOf)
}

export function storedGoal(tx: Tx, id: string): Goal | null {
  const row = tx.select().from(trainingGoals).where(eq(trainingGoals.id, id)).get()
  return row === undefined ? null : goalOf(row)
}

/** Stores a new goal, or replaces that with the same id. */
export function storeGoal(tx: Tx, { from, to, activeFrom, activeTo, ...rest }: Goal, nowMs: number): void {
  const values = {
    ...rest,
    fromDay: day(from),
    toDay: day(to),
    activeFrom: day(activeFrom),
    activeTo: day(activeTo),
  }
  tx.insert(trainingGoals)
    .values({ ...values, createdAt: nowMs })
    .onConflictDoUpdate({ target: trainingGoals.id, set: values })
    .run()
}

/** @returns false when there is none with this id */
export function removeGoal(tx: Tx, id: string): boolean {
  return (
    tx.delete(trainingGoals).where(eq(trainingGoals.id, id)).returning({ id: trainingGoals.id }).get() !== undefined
  )
}
