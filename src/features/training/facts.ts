import { simplifiedWbgt } from '../../engine/training/conditions.ts'
import type { LoadSource } from '../../engine/training/library-loads.ts'
import { KEPT_PARTS } from '../../engine/training/run/run-training.ts'
import type { Deps } from '../../library/deps.ts'

/** Stored training data of a run, with columns of the run that training needs. */
export interface FactRow {
  readonly id: string
  readonly startedAt: number
  readonly offset: number | null
  readonly runType: string | null
  readonly durationS: number
  readonly movingS: number
  readonly distanceM: number
  readonly temperatureC: number | null
  readonly humidityPct: number | null
  readonly windMps: number | null
  readonly windFromDeg: number | null
  readonly excluded: number
  readonly source: LoadSource | null
  readonly suspect: number
  readonly coverage: number
  readonly hrHist: Uint8Array | null
  readonly speedHist: Uint8Array | null
  readonly steadyMps: number | null
  readonly steadyBpm: number | null
  readonly ef1: number | null
  readonly ef2: number | null
  readonly decouplingReason: 'tooShort' | 'heartRateGaps' | 'notSteady' | 'noDistance' | null
  readonly durability: string | null
  readonly peaks: Uint8Array | null
  readonly lockedS: number
  readonly best30Mps: number | null
  readonly best30Lthr: number | null
  readonly pieces: Uint8Array | null
  readonly headings: Uint8Array | null
}

/** Histograms and other blobs are read only where needed. */
const MORE = {
  plain: '',
  histograms: ', t.hr_hist AS hrHist, t.speed_hist AS speedHist',
  pieces: ', t.pieces, t.durability',
}
type Blobs = { plain: never; histograms: 'hrHist' | 'speedHist'; pieces: 'pieces' | 'durability' }
/** The numbers among the stored training data of a run. */
export type PlainFacts = Omit<FactRow, Blobs[keyof Blobs] | 'headings'>

const { share, bpm } = KEPT_PARTS
const FACT_COLUMNS = `
  w.id, w.started_at AS startedAt, w.utc_offset_minutes AS offset, w.run_type AS runType, w.duration_s AS durationS,
  coalesce(w.moving_time_s, w.timer_time_s, w.duration_s) AS movingS, w.distance_m AS distanceM,
  w.weather_temperature_c AS temperatureC, w.weather_humidity AS humidityPct, w.weather_wind_speed_mps AS windMps,
  w.weather_wind_direction AS windFromDeg, coalesce(c.exclude_from_estimates, 0) AS excluded,
  l.source, coalesce(l.suspect, 0) AS suspect, coalesce(l.coverage / ${share}.0, 0) AS coverage,
  t.steady_mps / ${share}.0 AS steadyMps, t.steady_bpm / ${bpm}.0 AS steadyBpm, t.ef1 / ${share}.0 AS ef1, t.ef2 / ${share}.0 AS ef2,
  t.decoupling_reason AS decouplingReason, t.peaks, coalesce(t.hr_locked_s, 0) AS lockedS, t.best30_mps / ${share}.0 AS best30Mps,
  t.best30_lthr AS best30Lthr`
export const FACT_TABLES = `
  FROM workout AS w LEFT JOIN workout_training AS t ON t.workout_id = w.id
    LEFT JOIN training_choice AS c ON c.workout_id = w.id LEFT JOIN workout_load AS l ON l.workout_id = w.id`
export const FACT_WINDOW = 'WHERE w.started_at >= ? AND w.started_at < ? AND w.left_out = 0 ORDER BY w.started_at, w.id'

/** Facts of the runs that began in a window, Unix milliseconds, oldest first, without runs that are left out. */
export function factsBetween<K extends keyof Blobs>(
  { db }: Pick<Deps, 'db'>,
  kind: K,
  window: [fromMs: number, toMs: number],
) {
  return db.$client
    .query<PlainFacts & Pick<FactRow, Blobs[K]>, typeof window>(
      `SELECT ${FACT_COLUMNS}${MORE[kind]} ${FACT_TABLES} ${FACT_WINDOW}`,
    )
    .all(...window)
}

/** Facts of one run, left out or not. */
export function factsOf({ db }: Pick<Deps, 'db'>, id: string): FactRow | null {
  return db.$client
    .query<FactRow, [string]>(
      `SELECT ${FACT_COLUMNS}${MORE.histograms}${MORE.pieces}, t.headings ${FACT_TABLES} WHERE w.id = ?`,
    )
    .get(id)
}

/** Efficiency factor: grade-equivalent metres per minute per beat per minute; null: no counted time. */
export function efOf({ steadyMps, steadyBpm }: Pick<FactRow, 'steadyMps' | 'steadyBpm'>): number | null {
  return steadyMps === null || steadyBpm === null ? null : (60 * steadyMps) / steadyBpm
}

/** Simplified WBGT of a run, °C; null without weather. */
export function wbgtOf({ temperatureC, humidityPct }: Pick<FactRow, 'temperatureC' | 'humidityPct'>): number | null {
  return temperatureC === null || humidityPct === null ? null : simplifiedWbgt(temperatureC, humidityPct)
}
