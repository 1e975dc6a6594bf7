import type { Static } from '@sinclair/typebox'
import { inArray, sql } from 'drizzle-orm'
import { kept } from '../../db/kept.ts'
import type { Db, Tx } from '../../db/open.ts'
import { workouts } from '../../db/schema.ts'
import {
  biggestWeek,
  calendarWeeks,
  favoriteTimeOfDay,
  favoriteWeekday,
  greatest,
  type LocalRun,
  localRun,
  percentage,
  streaks as streaksOf,
} from '../../engine/calendar/insights.ts'
import { sumOf } from '../../engine/calendar/rollup.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { isoDate, localDay } from '../../engine/calendar/weeks.ts'
import { DAY_MS, METRES_PER_KM, METRES_PER_MILE, roundHalfUp } from '../../engine/units.ts'
import { type UnitPreference, unitPreference } from '../../library/settings.ts'
import { conditionText, servedWeather } from '../../library/weather.ts'
import type { Availability } from './insights-schemas.ts'
import type { StatsDeps } from './queries.ts'

/** Fewest workouts for insights. */
const REQUIRED_WORKOUTS = 5
/** Least share of runs with heart rate or weather for statements on them, percent. */
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

/** Columns of a run that insights use. null: unknown. */
export interface RunFigures {
  /** SQLite's rowid; text ids would double the time of the query. */
  readonly rowId: number
  readonly startedAtMs: number
  readonly utcOffsetMinutes: number | null
  readonly distanceM: number
  /** 0: no pace. */
  readonly avgPaceS: number
  readonly elevGainM: number | null
  readonly relativeEffort: number | null
  readonly temperatureC: number | null
  readonly humidity: number | null
  readonly precipitationMm: number | null
  readonly windSpeedMps: number | null
  readonly weatherCode: number | null
  /** Sum of the `HAS` bits that apply to the run. */
  readonly has: number
}

const HAS = { weather: 1, heartRate: 2, calories: 4, cadence: 8, power: 16 } as const

const FIGURES = `SELECT started_at AS startedAtMs, rowid AS rowId, utc_offset_minutes AS utcOffsetMinutes,
    distance_m AS distanceM, avg_pace_s AS avgPaceS, elev_gain_m AS elevGainM, relative_effort AS relativeEffort,
    weather_temperature_c AS temperatureC, weather_humidity AS humidity, weather_precipitation_mm AS precipitationMm,
    weather_wind_speed_mps AS windSpeedMps, weather_code AS weatherCode,
    (weather IS NOT NULL) + 2 * (max_heart_rate_bpm IS NOT NULL) + 4 * (calories IS NOT NULL)
      + 8 * (max_cadence_rpm IS NOT NULL) + 16 * (max_power_watts IS NOT NULL) AS has
  FROM workout WHERE left_out = 0`

/**
 * The figures of all counted runs, oldest first. Columns and order match a covering index, since the rows themselves
 * contain previews and weather and take five times as long to scan.
 */
export function figuresOfRuns({ $client: client }: Db): readonly RunFigures[] {
  return client.query<RunFigures, []>(`${FIGURES} ORDER BY started_at`).all()
}

/** The run's members of an entry, beside its figures. */
type NamedRun = ReturnType<typeof namedRuns>[number]

/**
 * Looks up the runs of all entries at once.
 * @returns a function that adds date, id and name of the run to the given fields; null for null
 */
export function entriesOf(tx: Tx, found: Readonly<Record<string, RunFigures | null>>) {
  const rowIds = Object.values(found).flatMap((figures) => figures?.rowId ?? [])
  const named = new Map(namedRuns(tx, rowIds).map((run) => [run.rowId, run]))
  return <T extends object>(figures: RunFigures | null, fields: (figures: RunFigures, run: NamedRun) => T) => {
    const run = figures === null ? undefined : named.get(figures.rowId)
    if (figures === null || run === undefined) return null
    const { id: workoutId, name: workoutName, startedAt } = run
    const { utcOffsetMinutes } = figures
    return { ...fields(figures, run), date: isoTime(startedAt), utcOffsetMinutes, workoutId, workoutName }
  }
}

function namedRuns(tx: Tx, rowIds: readonly number[]) {
  const rowId = sql<number>`workout.rowid`
  return tx
    .select({
      rowId,
      id: workouts.id,
      name: workouts.name,
      startedAt: workouts.startedAt,
      durationS: workouts.durationS,
      windDirection: workouts.weatherWindDirection,
      weather: workouts.weather,
    })
    .from(workouts)
    .where(inArray(rowId, [...rowIds]))
    .all()
}

/** Below this distance a pace depends more on the watch than on the runner. */
const LEAST_PACED_M = 3000
/** Fewest workouts for habits. */
const WORKOUTS_FOR_HABITS = 10
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

/**
 * The longest, fastest, hilliest and hardest run, and the week with the most metres.
 * @param runs by start, oldest first, at least one
 */
function performanceHighlights(tx: Tx, runs: readonly RunFigures[], localRuns: readonly LocalRun[]) {
  const found = {
    longest: greatest(runs, ({ distanceM }) => distanceM),
    fastest: greatest(runs, ({ distanceM, avgPaceS }) =>
      distanceM >= LEAST_PACED_M && avgPaceS > 0 ? -avgPaceS : null,
    ),
    highest: greatest(runs, ({ elevGainM }) => positive(elevGainM)),
    hardest: greatest(runs, ({ relativeEffort }) => positive(relativeEffort)),
  }
  const entry = entriesOf(tx, found)
  const week = biggestWeek(localRuns)!
  return {
    longestRun: entry(found.longest, ({ distanceM }, { durationS }) => ({ distanceM, durationS })),
    fastestAvgPace: entry(found.fastest, ({ avgPaceS, distanceM }) => ({ avgPaceS, distanceM })),
    mostElevation: entry(found.highest, ({ elevGainM }) => ({ elevGainM: elevGainM ?? 0 })),
    highestRelativeEffort: entry(found.hardest, ({ relativeEffort }) => ({ relativeEffort: relativeEffort ?? 0 })),
    biggestWeek: {
      weekStart: isoDate(week.firstDay),
      weekEnd: isoDate(week.firstDay + 6),
      distanceM: week.distanceM,
      runs: week.runs,
    },
  }
}

/**
 * When and how often the runner runs; null with too few runs.
 * @param runs by start, oldest first
 * @param today local day
 */
function habits(runs: readonly LocalRun[], today: number) {
  if (runs.length < WORKOUTS_FOR_HABITS) return null
  const weekday = favoriteWeekday(runs)!
  const { kind: timeOfDay, ...share } = favoriteTimeOfDay(runs)!
  const streaks = streaksOf(runs, today)!
  const firstDay = runs.reduce((first, run) => Math.min(first, run.day), Number.POSITIVE_INFINITY)
  return {
    favoriteWeekday: {
      weekday: WEEKDAYS[weekday.kind]!,
      weekdayIndex: weekday.kind,
      runs: weekday.runs,
      percentage: weekday.percentage,
    },
    favoriteTimeOfDay: { timeOfDay, ...share },
    averageRunsPerWeek: roundHalfUp(runs.length / calendarWeeks(firstDay, today), 2),
    averageDistanceM: roundHalfUp(sumOf(runs, ({ distanceM }) => distanceM) / runs.length, 2),
    longestStreakDays: streaks.longestDays,
    longestStreakStart: isoDate(streaks.longestFirstDay),
    longestStreakEnd: isoDate(streaks.longestLastDay),
    currentStreakDays: streaks.currentDays,
    longestStreakWeeks: streaks.longestWeeks,
  }
}

function positive(value: number | null): number | null {
  return value !== null && value > 0 ? value : null
}

/** Fewest runs with weather for extremes. */
const REQUIRED_RUNS = 3
const CARDINALS = [
  'N',
  'NNE',
  'NE',
  'ENE',
  'E',
  'ESE',
  'SE',
  'SSE',
  'S',
  'SSW',
  'SW',
  'WSW',
  'W',
  'WNW',
  'NW',
  'NNW',
] as const

/** The coldest, windiest, snowiest … of all runs; null when too few have weather. @param runs by start, oldest first */
function weatherExtremes(
  tx: Tx,
  runs: readonly RunFigures[],
  { unit, availability }: { readonly unit: UnitPreference; readonly availability: Static<typeof Availability> },
) {
  if (availability.count < REQUIRED_RUNS || !availability.available) return null
  const found = {
    coldest: greatest(runs, ({ temperatureC }) => (temperatureC === null ? null : -temperatureC)),
    hottest: greatest(runs, ({ temperatureC }) => temperatureC),
    windiest: greatest(runs, ({ windSpeedMps }) => windSpeedMps),
    mostHumid: greatest(runs, ({ humidity }) => humidity),
    wettest: greatest(runs, ({ precipitationMm }) => ((precipitationMm ?? 0) > 0 ? precipitationMm : null)),
    mostEpic: greatest(runs, ({ weatherCode }) => within(weatherCode, 95, 99)),
    foggiest: greatest(runs, ({ weatherCode }) => within(weatherCode, 45, 48)),
    // snow of an unknown amount ranks below any known amount
    snowiest: greatest(runs, ({ weatherCode, precipitationMm }) =>
      isSnow(weatherCode) ? (precipitationMm ?? -1) : null,
    ),
  }
  const entry = entriesOf(tx, found)
  const degrees = ({ temperatureC }: RunFigures) => temperature(temperatureC ?? 0, unit)
  const code = ({ weatherCode }: RunFigures, { weather }: { weather: string | null }) => ({
    weatherCode: weatherCode ?? 0,
    condition: servedWeather(weather)?.condition ?? conditionText(weatherCode ?? 0),
  })
  return {
    coldest: entry(found.coldest, degrees),
    hottest: entry(found.hottest, degrees),
    windiest: entry(found.windiest, ({ windSpeedMps }, { windDirection }) => ({
      ...windSpeed(windSpeedMps ?? 0, unit),
      windDirection,
      windDirectionCardinal: windDirection === null ? null : cardinal(windDirection),
    })),
    mostHumid: entry(found.mostHumid, ({ humidity }) => ({ humidity: humidity ?? 0 })),
    wettest: entry(found.wettest, ({ precipitationMm }) => ({
      precipitation: precipitationMm ?? 0,
      precipitationUnit: 'mm' as const,
    })),
    mostEpic: entry(found.mostEpic, code),
    foggiest: entry(found.foggiest, code),
    snowiest: entry(found.snowiest, (figures, about) => ({
      ...code(figures, about),
      precipitation: figures.precipitationMm,
    })),
  }
}

function within(code: number | null, first: number, last: number): number | null {
  return code !== null && code >= first && code <= last ? code : null
}

/** Whether a WMO code is snow or snow showers; hail, freezing rain and mixtures do not count. */
function isSnow(code: number | null): boolean {
  return code !== null && ((code >= 71 && code <= 77) || code === 85 || code === 86)
}

function temperature(celsius: number, unit: UnitPreference) {
  return unit === 'imperial'
    ? { temperature: roundHalfUp((celsius * 9) / 5 + 32, 1), temperatureUnit: '°F' as const }
    : { temperature: roundHalfUp(celsius, 1), temperatureUnit: '°C' as const }
}

function windSpeed(metresPerSecond: number, unit: UnitPreference) {
  const perHour = metresPerSecond * 3600
  return unit === 'imperial'
    ? { windSpeed: roundHalfUp(perHour / METRES_PER_MILE, 1), windSpeedUnit: 'mph' as const }
    : { windSpeed: roundHalfUp(perHour / METRES_PER_KM, 1), windSpeedUnit: 'km/h' as const }
}

/** One of 16 compass points, each 22.5 degrees wide. */
function cardinal(degrees: number): string {
  const turn = ((degrees % 360) + 360) % 360
  return CARDINALS[Math.floor(turn / 22.5 + 0.5) % CARDINALS.length]!
}
