import { inArray, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/open.ts'
import { workouts } from '../../db/schema.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'

/** Columns of a run that insights use. null: unknown. */
export interface RunFigures {
  /** SQLite's rowid; text ids would double the time of the query. */
  readonly rowId: number
  readonly startedAtMs: number
  /** The run's own UTC offset. */
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

/** Bits of `RunFigures.has`. */
export const HAS = { weather: 1, heartRate: 2, calories: 4, cadence: 8, power: 16 } as const

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
    return { ...fields(figures, run), date: isoTime(run.startedAt), workoutId: run.id, workoutName: run.name }
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
