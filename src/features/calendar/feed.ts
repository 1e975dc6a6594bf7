import type { Db } from '../../db/open.ts'
import { parseDay } from '../../engine/calendar/weeks.ts'
import { clock, hoursAndMinutes } from '../../engine/intervals/summary.ts'
import type { GoalPeriod } from '../../engine/training/goals.ts'
import { DAY_MS, roundHalfUp } from '../../engine/units.ts'
import { shownName } from '../../library/places.ts'
import { quantities } from '../../library/quantities.ts'
import { unitPreference } from '../../library/settings.ts'
import { type Goal, type Race, storedGoals, storedRaces } from '../../library/training/documents.ts'
import type { CalendarEvent } from './ics.ts'

/** How far back runs are shown; races and goals are few. */
const RUN_DAYS = 731

interface Run {
  readonly id: string
  readonly startedAt: number
  readonly durationS: number
  readonly distanceM: number
  readonly name: string | null
}

const RUNS = `SELECT id, started_at AS startedAt, duration_s AS durationS, distance_m AS distanceM, name
  FROM workout WHERE started_at >= ? ORDER BY started_at, id`

/** Runs, races and goals for a calendar that others may see: no positions, notes or names of hidden places. */
export function calendarEvents(db: Db, nowMs: number): CalendarEvent[] {
  const runs = db.$client.query<Run, [number]>(RUNS).all(nowMs - RUN_DAYS * DAY_MS)
  const races = storedRaces(db)
  const goals = storedGoals(db)
  const shown = shownName(db)
  const { distance, climb } = quantities(unitPreference(db))
  return [
    ...runs.map(({ id, startedAt, durationS, distanceM, name }) => ({
      uid: uid('run', id),
      summary: `${shown(name) ?? 'Run'} · ${distance(distanceM)}`,
      when: { startMs: startedAt, endMs: startedAt + 1000 * durationS },
    })),
    ...races.map((race) => ({
      uid: uid('race', race.id),
      summary: raceWords({ ...race, name: shown(race.name) }, distance),
      when: { day: parseDay(race.date)! },
    })),
    ...goals.flatMap((goal) => {
      const last = goal.to ?? goal.activeTo
      if (last === null) return []
      const summary = `Goal: ${[shown(goal.name) ?? [], targetWords(goal, { distance, climb })].flat().join(' · ')}`
      return { uid: uid('goal', goal.id), summary, when: { day: parseDay(last)! } }
    }),
  ]
}

function uid(kind: string, id: string): string {
  return `${kind}-${id}@harrier`
}

type Words = (metres: number) => string

function raceWords(
  { name, distanceM, goalTimeS }: Omit<Race, 'name'> & { readonly name: string | null },
  distance: Words,
): string {
  const goal = goalTimeS === null ? [] : `goal ${clock(goalTimeS)}`
  return [name === null ? 'Race' : `Race: ${name}`, distance(distanceM), goal].flat().join(' · ')
}

const EACH: Readonly<Record<GoalPeriod, string>> = { week: ' a week', month: ' a month', year: ' a year', dates: '' }

/** `120 km`, `3 runs a week` */
function targetWords(
  { metric, period, target }: Goal,
  { distance, climb }: { readonly distance: Words; readonly climb: Words },
): string {
  const words = {
    distanceM: () => distance(target),
    movingTimeS: () => hoursAndMinutes(target),
    runs: () => `${roundHalfUp(target)} ${roundHalfUp(target) === 1 ? 'run' : 'runs'}`,
    elevGainM: () => `${climb(target)} of climb`,
    load: () => `load ${roundHalfUp(target)}`,
  }[metric]()
  return `${words}${EACH[period]}`
}
