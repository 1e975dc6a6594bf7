import { Type } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import { notFound } from '../../../base/errors.ts'
import type { Tx } from '../../../db/open.ts'
import { workouts } from '../../../db/schema.ts'
import { isoTime } from '../../../engine/calendar/timestamp.ts'
import { localDay, yearOf, yearWindow } from '../../../engine/calendar/weeks.ts'
import { STANDARD_DISTANCES } from '../../../engine/run/best-efforts.ts'
import { DAY_MS } from '../../../engine/units.ts'
import { integer, moment, nullable, number, UNCONFIRMED, UtcOffset, uuid } from '../../../http/schemas.ts'
import { byRank, effortsBetween, fastestEfforts, type Ranked } from '../../../library/effort-ranks.ts'
import { type JudgedEffort, judgedEfforts } from '../../../library/effort-words.ts'
import { unconfirmedDistances } from '../../../library/unusual-efforts.ts'
import { EFFORT, JUDGEMENT, servedEffort } from './edit.ts'

/** Ranks beyond this are not reported. */
const LAST_RANK = 100

const rank = (among: string) =>
  nullable(
    integer({
      minimum: 1,
      maximum: LAST_RANK,
      description: `Among ${among}, from 1; null: it does not count, or is beyond 100`,
    }),
  )

export const RunEfforts = Type.Object(
  {
    year: integer('Calendar year of the run where it was'),
    distances: Type.Array(
      Type.Object(
        {
          ...EFFORT,
          startS: nullable(number('Seconds since the start of the run; null: only an archive knows the effort')),
          ...JUDGEMENT,
          ...UNCONFIRMED,
          rankEver: rank('one effort of each run'),
          rankYear: rank('one effort of each run of that calendar year'),
          behindBestMs: nullable(
            integer('Milliseconds behind the best of all other runs; negative is faster; null: there is no other'),
          ),
          best: nullable(
            Type.Object(
              {
                timeMs: integer('Milliseconds'),
                workoutId: uuid('Of that run'),
                workoutDate: moment('Start of that run'),
                utcOffsetMinutes: UtcOffset,
              },
              { title: 'OtherEffort', description: 'The best of all other runs; null: there is none' },
            ),
          ),
        },
        { title: 'RunEffort' },
      ),
      {
        description: 'Shortest first',
      },
    ),
  },
  { title: 'RunEfforts' },
)

/** The best efforts of a run, and their ranks among those of all runs. @throws AppError 404 */
export function runEfforts(tx: Tx, id: string) {
  const { startedAt, utcOffsetMinutes } = workouts
  const run = tx.select({ startedAt, utcOffsetMinutes }).from(workouts).where(eq(workouts.id, id)).get()
  if (run === undefined) throw notFound('Workout')
  const year = localYear(run.startedAt, run.utcOffsetMinutes)
  const { startMs, endMs } = yearWindow(year, 0)
  const ofYear = effortsBetween(tx, startMs - DAY_MS, endMs + DAY_MS)
  const unconfirmed = unconfirmedDistances(tx, id)
  const distances = judgedEfforts(tx, id)
    .filter(({ distanceIndex }) => STANDARD_DISTANCES[distanceIndex] !== undefined)
    .map((judged) => {
      const own = { ...judged, workoutId: id, startedAtMs: run.startedAt }
      const ever = fastestEfforts(tx, judged.distanceIndex, LAST_RANK + 1)
      const sameYear = (ofYear.get(judged.distanceIndex) ?? []).filter(
        (other) => localYear(other.startedAtMs, other.utcOffsetMinutes) === year,
      )
      const best = ever.find(({ workoutId }) => workoutId !== id) ?? null
      const { startMs: atMs, ...effort } = servedEffort(judged)
      return {
        ...effort,
        isUnconfirmed: unconfirmed.has(judged.distanceIndex),
        startS: atMs === null ? null : atMs / 1000,
        rankEver: rankAmong(ever, own),
        rankYear: rankAmong(sameYear, own),
        behindBestMs: best && judged.timeMs - best.timeMs,
        best: best && {
          timeMs: best.timeMs,
          workoutId: best.workoutId,
          workoutDate: isoTime(best.startedAtMs),
          utcOffsetMinutes: best.utcOffsetMinutes,
        },
      }
    })
  return { year, distances }
}

/** @returns null when it does not count, or ranks below the last rank */
function rankAmong(others: readonly Ranked[], own: Ranked & Pick<JudgedEffort, 'counts'>): number | null {
  if (!own.counts) return null
  const faster = others.filter((other) => other.workoutId !== own.workoutId && byRank(other, own) < 0).length
  return faster < LAST_RANK ? faster + 1 : null
}

/** The year by local time at the run's place. */
function localYear(atMs: number, offsetMinutes: number | null): number {
  return yearOf(localDay(atMs, offsetMinutes ?? 0))
}
