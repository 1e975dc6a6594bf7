import { windCostPct, windParts } from '../../../engine/training/conditions.ts'
import type { WarmRun } from '../../../engine/training/truth/better.ts'
import type { TrendRun } from '../../../engine/training/truth/trend-rows.ts'
import { DAY_MS } from '../../../engine/units.ts'
import type { Deps } from '../../../library/deps.ts'
import { fitnessRun, type PlainRun, RUN_COLUMNS } from '../../../library/training/runs.ts'
import { unpackedHeadings } from '../../../workers/training.ts'
import { FACT_TABLES, FACT_WINDOW, type FactRow, wbgtOf } from '../facts.ts'
import type { TrainingLibrary, Viewer } from '../library.ts'

interface Row extends PlainRun, Pick<FactRow, 'suspect' | 'windMps' | 'windFromDeg' | 'headings'> {
  readonly device: string | null
  readonly latDeg: number | null
  readonly lonDeg: number | null
}

const ROWS = `
  SELECT ${RUN_COLUMNS}, coalesce(l.suspect, 0) AS suspect, w.weather_wind_speed_mps AS windMps,
    w.weather_wind_direction AS windFromDeg, t.headings, w.device, (r.south_deg + r.north_deg) / 2 AS latDeg,
    (r.west_deg + r.east_deg) / 2 AS lonDeg
  ${FACT_TABLES} LEFT JOIN workout_route AS r ON r.workout_id = w.id ${FACT_WINDOW}`

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
      ...fitnessRun(row, row.day),
      hour: (localMs % DAY_MS) / 3_600_000,
      isSuspect: row.suspect === 1,
      temperatureC: row.temperatureC,
      windCostPct: windPct(row),
      tired: before === undefined || before.fitness < LEAST_FITNESS ? 0 : before.fatigue / before.fitness - 1,
      place: latDeg === null || lonDeg === null ? null : [latDeg, lonDeg],
      device: row.device,
    }
  })
  const warm = (first: number, last: number): WarmRun[] =>
    rows.flatMap((row) => {
      const { day, isIndoor, distanceM, movingS } = row
      const wbgtC = wbgtOf(row)
      if (day < first || day > last || isIndoor === 1 || wbgtC === null || !(distanceM > 0)) return []
      return [{ wbgtC, distanceM, paceS: (1000 * movingS) / distanceM }]
    })
  return { ids: rows.map(({ id }) => id), runs, warm }
}

/** Below this fitness its ratio to fatigue is meaningless. */
const LEAST_FITNESS = 10
