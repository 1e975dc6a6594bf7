import type { Db } from '../db/open.ts'
import type { Zones } from '../engine/analysis.ts'
import { averageEffort, type RelativeEffort, relativeEffort } from '../engine/run/effort.ts'
import { unpackHeartRate } from '../workers/pack.ts'

/** What an effort is scored from, beside the samples; as long as none of it changes, neither does the effort. */
export interface EffortInputs {
  readonly id: string
  readonly durationS: number
  readonly avgHeartRateBpm: number | null
  /** The device's own average, which a rounded one may put into another zone. */
  readonly totalHeartRateBpm: number | null
  /** Of the samples; null without. */
  readonly revision: number | null
}

interface SampleRow {
  readonly meta: string
  readonly timeHr: Uint8Array
}

/** CONTRACT 7.10: a heart rate in the samples, in the raw FIT data, or an average. */
const QUALIFIES = '(w.has_time_series_hr = 1 OR w.has_raw_hr = 1 OR w.avg_heart_rate_bpm IS NOT NULL)'
const INPUTS = `SELECT w.id, w.duration_s AS durationS, w.avg_heart_rate_bpm AS avgHeartRateBpm,
    json_extract(w.device_totals, '$.avgHeartRateBpm') AS totalHeartRateBpm, s.revision
  FROM workout w LEFT JOIN workout_samples s ON s.workout_id = w.id`

/** How many workouts have something to score. */
export function effortCount({ $client: client }: Db): number {
  return client.query<{ n: number }, []>(`SELECT count(*) AS n FROM workout w WHERE ${QUALIFIES}`).get()?.n ?? 0
}

/** Every workout that has something to score, the oldest first. */
export function allEffortInputs({ $client: client }: Db): EffortInputs[] {
  return client.query<EffortInputs, []>(`${INPUTS} WHERE ${QUALIFIES} ORDER BY w.started_at, w.id`).all()
}

/** null for a workout that is not, or no longer, stored. */
export function effortInputs({ $client: client }: Db, id: string): EffortInputs | null {
  return client.query<EffortInputs, [string]>(`${INPUTS} WHERE w.id = ?`).get(id)
}

/** The effort of a stored workout, by the rules of an import; null when there is no heart rate to score. */
export function storedEffort({ $client: client }: Db, inputs: EffortInputs, zones: Zones): RelativeEffort | null {
  const row =
    inputs.revision === null
      ? null
      : client
          .query<SampleRow, [string]>('SELECT meta, time_hr AS timeHr FROM workout_samples WHERE workout_id = ?')
          .get(inputs.id)
  if (row !== null) {
    const { tS, heartRateBpm, off } = unpackHeartRate(row)
    const scored = relativeEffort(tS, heartRateBpm, zones, off)
    if (scored !== null) return scored
  }
  const total = inputs.totalHeartRateBpm
  const bpm = total !== null && total > 0 ? total : inputs.avgHeartRateBpm
  return bpm === null ? null : averageEffort(bpm, inputs.durationS, zones)
}

/** Writes an effort where it differs from the stored one. */
export function saveEffort({ $client: client }: Db, id: string, effort: RelativeEffort | null): void {
  const points = effort?.relativeEffort ?? null
  const zoneSeconds = effort === null ? null : JSON.stringify(effort.zoneSeconds)
  client
    .query(
      `UPDATE workout SET relative_effort = $points, hr_zone_seconds = $zoneSeconds
       WHERE id = $id AND (relative_effort IS NOT $points OR hr_zone_seconds IS NOT $zoneSeconds)`,
    )
    .run({ id, points, zoneSeconds })
}
