import type { Deps } from '../../deps.ts'
import { windCostPct, windParts } from '../../engine/training/conditions.ts'
import { KEPT_PARTS } from '../../engine/training/run/run-training.ts'
import type { WarmRun } from '../../engine/training/truth/better.ts'
import type { TrendRun } from '../../engine/training/truth/trend-rows.ts'
import { DAY_MS } from '../../engine/units.ts'
import { unpackedHeadings } from '../../workers/training.ts'
import { type FactRow, wbgtOf } from '../facts.ts'
import type { TrainingLibrary, Viewer } from '../library.ts'

type Fact =
  | ('id' | 'startedAt' | 'offset' | 'runType' | 'movingS' | 'distanceM' | 'temperatureC' | 'humidityPct' | 'windMps')
  | ('windFromDeg' | 'excluded' | 'suspect' | 'gainPerKm' | 'altitudeUsable' | 'indoor' | 'steadyS' | 'steadyMps')
  | ('steadyBpm' | 'speedCv' | 'hrCover' | 'headings')

interface Row extends Pick<FactRow, Fact> {
  readonly device: string | null
  readonly latDeg: number | null
  readonly lonDeg: number | null
}

const { share, bpm, climb } = KEPT_PARTS
const ROWS = `
  SELECT w.id, w.started_at AS startedAt, w.utc_offset_minutes AS offset, w.run_type AS runType, w.device,
    coalesce(w.moving_time_s, w.timer_time_s, w.duration_s) AS movingS, w.distance_m AS distanceM,
    w.weather_temperature_c AS temperatureC, w.weather_humidity AS humidityPct, w.weather_wind_speed_mps AS windMps,
    w.weather_wind_direction AS windFromDeg, coalesce(c.exclude_from_estimates, 0) AS excluded,
    coalesce(l.suspect, 0) AS suspect, t.gain_per_km / ${climb}.0 AS gainPerKm, t.altitude_usable AS altitudeUsable,
    t.indoor, t.steady_s AS steadyS, t.steady_mps / ${share}.0 AS steadyMps, t.steady_bpm / ${bpm}.0 AS steadyBpm,
    t.speed_cv / ${share}.0 AS speedCv, t.hr_cover / ${share}.0 AS hrCover, t.headings,
    (r.south_deg + r.north_deg) / 2 AS latDeg, (r.west_deg + r.east_deg) / 2 AS lonDeg
  FROM workout AS w LEFT JOIN workout_training AS t ON t.workout_id = w.id
    LEFT JOIN training_choice AS c ON c.workout_id = w.id LEFT JOIN workout_load AS l ON l.workout_id = w.id
    LEFT JOIN workout_route AS r ON r.workout_id = w.id
  WHERE w.started_at >= ? AND w.started_at < ? AND w.left_out = 0 ORDER BY w.started_at, w.id`

/** Runs of some days, the earliest first, with their ids. */
export function trendRuns(
  { db }: Pick<Deps, 'db'>,
  library: TrainingLibrary,
  { viewer, from, to }: { readonly viewer: Viewer; readonly from: number; readonly to: number },
) {
  const rows = db.$client
    .query<Row, [number, number]>(ROWS)
    .all((from - 1) * DAY_MS, (to + 2) * DAY_MS)
    .map((row) => ({ ...row, day: library.dayOf(row, viewer) }))
    .filter(({ day }) => day >= from && day <= to)
  const body = library.profile(viewer.today)
  const { firstDay, rows: days } = library.days(viewer)
  const windPct = ({ windMps, windFromDeg, headings }: Row) => {
    if (windMps === null || windFromDeg === null || headings === null) return null
    const wind = { speedMps: windMps, fromDeg: windFromDeg }
    return windCostPct(windParts(unpackedHeadings(headings), wind), body)?.mid ?? null
  }
  const runs = rows.map((row): TrendRun => {
    const { startedAt, offset, latDeg, lonDeg } = row
    const localMs = startedAt + (offset ?? viewer.offsetMinutes) * 60_000
    const before = days[row.day - firstDay - 1]
    return {
      day: row.day,
      hour: (localMs % DAY_MS) / 3_600_000,
      isRace: row.runType === 'Race',
      isExcluded: row.excluded === 1,
      isSuspect: row.suspect === 1,
      isIndoor: row.indoor === 1,
      isAltitudeUsable: row.altitudeUsable === 1,
      gainPerKm: row.gainPerKm,
      movingS: row.movingS,
      countedS: row.steadyS,
      mps: row.steadyMps,
      bpm: row.steadyBpm,
      coverage: row.hrCover ?? 0,
      speedCv: row.speedCv,
      wbgtC: wbgtOf(row),
      temperatureC: row.temperatureC,
      windCostPct: windPct(row),
      tired: before === undefined || before.fitness < LEAST_FITNESS ? 0 : before.fatigue / before.fitness - 1,
      place: latDeg === null || lonDeg === null ? null : [latDeg, lonDeg],
      device: row.device,
    }
  })
  const warm = (first: number, last: number): WarmRun[] =>
    rows.flatMap((row) => {
      const { day, indoor, distanceM, movingS } = row
      const wbgtC = wbgtOf(row)
      if (day < first || day > last || indoor === 1 || wbgtC === null || !(distanceM > 0)) return []
      return [{ wbgtC, distanceM, paceS: (1000 * movingS) / distanceM }]
    })
  return { ids: rows.map(({ id }) => id), runs, warm }
}

/** Below this fitness its ratio to fatigue is meaningless. */
const LEAST_FITNESS = 10
