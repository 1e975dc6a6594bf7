import { clientOf } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import { simplifiedWbgt } from '../engine/training/conditions.ts'
import type { LoadSource } from '../engine/training/library-loads.ts'

/** What is kept of a run, with what the training sight asks beside it. */
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
  readonly gainPerKm: number | null
  readonly altitudeUsable: number | null
  readonly indoor: number | null
  readonly steadyS: number | null
  readonly steadyMps: number | null
  readonly steadyBpm: number | null
  readonly speedCv: number | null
  readonly hrCover: number | null
  readonly ef: number | null
  readonly ef1: number | null
  readonly ef2: number | null
  readonly decouplingReason: 'tooShort' | 'heartRateGaps' | 'notSteady' | 'noDistance' | null
  readonly durability: string | null
  readonly peakHr15s: number | null
  readonly best30Mps: number | null
  readonly best30Lthr: number | null
  readonly raceBpm: number | null
  readonly pieces: Uint8Array | null
  readonly headings: Uint8Array | null
}

const FACTS = `
  SELECT w.id, w.started_at AS startedAt, w.utc_offset_minutes AS offset, w.run_type AS runType, w.duration_s AS durationS,
    coalesce(w.moving_time_s, w.timer_time_s, w.duration_s) AS movingS, w.distance_m AS distanceM,
    w.weather_temperature_c AS temperatureC, w.weather_humidity AS humidityPct, w.weather_wind_speed_mps AS windMps,
    w.weather_wind_direction AS windFromDeg, coalesce(c.exclude_from_estimates, 0) AS excluded,
    l.source, coalesce(l.suspect, 0) AS suspect, coalesce(l.coverage, 0) AS coverage,
    t.hr_hist AS hrHist, t.speed_hist AS speedHist, t.gain_per_km AS gainPerKm, t.altitude_usable AS altitudeUsable,
    t.indoor, t.steady_s AS steadyS, t.steady_mps AS steadyMps, t.steady_bpm AS steadyBpm, t.speed_cv AS speedCv,
    t.hr_cover AS hrCover, t.ef, t.ef1, t.ef2, t.decoupling_reason AS decouplingReason, t.durability,
    t.peak_hr_15s AS peakHr15s, t.best30_mps AS best30Mps, t.best30_lthr AS best30Lthr, t.race_bpm AS raceBpm,
    t.pieces, t.headings
  FROM workout AS w LEFT JOIN workout_training AS t ON t.workout_id = w.id
    LEFT JOIN training_choice AS c ON c.workout_id = w.id LEFT JOIN workout_load AS l ON l.workout_id = w.id`

/** Of the runs that began in a window, Unix milliseconds, oldest first; those that are left out are not there. */
export function factsBetween({ db }: Pick<Deps, 'db'>, fromMs: number, toMs: number): FactRow[] {
  return clientOf(db)
    .query<FactRow, [number, number]>(
      `${FACTS} WHERE w.started_at >= ? AND w.started_at < ? AND w.left_out = 0 ORDER BY w.started_at, w.id`,
    )
    .all(fromMs, toMs)
}

/** Of one run, left out or not. */
export function factsOf({ db }: Pick<Deps, 'db'>, id: string): FactRow | null {
  return clientOf(db).query<FactRow, [string]>(`${FACTS} WHERE w.id = ?`).get(id)
}

/** Simplified WBGT of a run, °C; null without weather. */
export function wbgtOf({ temperatureC, humidityPct }: Pick<FactRow, 'temperatureC' | 'humidityPct'>): number | null {
  return temperatureC === null || humidityPct === null ? null : simplifiedWbgt(temperatureC, humidityPct)
}
