import { inArray, sql } from 'drizzle-orm'
import type { Db, Tx } from '../db/open.ts'
import { workouts } from '../db/schema.ts'
import { isoTime } from '../engine/calendar/timestamp.ts'

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
 * All runs that are not left out, oldest first. Columns and order are those of an index that covers the question where there is one, since
 * the rows themselves carry previews and weather and take five times as long to walk through.
 */
function allFigures({ $client: client }: Db): RunFigures[] {
  return client
    .query<RunFigures, []>(
      `SELECT started_at AS startedAtMs, rowid AS rowId, utc_offset_minutes AS utcOffsetMinutes, distance_m AS distanceM,
        avg_pace_s AS avgPaceS, elev_gain_m AS elevGainM, relative_effort AS relativeEffort,
        weather_temperature_c AS temperatureC, weather_humidity AS humidity, weather_precipitation_mm AS precipitationMm,
        weather_wind_speed_mps AS windSpeedMps, weather_code AS weatherCode,
        (weather IS NOT NULL) + 2 * (max_heart_rate_bpm IS NOT NULL) + 4 * (calories IS NOT NULL)
          + 8 * (max_cadence_rpm IS NOT NULL) + 16 * (max_power_watts IS NOT NULL) AS has
      FROM workout WHERE left_out = 0 ORDER BY started_at`,
    )
    .all()
}

/** What an entry says of its run beside its figures. */
type NamedRun = ReturnType<typeof namedRuns>[number]

/**
 * Looks up the runs that become an entry, all at once.
 * @returns a function that makes an entry out of fields that stand before its date, id and name; null for null
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
