import { kept } from '../../db/kept.ts'
import type { Db } from '../../db/open.ts'
import { localRun, percentage } from '../../engine/calendar/insights.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { localDay } from '../../engine/calendar/weeks.ts'
import { DAY_MS } from '../../engine/units.ts'
import { unitPreference } from '../../library/settings.ts'
import { figuresOfRuns, HAS, type RunFigures } from './insights-figures.ts'
import { habits, performanceHighlights } from './insights-highlights.ts'
import { weatherExtremes } from './insights-weather.ts'
import type { StatsDeps } from './queries.ts'

/** Fewest workouts for insights (docs/api.md 6). */
const REQUIRED_WORKOUTS = 5
/** Least share of runs with heart rate or weather for statements on them, percent (docs/api.md 6). */
const LEAST_COVERAGE = 25

/**
 * Extremes, highlights and habits of the whole library. The last answer is kept, since scanning 10,000 runs takes
 * milliseconds, and the dashboard sends the same request each time.
 * @returns a function that answers for an offset; null: each run's own local time
 */
export function insights({ db, now }: StatsDeps) {
  const figures = kept(db, () => figuresOfRuns(db))
  const answer = kept(db, (asked: Asked) => enough(db, figures(), asked))
  return (offsetMinutes: number | null) => {
    const runs = figures()
    if (runs.length < REQUIRED_WORKOUTS) return tooFew(runs.length)
    const nowMs = now()
    // the place of the last run is taken as the runner's current place
    const today = localDay(nowMs, offsetMinutes ?? runs.at(-1)?.utcOffsetMinutes ?? 0)
    const daysSinceFirst = Math.max(0, Math.floor((nowMs - runs[0]!.startedAtMs) / DAY_MS))
    return answer({ offsetMinutes, today, daysSinceFirst })
  }
}

interface Asked {
  readonly offsetMinutes: number | null
  /** Local day. */
  readonly today: number
  readonly daysSinceFirst: number
}

function enough(db: Db, runs: readonly RunFigures[], { offsetMinutes, today, daysSinceFirst }: Asked) {
  const unit = unitPreference(db)
  const localRuns = runs.map(({ startedAtMs, distanceM, utcOffsetMinutes }) =>
    localRun(startedAtMs, offsetMinutes ?? utcOffsetMinutes ?? 0, distanceM),
  )
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
