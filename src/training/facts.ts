import type { Deps } from '../deps.ts'
import { simplifiedWbgt } from '../engine/training/conditions.ts'
import type { LoadSource } from '../engine/training/library-loads.ts'
import { KEPT_PARTS } from '../engine/training/run/run-training.ts'

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
  readonly gainPerKm: number | null
  readonly altitudeUsable: number | null
  readonly indoor: number | null
  readonly steadyS: number | null
  readonly steadyMps: number | null
  readonly steadyBpm: number | null
  readonly speedCv: number | null
  readonly hrCover: number | null
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

/** Histograms are blobs, and are read only where needed. */
type Histograms = 'hrHist' | 'speedHist'
type Pieces = 'pieces' | 'durability'
/** The numbers among the stored training data of a run. */
export type PlainFacts = Omit<FactRow, Histograms | Pieces | 'headings'>
type HistogramFacts = PlainFacts & Pick<FactRow, Histograms>
type PieceFacts = PlainFacts & Pick<FactRow, Pieces>

const { share, bpm, climb } = KEPT_PARTS
const PLAIN = `
  w.id, w.started_at AS startedAt, w.utc_offset_minutes AS offset, w.run_type AS runType, w.duration_s AS durationS,
  coalesce(w.moving_time_s, w.timer_time_s, w.duration_s) AS movingS, w.distance_m AS distanceM,
  w.weather_temperature_c AS temperatureC, w.weather_humidity AS humidityPct, w.weather_wind_speed_mps AS windMps,
  w.weather_wind_direction AS windFromDeg, coalesce(c.exclude_from_estimates, 0) AS excluded,
  l.source, coalesce(l.suspect, 0) AS suspect, coalesce(l.coverage / ${share}.0, 0) AS coverage,
  t.gain_per_km / ${climb}.0 AS gainPerKm, t.altitude_usable AS altitudeUsable, t.indoor, t.steady_s AS steadyS,
  t.steady_mps / ${share}.0 AS steadyMps, t.steady_bpm / ${bpm}.0 AS steadyBpm, t.speed_cv / ${share}.0 AS speedCv,
  t.hr_cover / ${share}.0 AS hrCover, t.ef1 / ${share}.0 AS ef1, t.ef2 / ${share}.0 AS ef2,
  t.decoupling_reason AS decouplingReason, t.peaks, coalesce(t.hr_locked_s, 0) AS lockedS, t.best30_mps / ${share}.0 AS best30Mps,
  t.best30_lthr AS best30Lthr`
const HISTOGRAMS = ', t.hr_hist AS hrHist, t.speed_hist AS speedHist'
const PIECES = ', t.pieces, t.durability'
const FROM = `
  FROM workout AS w LEFT JOIN workout_training AS t ON t.workout_id = w.id
    LEFT JOIN training_choice AS c ON c.workout_id = w.id LEFT JOIN workout_load AS l ON l.workout_id = w.id`
const WINDOW = 'WHERE w.started_at >= ? AND w.started_at < ? AND w.left_out = 0 ORDER BY w.started_at, w.id'

type Needs = Pick<Deps, 'db'>

/** Facts of the runs that began in a window, Unix milliseconds, oldest first, without runs that are left out. */
export function plainFactsBetween({ db }: Needs, fromMs: number, toMs: number): PlainFacts[] {
  return db.$client.query<PlainFacts, [number, number]>(`SELECT ${PLAIN} ${FROM} ${WINDOW}`).all(fromMs, toMs)
}

/** As `plainFactsBetween`, with histograms. */
export function histogramFactsBetween({ db }: Needs, fromMs: number, toMs: number): HistogramFacts[] {
  return db.$client
    .query<HistogramFacts, [number, number]>(`SELECT ${PLAIN}${HISTOGRAMS} ${FROM} ${WINDOW}`)
    .all(fromMs, toMs)
}

/** As `plainFactsBetween`, with minutes and durability. */
export function pieceFactsBetween({ db }: Needs, fromMs: number, toMs: number): PieceFacts[] {
  return db.$client.query<PieceFacts, [number, number]>(`SELECT ${PLAIN}${PIECES} ${FROM} ${WINDOW}`).all(fromMs, toMs)
}

/** Facts of one run, left out or not. */
export function factsOf({ db }: Needs, id: string): FactRow | null {
  return db.$client
    .query<FactRow, [string]>(`SELECT ${PLAIN}${HISTOGRAMS}${PIECES}, t.headings ${FROM} WHERE w.id = ?`)
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
