import type { Deps } from '../deps.ts'
import { percentage } from '../engine/insights.ts'
import { localDay } from '../engine/weeks.ts'
import { isoTime } from '../http/time.ts'
import { unitPreference } from '../settings/queries.ts'
import { HAS, keptFigures, type RunFigures } from './insights-figures.ts'
import { habits } from './insights-habits.ts'
import { performanceHighlights } from './insights-performance.ts'
import { weatherExtremes } from './insights-weather.ts'

/** Fewest workouts that say anything (SPEC 8). */
const REQUIRED_WORKOUTS = 5
const DAY_MS = 86_400_000
/** Heart rate and weather say little of a library when fewer runs than this share have them, percent (CONTRACT 6). */
const LEAST_COVERAGE = 25

/** How many runs have a kind of data. */
export interface Availability {
  readonly count: number
  readonly percentage: number
  readonly available: boolean
}

/**
 * Extremes, highlights and habits out of the whole library.
 * @returns the answer for an offset; null: each run's own local time
 */
export function insights(deps: Pick<Deps, 'db' | 'now'>) {
  const figures = keptFigures(deps.db)
  return (offsetMinutes: number | null) => {
    const runs = figures()
    return runs.length < REQUIRED_WORKOUTS ? tooFew(runs.length) : enough(deps, runs, offsetMinutes)
  }
}

function enough({ db, now }: Pick<Deps, 'db' | 'now'>, runs: readonly RunFigures[], offsetMinutes: number | null) {
  const nowMs = now()
  const localRuns = runs.map(({ startedAtMs, distanceM, utcOffsetMinutes }) => ({
    startedAtMs,
    distanceM,
    offsetMinutes: offsetMinutes ?? utcOffsetMinutes ?? 0,
  }))
  // where the last run was is where the runner is now
  const today = localDay(nowMs, localRuns.at(-1)?.offsetMinutes ?? 0)
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
      daysSinceFirstWorkout: Math.max(0, Math.floor((nowMs - runs[0]!.startedAtMs) / DAY_MS)),
      dataAvailability,
      minimumWorkoutsRequired: REQUIRED_WORKOUTS,
    },
    weather: weatherExtremes(db, runs, {
      unit: unitPreference(db),
      availability: dataAvailability.weather,
    }),
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
  const counted = (has: (run: RunFigures) => boolean, leastPercent = 0): Availability => {
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
