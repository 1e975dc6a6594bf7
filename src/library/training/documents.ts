import { asc } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { races, trainingGoals, truthMarks } from '../../db/schema-training.ts'
import { isoDate, parseDay } from '../../engine/calendar/weeks.ts'
import type { GoalDocument, MarkDocument, RaceDocument } from '../documents/rows.ts'

// Goals, planned races and marks, with dates as in the API and in archives.

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

export function goalDocument({ from, to, activeFrom, activeTo, ...rest }: Goal, createdAt: number): GoalDocument {
  const days = { fromDay: day(from), toDay: day(to), activeFrom: day(activeFrom), activeTo: day(activeTo) }
  return { ...rest, ...days, createdAt }
}

export interface Race extends Omit<RaceDocument, 'day'> {
  /** `yyyy-MM-dd` */
  readonly date: string
}

export const MOST_RACES = 1000
export const MOST_GOALS = 100
export const RACE_LIMITS = { distanceM: [100, 1_000_000], goalTimeS: [1, 1_000_000] } as const

export function raceOf({ day, ...rest }: RaceDocument): Race {
  return { ...rest, date: isoDate(day) }
}

/** All planned races, the earliest first. */
export function storedRaces(tx: Tx): Race[] {
  return tx.select().from(races).orderBy(asc(races.day), asc(races.id)).all().map(raceOf)
}

export function raceDocument({ date, ...rest }: Race): RaceDocument {
  return { ...rest, day: parseDay(date)! }
}

/** A day from which on the runner wore another sensor. */
export interface Mark extends Omit<MarkDocument, 'day'> {
  /** `yyyy-MM-dd` */
  readonly day: string
}

export const MOST_MARKS = 100

export function markDocument({ day, ...rest }: Mark): MarkDocument {
  return { ...rest, day: parseDay(day)! }
}

/** All marks, the earliest first. */
export function storedMarks(tx: Tx): Mark[] {
  const rows = tx.select().from(truthMarks).orderBy(asc(truthMarks.day), asc(truthMarks.id)).all()
  return rows.map(({ day, ...rest }) => ({ ...rest, day: isoDate(day) }))
}
