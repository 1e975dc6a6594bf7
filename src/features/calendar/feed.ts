import type { Db } from '../../db/open.ts'
import { parseDay } from '../../engine/calendar/weeks.ts'
import type { GoalPeriod } from '../../engine/training/goals.ts'
import { DAY_MS, METRES_PER_FOOT, roundHalfUp } from '../../engine/units.ts'
import { storedPlaces } from '../../library/places.ts'
import { splitUnitM, unitPreference } from '../../library/settings.ts'
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
  const unit = unitPreference(db)
  const shown = shownName(storedPlaces(db).flatMap(({ name, hideM }) => (hideM === null ? [] : name)))
  const distance = (metres: number) =>
    `${roundHalfUp(metres / splitUnitM(unit), 1).toFixed(1)} ${unit === 'imperial' ? 'mi' : 'km'}`
  const climb = (metres: number) =>
    unit === 'imperial' ? `${Math.round(metres / METRES_PER_FOOT)} ft` : `${Math.round(metres)} m`
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

/** Leaves out names that contain that of a hidden place, in any spelling: with other accents, case, blanks or dashes. */
function shownName(hidden: readonly string[]): (name: string | null) => string | null {
  const letters = (text: string) =>
    text
      .normalize('NFKD')
      .toUpperCase()
      .replace(/[^\p{L}\p{N}]/gu, '')
  const secret = hidden.map((place) => ({ place, plain: letters(place) }))
  return (name) => {
    if (name === null) return null
    const plain = letters(name)
    // a place may be called by signs alone
    const tells = secret.some((one) => (one.plain === '' ? name.includes(one.place) : plain.includes(one.plain)))
    return tells ? null : name
  }
}

type Words = (metres: number) => string

function raceWords(
  { name, distanceM, goalTimeS }: Omit<Race, 'name'> & { readonly name: string | null },
  distance: Words,
): string {
  const goal = goalTimeS === null ? [] : `goal ${clock(goalTimeS)}`
  return [name === null ? 'Race' : `Race: ${name}`, distance(distanceM), goal].flat().join(' · ')
}

/** `3:30:00`, `40:00` */
function clock(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return `${hours === 0 ? minutes : `${hours}:${two(minutes)}`}:${two(seconds % 60)}`
}

const EACH: Readonly<Record<GoalPeriod, string>> = { week: ' a week', month: ' a month', year: ' a year', dates: '' }

/** `120 km`, `3 runs a week` */
function targetWords(
  { metric, period, target }: Goal,
  { distance, climb }: { readonly distance: Words; readonly climb: Words },
): string {
  const words = {
    distanceM: () => distance(target),
    movingTimeS: () => {
      const [hours, minutes] = [Math.floor(target / 3600), Math.round((target % 3600) / 60)]
      return [hours > 0 ? `${hours} h` : [], minutes > 0 || hours === 0 ? `${minutes} min` : []].flat().join(' ')
    },
    runs: () => `${roundHalfUp(target)} ${roundHalfUp(target) === 1 ? 'run' : 'runs'}`,
    elevGainM: () => `${climb(target)} of climb`,
    load: () => `load ${roundHalfUp(target)}`,
  }[metric]()
  return `${words}${EACH[period]}`
}
