import { NO_TOTALS } from '../../../engine/numbers.ts'
import { type Activity, UNSAID } from '../../../formats/format.ts'

const MINUTE_MS = 60_000

/** What a row of the list says of a run; null: not enough for one. */
export function activityOf(row: Readonly<Record<string, unknown>>): Activity | null {
  const [local, utc] = [msOf(row.start_date_local), msOf(row.start_date)]
  const startedAtMs = utc ?? local
  const [elapsedS, distanceM] = [positive(row.elapsed_time) ?? positive(row.moving_time), positive(row.distance)]
  if (startedAtMs === null || elapsedS === null || distanceM === null) return null
  return {
    ...UNSAID,
    startedAtMs,
    utcOffsetMinutes: utc === null || local === null ? null : Math.round((local - utc) / MINUTE_MS),
    source: 'json_import',
    totals: {
      ...NO_TOTALS,
      ...{ elapsedS, distanceM, movingS: positive(row.moving_time) },
      ...{ avgHeartRateBpm: positive(row.average_heartrate), maxHeartRateBpm: positive(row.max_heartrate) },
      elevGainM: positive(row.total_elevation_gain),
    },
  }
}

/** A time without a zone is read as UTC. */
function msOf(value: unknown): number | null {
  const ms = typeof value === 'string' ? Date.parse(/Z$|[+-]\d\d:?\d\d$/.test(value) ? value : `${value}Z`) : Number.NaN
  return Number.isFinite(ms) ? ms : null
}

function positive(value: unknown): number | null {
  return typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : null
}
