import { inArray, sql } from 'drizzle-orm'
import type { Db, Tx } from '../db/open.ts'
import { workouts } from '../db/schema.ts'
import { isoTime } from '../engine/calendar/timestamp.ts'
import { conditionText, servedWeather } from '../library/weather.ts'

/** What the insights compare of a run. null: unknown. */
export interface RunFigures {
  /** SQLite's own key; ids as text would double the time of the question. */
  readonly rowId: number
  readonly startedAtMs: number
  /** The run's own offset from UTC. */
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
  /** Sum of the `HAS` the run has. */
  readonly has: number
}

/** Bits of `RunFigures.has`. */
export const HAS = { weather: 1, heartRate: 2, calories: 4, cadence: 8, power: 16 } as const

/**
 * `allFigures`, asked again only after rows changed: reading 10,000 runs takes most of the time of an answer. SQLite
 * counts every change of this connection, and the process has no other that writes.
 */
export function keptFigures(db: Db): () => readonly RunFigures[] {
  let kept: { readonly changes: number; readonly runs: readonly RunFigures[] } | null = null
  return () => {
    const [counted] = db.values<[number]>(sql`SELECT total_changes()`)
    const changes = counted?.[0] ?? Number.NaN
    if (kept?.changes !== changes) kept = { changes, runs: allFigures(db) }
    return kept.runs
  }
}

/**
 * All runs, oldest first. Columns and order are those of an index that covers the question where there is one, since
 * the rows themselves carry previews and weather and take five times as long to walk through.
 */
function allFigures(tx: Tx): RunFigures[] {
  const rows = tx.values<FigureValues>(sql`
    SELECT started_at, rowid, utc_offset_minutes, distance_m, avg_pace_s, elev_gain_m, relative_effort,
      weather_temperature_c, weather_humidity, weather_precipitation_mm, weather_wind_speed_mps, weather_code,
      (weather IS NOT NULL) + 2 * (max_heart_rate_bpm IS NOT NULL) + 4 * (calories IS NOT NULL)
        + 8 * (max_cadence_rpm IS NOT NULL) + 16 * (max_power_watts IS NOT NULL)
    FROM workout ORDER BY started_at`)
  return rows.map((values) => ({
    startedAtMs: values[0],
    rowId: values[1],
    utcOffsetMinutes: values[2],
    distanceM: values[3],
    avgPaceS: values[4],
    elevGainM: values[5],
    relativeEffort: values[6],
    temperatureC: values[7],
    humidity: values[8],
    precipitationMm: values[9],
    windSpeedMps: values[10],
    weatherCode: values[11],
    has: values[12],
  }))
}

type Nullable = number | null
type FigureValues = [
  ...[number, number, Nullable, number, number, Nullable, Nullable],
  ...[Nullable, Nullable, Nullable, Nullable, Nullable, number],
]

/** What an entry says of its run beside its figure. */
interface NamedRun {
  readonly run: { readonly date: string; readonly workoutId: string; readonly workoutName: string | null }
  readonly durationS: number
  /** Degrees clockwise from north, where it came from. */
  readonly windDirection: number | null
  readonly condition: string | null
}

/** Makes the entry of a run out of fields that stand before its date, id and name; null for null. */
export type Entry = <T extends object>(
  figures: RunFigures | null,
  fields: (figures: RunFigures, named: NamedRun) => T,
) => (T & NamedRun['run']) | null

/** Looks up the runs that become an entry, all at once. */
export function entriesOf(tx: Tx, found: Readonly<Record<string, RunFigures | null>>): Entry {
  const named = namedRuns(
    tx,
    Object.values(found).flatMap((figures) => (figures === null ? [] : [figures.rowId])),
  )
  return (figures, fields) => {
    const about = figures === null ? undefined : named.get(figures.rowId)
    return figures === null || about === undefined ? null : { ...fields(figures, about), ...about.run }
  }
}

function namedRuns(tx: Tx, rowIds: readonly number[]): ReadonlyMap<number, NamedRun> {
  const rowId = sql<number>`workout.rowid`
  const rows = tx
    .select({
      rowId,
      id: workouts.id,
      name: workouts.name,
      startedAt: workouts.startedAt,
      durationS: workouts.durationS,
      windDirection: workouts.weatherWindDirection,
      weather: workouts.weather,
      weatherCode: workouts.weatherCode,
    })
    .from(workouts)
    .where(inArray(rowId, [...rowIds]))
    .all()
  return new Map(
    rows.map((row) => [
      row.rowId,
      {
        run: { date: isoTime(row.startedAt), workoutId: row.id, workoutName: row.name },
        durationS: row.durationS,
        windDirection: row.windDirection,
        condition: conditionOf(row.weather, row.weatherCode),
      },
    ]),
  )
}

function conditionOf(weather: string | null, weatherCode: number | null): string | null {
  return servedWeather(weather)?.condition ?? (weatherCode === null ? null : conditionText(weatherCode))
}

/** How many runs have a kind of data. */
export interface Availability {
  readonly count: number
  readonly percentage: number
  readonly available: boolean
}
