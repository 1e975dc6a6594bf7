import type { Db } from '../db/open.ts'
import { percentage } from '../engine/calendar/insights.ts'
import { isoTime } from '../engine/calendar/timestamp.ts'
import { localDay } from '../engine/calendar/weeks.ts'
import { type UnitPreference, unitPreference } from '../library/settings.ts'
import { HAS, keptFigures, type RunFigures } from './insights-figures.ts'
import { habits, performanceHighlights } from './insights-highlights.ts'
import { weatherExtremes } from './insights-weather.ts'
import type { StatsDeps } from './queries.ts'

/** Fewest workouts for insights (docs/api.md 6). */
const REQUIRED_WORKOUTS = 5
const DAY_MS = 86_400_000
/** Least share of runs with heart rate or weather for statements on them, percent (docs/api.md 6). */
const LEAST_COVERAGE = 25

/**
 * Extremes, highlights and habits of the whole library. The last answer is cached until a run, the unit, the day or the
 * offset changes: scanning 10,000 runs takes milliseconds, and the dashboard sends the same request each time.
 * @returns a function that answers for an offset; null: each run's own local time
 */
export function insights(deps: StatsDeps) {
  const figures = keptFigures(deps.db)
  let kept: { runs: readonly RunFigures[]; asked: string; answer: ReturnType<typeof enough> } | null = null
  return (offsetMinutes: number | null) => {
    const runs = figures()
    if (runs.length < REQUIRED_WORKOUTS) return tooFew(runs.length)
    const nowMs = deps.now()
    // the place of the last run is taken as the runner's current place
    const today = localDay(nowMs, offsetMinutes ?? runs.at(-1)?.utcOffsetMinutes ?? 0)
    const daysSinceFirst = Math.max(0, Math.floor((nowMs - runs[0]!.startedAtMs) / DAY_MS))
    const unit = unitPreference(deps.db)
    // everything else that the answer depends on is part of the runs
    const asked = [offsetMinutes, today, daysSinceFirst, unit].join()
    if (kept?.runs !== runs || kept.asked !== asked) {
      kept = { runs, asked, answer: enough(deps.db, runs, { offsetMinutes, today, daysSinceFirst, unit }) }
    }
    return kept.answer
  }
}

interface Asked {
  readonly offsetMinutes: number | null
  /** Local day. */
  readonly today: number
  readonly daysSinceFirst: number
  readonly unit: UnitPreference
}

function enough(db: Db, runs: readonly RunFigures[], { offsetMinutes, today, daysSinceFirst, unit }: Asked) {
  const localRuns = runs.map(({ startedAtMs, distanceM, utcOffsetMinutes }) => ({
    startedAtMs,
    distanceM,
    offsetMinutes: offsetMinutes ?? utcOffsetMinutes ?? 0,
  }))
  const dataAvailability = availability(runs)
  return {
    message: null,
    sufficientData: true,
    currentWorkouts: null,
    requiredWorkouts: null,
    metadata: {
      totalWorkouts: runs.length,
      firstWorkoutDate: isoTime(runs[0]!.startedAtMs),
      latestWorkoutDate: isoTime(runs.at(-1)!.startedAtMs),
      daysSinceFirstWorkout: daysSinceFirst,
      dataAvailability,
      minimumWorkoutsRequired: REQUIRED_WORKOUTS,
    },
    weather: weatherExtremes(db, runs, { unit, availability: dataAvailability.weather }),
    performance: performanceHighlights(db, runs, localRuns),
    habits: habits(localRuns, today),
  }
}

function tooFew(total: number) {
  const missing = REQUIRED_WORKOUTS - total
  return {
    message: `Keep running! Insights need at least ${REQUIRED_WORKOUTS} workouts: ${missing} more to go`,
    sufficientData: false,
    currentWorkouts: total,
    requiredWorkouts: REQUIRED_WORKOUTS,
    metadata: {
      totalWorkouts: total,
      firstWorkoutDate: null,
      latestWorkoutDate: null,
      daysSinceFirstWorkout: null,
      dataAvailability: {},
      minimumWorkoutsRequired: REQUIRED_WORKOUTS,
    },
    weather: null,
    performance: null,
    habits: null,
  }
}

function availability(runs: readonly RunFigures[]) {
  const counted = (has: (run: RunFigures) => boolean, leastPercent = 0) => {
    const count = runs.reduce((sum, run) => sum + (has(run) ? 1 : 0), 0)
    const available = count > 0 && 100 * count >= leastPercent * runs.length
    return { count, percentage: percentage(count, runs.length), available }
  }
  return {
    weather: counted(({ has }) => (has & HAS.weather) !== 0, LEAST_COVERAGE),
    heartRate: counted(({ has }) => (has & HAS.heartRate) !== 0, LEAST_COVERAGE),
    elevation: counted(({ elevGainM }) => elevGainM !== null),
    calories: counted(({ has }) => (has & HAS.calories) !== 0),
    cadence: counted(({ has }) => (has & HAS.cadence) !== 0),
    power: counted(({ has }) => (has & HAS.power) !== 0),
  }
}
