import { asc } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { races } from '../../db/schema-training.ts'
import { isoDate, parseDay } from '../../engine/calendar/weeks.ts'
import type { RaceDocument } from '../documents/rows.ts'

/** A planned race as in archives. */
export interface Race extends Omit<RaceDocument, 'day'> {
  /** `yyyy-MM-dd` */
  readonly date: string
}

/** Planned races that a library may have. */
export const MOST_RACES = 1000
/** Least and greatest values. */
export const RACE_LIMITS = { distanceM: [100, 1_000_000], goalTimeS: [1, 1_000_000] } as const

export function raceOf({ day, ...rest }: RaceDocument): Race {
  return { ...rest, date: isoDate(day) }
}

/** All planned races, the earliest first. */
export function storedRaces(tx: Tx): Race[] {
  return tx.select().from(races).orderBy(asc(races.day), asc(races.id)).all().map(raceOf)
}

/** The document of a race, whose date is a real one. */
export function raceDocument({ date, ...rest }: Race): RaceDocument {
  return { ...rest, day: parseDay(date)! }
}
