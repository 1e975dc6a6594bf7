import type { Tx } from '../../db/open.ts'
import { localDay } from '../../engine/calendar/weeks.ts'
import { STANDARD_DISTANCES } from '../../engine/run/best-efforts.ts'
import { effortVdot } from '../../engine/training/chosen-efforts.ts'
import { simplifiedWbgt } from '../../engine/training/conditions.ts'
import type { FitnessRun } from '../../engine/training/latent/fitness-rows.ts'
import { KEPT_PARTS } from '../../engine/training/run/run-training.ts'
import type { StoredHistograms, StoredRun } from '../../engine/training/run-loads.ts'
import { METRES_PER_MILE } from '../../engine/units.ts'
import { unpackedGraded } from '../../workers/training.ts'
import { fastestEver } from '../effort-words.ts'
import { type Raced, raced } from '../race-efforts.ts'

/** What fitness and loads are computed from, of runs that are not left out, in order of start. */
export interface StoredRuns {
  readonly ids: readonly string[]
  readonly runs: readonly StoredRun[]
}

type Flag = 'isExcluded' | 'isIndoor' | 'isAltitudeUsable'
/** What the table has of a run for the fits, flags as 0 and 1. */
export interface PlainRun
  extends Omit<FitnessRun, 'day' | 'isRace' | Flag | 'wbgtC' | 'best'>,
    Readonly<Record<Flag, number | null>> {
  readonly id: string
  readonly runType: string | null
  readonly startedAt: number
  readonly offset: number | null
  readonly temperatureC: number | null
  readonly humidityPct: number | null
  readonly distanceM: number
}
type Row = PlainRun & Pick<StoredRun, 'averageBpm' | 'rpe' | 'manual' | 'chosen'>

const { share, bpm, climb } = KEPT_PARTS
export const RUN_COLUMNS = `
  w.id, w.started_at AS startedAt, w.utc_offset_minutes AS offset, w.run_type AS runType,
  coalesce(c.exclude_from_estimates, 0) AS isExcluded, t.indoor AS isIndoor, t.altitude_usable AS isAltitudeUsable,
  t.gain_per_km / ${climb}.0 AS gainPerKm, coalesce(w.moving_time_s, w.timer_time_s, w.duration_s) AS movingS,
  t.steady_s AS countedS, t.steady_mps / ${share}.0 AS mps, t.steady_bpm / ${bpm}.0 AS bpm,
  coalesce(t.hr_cover, 0) / ${share}.0 AS coverage, t.speed_cv / ${share}.0 AS speedCv,
  w.weather_temperature_c AS temperatureC, w.weather_humidity AS humidityPct, w.distance_m AS distanceM`
const ROWS = `
  SELECT ${RUN_COLUMNS},
    w.avg_heart_rate_bpm AS averageBpm, w.rpe, c.load_manual AS manual, coalesce(c.load_source, 'auto') AS chosen
  FROM workout AS w LEFT JOIN workout_training AS t ON t.workout_id = w.id
    LEFT JOIN training_choice AS c ON c.workout_id = w.id
  WHERE w.left_out = 0 ORDER BY w.started_at, w.id`

/** Everything is read at once: 10,000 runs with their efforts take a tenth of a second. */
export function storedRuns(tx: Tx): StoredRuns {
  const rows = tx.$client.query<Row, []>(ROWS).all()
  const best = bestEfforts(tx)
  const races = raced(tx)
  const runs = rows.map((row): StoredRun => {
    const { id, startedAt, offset, distanceM, averageBpm, rpe, manual, chosen } = row
    const ofLoad = { distanceM, averageBpm, rpe, manual, chosen }
    return { ...fitnessRun(row, localDay(startedAt, offset ?? 0), races), ...ofLoad, best: best.get(id) ?? null }
  })
  return { ids: rows.map(({ id }) => id), runs }
}

export function fitnessRun(row: PlainRun, day: number, races: Raced): Omit<FitnessRun, 'best'> {
  const { gainPerKm, movingS, countedS, mps, bpm, coverage, speedCv, temperatureC, humidityPct } = row
  return {
    ...{ day, gainPerKm, movingS, countedS, mps, bpm, coverage, speedCv },
    isRace: races.isRace(row),
    isExcluded: row.isExcluded === 1,
    isIndoor: row.isIndoor === 1,
    isAltitudeUsable: row.isAltitudeUsable === 1,
    wbgtC: temperatureC === null || humidityPct === null ? null : simplifiedWbgt(temperatureC, humidityPct),
  }
}

/** The effort with the highest VDOT of each run that has one. */
function bestEfforts(tx: Tx) {
  const best = new Map<string, NonNullable<StoredRun['best']>>()
  /** Grade-equivalent metres for a metre of a run, by one of its efforts. */
  const climbs = new Map<string, number>()
  for (const { workoutId, distanceIndex, timeMs, gradedM } of vdotEfforts(tx)) {
    // an effort of a distance that this engine no longer has is ignored until it is derived again
    const { distanceM } = STANDARD_DISTANCES[distanceIndex] ?? { distanceM: 0 }
    const timeS = timeMs / 1000
    const vdot = effortVdot({ distanceM, gradedM, timeS })
    if (gradedM !== null) climbs.set(workoutId, gradedM / distanceM)
    if (vdot !== null && vdot > (best.get(workoutId)?.vdot ?? 0)) best.set(workoutId, { distanceM, timeS, vdot })
  }
  // the result of a race says more than any part of it
  for (const { id, officialM: distanceM, timeMs, counts } of raced(tx).efforts) {
    if (!counts) continue
    const timeS = timeMs / 1000
    const vdot = effortVdot({ distanceM, gradedM: distanceM * (climbs.get(id) ?? 1), timeS })
    if (vdot !== null) best.set(id, { distanceM, timeS, vdot })
  }
  return best
}

type EffortRow = readonly [workoutId: string, distanceIndex: number, timeMs: number]

/** Shorter efforts give no VDOT. */
const MILE_INDEX = STANDARD_DISTANCES.findIndex(({ distanceM }) => distanceM >= METRES_PER_MILE)

const SELECT = 'SELECT e.workout_id, e.distance_index, e.time_ms'

/** Efforts that are plausible or that the runner counts; without the runs themselves, which would take twice as long. */
const counting = (table: string, reason: string) => `${SELECT}
  FROM ${table} AS e
    LEFT JOIN effort_word AS said ON said.workout_id = e.workout_id AND said.distance_index = e.distance_index
  WHERE e.distance_index >= ${MILE_INDEX}
    AND e.workout_id NOT IN (SELECT workout_id FROM training_choice WHERE exclude_from_estimates = 1)
    AND coalesce(said.is_record, ${reason} IS NULL)`

/** An archive's count where the samples give none. */
const EFFORTS = `
  ${counting('workout_best_effort', 'e.implausible_reason')}
  UNION ALL
  ${counting('archived_best_effort', `CASE WHEN e.time_ms < ${fastestEver('e.distance_index')} THEN 1 END`)}
    AND NOT EXISTS (
      SELECT 1 FROM workout_best_effort AS own
      WHERE own.workout_id = e.workout_id AND own.distance_index = e.distance_index)`
const GRADED = 'SELECT workout_id, effort_graded FROM workout_training WHERE effort_graded IS NOT NULL'

/**
 * All efforts of a mile and more, which a VDOT is read from; `gradedM` are grade-equivalent metres, null: the altitude
 * cannot be used.
 */
function vdotEfforts(tx: Tx) {
  const client = tx.$client
  const packed = client.query(GRADED).values() as [string, Uint8Array][]
  const graded = new Map(packed.map(([id, bytes]) => [id, unpackedGraded(bytes)]))
  return (client.query(EFFORTS).values() as unknown as EffortRow[]).map(([workoutId, distanceIndex, timeMs]) => {
    return { workoutId, distanceIndex, timeMs, gradedM: graded.get(workoutId)?.get(distanceIndex) ?? null }
  })
}

export function storedHistograms(tx: Tx, ids: readonly string[]): StoredHistograms {
  const all = 'SELECT workout_id, hr_hist, speed_hist FROM workout_training'
  const rows = tx.$client.query(all).values() as [string, Uint8Array, Uint8Array][]
  const found = new Map(rows.map(([id, ...histograms]) => [id, histograms]))
  const parts = ids.flatMap((id) => found.get(id) ?? NO_HISTOGRAMS)
  let end = 0
  const ends = Uint32Array.from(parts, (part) => (end += part.length))
  return { bytes: Buffer.concat(parts), ends }
}

const NO_HISTOGRAMS = [new Uint8Array(0), new Uint8Array(0)] as const
