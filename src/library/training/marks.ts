import { asc } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { truthMarks } from '../../db/schema-training.ts'
import { isoDate, parseDay } from '../../engine/calendar/weeks.ts'
import type { MarkDocument } from '../documents/rows.ts'

/** A day from which on the runner wore another sensor, as in the API and in archives. */
export interface Mark extends Omit<MarkDocument, 'day'> {
  /** `yyyy-MM-dd` */
  readonly day: string
}

/** Marks that a library may have. */
export const MOST_MARKS = 100

export function markDocument({ day, ...rest }: Mark): MarkDocument {
  return { ...rest, day: parseDay(day)! }
}

/** All marks, the earliest first. */
export function storedMarks(tx: Tx): Mark[] {
  const rows = tx.select().from(truthMarks).orderBy(asc(truthMarks.day), asc(truthMarks.id)).all()
  return rows.map(({ day, ...rest }) => ({ ...rest, day: isoDate(day) }))
}
