import { NO_TOTALS } from '../../engine/numbers.ts'
import { type Activity, type ExternalId, UNSAID } from '../format.ts'
import { type Members, membersOf, rowsOf } from '../json.ts'
import { NUMBER_LIMITS } from '../number-limits.ts'
import { cadences, distances, type Span } from '../readings.ts'
import { timerWithin } from '../service-run.ts'
import { isIndoor } from '../sport.ts'
import { mergedPoints, type TimedColumns, timedColumns } from '../table/merged.ts'
import type { PointTable } from '../table/points.ts'
import { valuesOf } from '../table/rows.ts'
import { cleanText, numberOf, offsetOf, textOf } from '../text-values.ts'
import { type HeartRates, heartRatesWithin, longReadings, readingsWithin, type Stated } from './series.ts'
import { kilocaloriesOf, metresOf, quantityOf, timeOf } from './values.ts'

const ID_LENGTH = 100
const MOST_ACCURACY_M = 100

/** Without a valid time the start is NaN, which is reported for that run alone. */
export function activityOf(about: Members, name: string): Activity {
  const [startMs, endMs] = [timeOf(about.start), timeOf(about.end)]
  const durationS = positive(numberOf(about.duration), NUMBER_LIMITS.amount)
  const elapsedS = endMs > startMs ? (endMs - startMs) / 1000 : durationS
  const stretch = { startMs, endMs: startMs + (elapsedS ?? 0) * 1000 }
  const distanceM = positive(metresOf(about.distance), NUMBER_LIMITS.amount)
  const heart = heartOf(about, stretch)
  const indoor = about.isIndoor === true || about.location === 'Indoor' || isIndoor(name)
  const points = pointsOf(about, { stretch, distanceM, heartRates: heart.rates })
  const rows = points.rowsWhere((row) => points.hasTime(row) && points.hasData(row))
  const recording = points.recording(rows, { elevationSource: 'unknown', indoor, hasSegments: false })
  return {
    ...UNSAID,
    startedAtMs: startMs,
    recording: rows.length >= 2 ? { ...recording, startMs } : null,
    totals: {
      ...NO_TOTALS,
      elapsedS,
      distanceM,
      ...heart.totals,
      timerS: timerWithin(durationS, elapsedS),
      caloriesKcal: positive(kilocaloriesOf(about.activeEnergyBurned), NUMBER_LIMITS.caloriesKcal),
    },
    source: 'json_import',
    utcOffsetMinutes: offsetOf(about.start),
    external: externalOf(about.id),
  }
}

function externalOf(id: unknown): ExternalId | null {
  const text = cleanText(textOf(id), ID_LENGTH)
  return text === null ? null : { origin: 'health_auto_export', id: text }
}

/** Heart rates and their totals; totals are ignored when the app included values from after the end of the run. */
function heartOf(about: Members, stretch: Span) {
  const stated = heartRatesOf(rowsOf(about.heartRateData))
  const rates = heartRatesWithin(stated, stretch)
  const isWhole = !stated.atMs.some((atMs) => atMs >= stretch.endMs)
  const said = membersOf(about.heartRate)
  const total = (...quantities: unknown[]) => {
    const known = isWhole ? quantities.map(quantityOf).find((value) => value > 0) : undefined
    return known === undefined ? null : positive(known, 255)
  }
  const extreme = (values: Float64Array, of: (...values: number[]) => number) => {
    const known = values.filter((value) => value > 0 && value < 255)
    return known.length === 0 ? null : known.reduce((a, b) => of(a, b))
  }
  return {
    rates,
    totals: {
      avgHeartRateBpm: total(about.avgHeartRate, said.avg),
      maxHeartRateBpm: total(about.maxHeartRate, said.max) ?? extreme(rates.most, Math.max),
      minHeartRateBpm: total(about.minHeartRate, said.min) ?? extreme(rates.least, Math.min),
    },
  }
}

function heartRatesOf(rows: readonly Members[]): HeartRates {
  const value = (row: Members) => numberOf(row.Avg ?? row.avg ?? row.qty)
  const least = valuesOf(rows, (row) => numberOf(row.Min ?? row.min ?? value(row)))
  const most = valuesOf(rows, (row) => numberOf(row.Max ?? row.max ?? value(row)))
  return { ...readingsOf(rows, value), least, most }
}

function readingsOf(rows: readonly Members[], value: (row: Members) => number): Stated {
  return { atMs: valuesOf(rows, ({ date }) => timeOf(date)), value: valuesOf(rows, value) }
}

interface Statement {
  readonly stretch: Span
  readonly distanceM: number | null
  readonly heartRates: Stated
}

/**
 * The points of the run: values of one second are one point, with the time of the list that comes first. With a route,
 * the distance is computed along it.
 */
function pointsOf(about: Members, { stretch, distanceM, heartRates }: Statement): PointTable {
  const route = rowsOf(about.route).filter(({ horizontalAccuracy }) => {
    const accuracyM = numberOf(horizontalAccuracy)
    return !(accuracyM > MOST_ACCURACY_M || accuracyM < 0)
  })
  const steps = readingsWithin(
    readingsOf(rowsOf(about.stepCount), ({ qty }) => numberOf(qty)),
    stretch,
  )
  const sources: TimedColumns[] = [
    timedColumns(route, ({ timestamp }) => timeOf(timestamp), {
      latDeg: (row) => numberOf(row.latitude ?? row.lat),
      lonDeg: (row) => numberOf(row.longitude ?? row.lon),
      elevM: (row) => numberOf(row.altitude),
      speedMps: (row) => numberOf(row.speed),
    }),
    { timeMs: heartRates.atMs, columns: [['heartRateBpm', heartRates.value]] },
    cadences(longReadings(steps), stretch.startMs),
  ]
  if (route.length < 2) {
    const metres = readingsWithin(readingsOf(rowsOf(about.walkingAndRunningDistance), metresOf), stretch)
    sources.push(distances(metres, stretch, distanceM ?? Number.NaN))
  }
  return mergedPoints(sources)
}

function positive(value: number, most: number): number | null {
  return value > 0 && value < most ? value : null
}
