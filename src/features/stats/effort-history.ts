import { Type } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import { notFound } from '../../base/errors.ts'
import { isObject } from '../../base/json-object.ts'
import type { Db } from '../../db/open.ts'
import { workouts } from '../../db/schema.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { localDay, windowOf, yearOf, yearPeriod, yearWindow } from '../../engine/calendar/weeks.ts'
import { STANDARD_DISTANCES } from '../../engine/run/best-efforts.ts'
import { roundHalfUp } from '../../engine/units.ts'
import { integer, nullable, PLAUSIBILITY, StandardMetres, text, UNCONFIRMED, uuid } from '../../http/schemas.ts'
import { type Reader, reader } from '../../http/standard.ts'
import {
  byRank,
  effortsBetween,
  effortsInOrder,
  fastestEfforts,
  type RankedEffort,
} from '../../library/effort-ranks.ts'
import { distanceIndexOf } from '../../library/effort-words.ts'
import { isUnconfirmed } from './best-efforts.ts'
import type { StatsDeps } from './queries.ts'
import { DISTANCE, EFFORT } from './schemas.ts'

const MEDALS = 3
/** Ranks in the list of one distance. */
const TOP = 10

const { isRaceResult } = PLAUSIBILITY
const RACED = { ...EFFORT, isRaceResult }

export const EffortMedals = Type.Object({
  medals: Type.Array(
    Type.Object(
      {
        workoutId: uuid('The run'),
        ...DISTANCE,
        rank: integer({ minimum: 1, maximum: MEDALS, description: '1: the fastest' }),
      },
      { title: 'EffortMedal' },
    ),
    { description: 'The three fastest efforts of each distance, each of another run' },
  ),
})

export const EffortProgress = Type.Object(
  {
    ...DISTANCE,
    runs: integer('Runs with an effort that counts'),
    records: Type.Array(Type.Object(RACED, { title: 'EffortRecord' }), {
      description: 'Each that was faster than all before it, oldest first',
    }),
    years: Type.Array(
      Type.Object(
        { year: integer('Calendar year'), runs: integer('Its runs with an effort that counts'), ...RACED },
        { title: 'YearEffort' },
      ),
      { description: 'The fastest of each calendar year, by the local time of each run, oldest first' },
    ),
    top: Type.Array(
      Type.Object(
        {
          rank: integer({ minimum: 1, maximum: TOP, description: '1: the fastest' }),
          name: nullable(text('Name of the run; null: it has none')),
          ...RACED,
          ...UNCONFIRMED,
        },
        { title: 'TopEffort' },
      ),
      { description: `The ${TOP} fastest, each of another run`, maxItems: TOP },
    ),
  },
  { title: 'EffortProgress' },
)

/** The fastest effort of each distance in the calendar year, or in the twelve months, up to today. */
export function periodEfforts(
  { db, now }: StatsDeps,
  { period, offsetMinutes }: { readonly period: 'year' | '12months'; readonly offsetMinutes: number },
) {
  const today = localDay(now(), offsetMinutes)
  const year = period === 'year' ? yearWindow(yearOf(today), offsetMinutes) : windowOf(yearPeriod(today), offsetMinutes)
  const efforts = effortsBetween(db, year.startMs, year.endMs)
  return STANDARD_DISTANCES.flatMap(({ label, distanceM }, index) => {
    const [best] = efforts.get(index) ?? []
    if (best === undefined) return []
    const { implausibleReason } = best
    const mark = { isPlausible: implausibleReason === null, implausibleReason, isUnconfirmed: isUnconfirmed(db, best) }
    return [{ distance: label, distanceM, ...served(best), ...mark }]
  })
}

/** Runs that hold one of the first three ranks of a distance. */
export function effortMedals(db: Db) {
  const medals = STANDARD_DISTANCES.flatMap(({ label, distanceM }, index) =>
    fastestEfforts(db, index, MEDALS).map(({ workoutId }, place) => ({
      workoutId,
      distance: label,
      distanceM,
      rank: place + 1,
    })),
  )
  return { medals }
}

/** The metres of a standard distance; any other value is answered like an unknown id. */
export const distanceParams: Reader<{ readonly distanceIndex: number }> = reader(
  Type.Object({ distanceM: StandardMetres }),
  (params) => {
    const distanceIndex = distanceIndexOf(isObject(params) ? params.distanceM : undefined)
    if (distanceIndex === null) throw notFound('Best effort')
    return { distanceIndex }
  },
)

/** How the record of one distance improved over time, its fastest efforts, and the fastest of each year. */
export function effortProgress(db: Db, distanceIndex: number) {
  const { label, distanceM } = STANDARD_DISTANCES[distanceIndex]!
  const efforts = effortsInOrder(db, distanceIndex)
  const records: RankedEffort[] = []
  for (const effort of efforts) {
    const last = records.at(-1)
    if (last === undefined || effort.timeMs < last.timeMs) records.push(effort)
  }
  const byYear = Map.groupBy(efforts, (effort) => yearOf(localDay(effort.startedAtMs, effort.utcOffsetMinutes ?? 0)))
  return {
    distance: label,
    distanceM,
    runs: efforts.length,
    records: records.map(served),
    years: [...byYear]
      .toSorted(([a], [b]) => a - b)
      .map(([year, all]) => ({ year, runs: all.length, ...served(all.toSorted(byRank)[0]!) })),
    top: efforts
      .toSorted(byRank)
      .slice(0, TOP)
      .map((effort, place) => ({
        rank: place + 1,
        name: nameOf(db, effort.workoutId),
        ...served(effort),
        isUnconfirmed: isUnconfirmed(db, effort),
      })),
  }
}

function nameOf(db: Db, id: string): string | null {
  return db.select({ name: workouts.name }).from(workouts).where(eq(workouts.id, id)).get()?.name ?? null
}

function served({ timeMs, workoutId, startedAtMs, utcOffsetMinutes, isRaceResult }: RankedEffort) {
  return {
    timeS: roundHalfUp(timeMs / 1000),
    timeMs,
    workoutId,
    workoutDate: isoTime(startedAtMs),
    utcOffsetMinutes,
    isRaceResult: isRaceResult === true,
  }
}
