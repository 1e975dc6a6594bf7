import { NO_TOTALS } from '../../engine/numbers.ts'
import { type Activity, type ExternalId, FormatError, UNSAID } from '../format.ts'
import { eachElement, eachMember, inside, isList, type Members, membersOf, type Place } from '../json-bytes.ts'
import { NUMBER_LIMITS } from '../number-limits.ts'
import { timerWithin } from '../service-run.ts'
import { isIndoor } from '../sport.ts'
import { mergedPoints, type TimedColumns } from '../table/merged.ts'
import type { PointColumn, PointTable } from '../table/points.ts'
import { Rows } from '../table/rows.ts'
import { cleanText, numberOf, offsetOf } from '../text-values.ts'
import { cadences, distances, type HeartRates, heartRatesWithin, type Readings, type Stretch } from './series.ts'
import { kilocaloriesOf, metresOf, quantityOf, timeOf } from './values.ts'

interface HealthWorkout {
  readonly about: Members
  readonly route: Rows<'timeMs' | 'latDeg' | 'lonDeg' | 'elevM' | 'speedMps'>
  readonly heartRates: Rows<keyof HeartRates>
  readonly steps: Rows<keyof Readings>
  readonly metres: Rows<keyof Readings>
}

/** Members other than lists that are read. */
const ABOUT: ReadonlySet<string> = new Set([
  ...['id', 'name', 'start', 'end', 'duration', 'distance', 'isIndoor', 'location', 'activeEnergyBurned'],
  ...['heartRate', 'avgHeartRate', 'maxHeartRate', 'minHeartRate'],
])
/** Longer members and points are not parsed, since real ones are short. */
const LONGEST_MEMBER = 64 * 1024
const ID_LENGTH = 100
const MOST_ACCURACY_M = 100

/** @throws FormatError when cut, damaged, or with too long a list */
export function readWorkout(bytes: Uint8Array, place: Place): HealthWorkout {
  const about: Record<string, unknown> = {}
  const workout: HealthWorkout = {
    about,
    route: new Rows('timeMs', 'latDeg', 'lonDeg', 'elevM', 'speedMps'),
    heartRates: new Rows('atMs', 'value', 'least', 'most'),
    steps: new Rows('atMs', 'value'),
    metres: new Rows('atMs', 'value'),
  }
  const lists = takers(workout)
  const isWhole = eachMember(bytes, inside(place), (name, value) => {
    const take = lists[name]
    if (isList(bytes, value)) {
      if (take === undefined) return true
      const taken = (element: Place) => take(membersOf(parsed(bytes, element)))
      return eachElement(bytes, inside(value), taken) || damaged()
    }
    if (ABOUT.has(name) && value.end - value.start <= LONGEST_MEMBER) about[name] = parsed(bytes, value)
    return true
  })
  return isWhole ? workout : damaged()
}

function takers({ route, heartRates, steps, metres }: HealthWorkout): Readonly<Record<string, (row: Members) => void>> {
  return {
    route: (row) => {
      const accuracyM = numberOf(row.horizontalAccuracy)
      if (accuracyM > MOST_ACCURACY_M || accuracyM < 0) return
      route.add({
        ...{ timeMs: timeOf(row.timestamp), latDeg: numberOf(row.latitude ?? row.lat) },
        ...{ lonDeg: numberOf(row.longitude ?? row.lon), elevM: numberOf(row.altitude), speedMps: numberOf(row.speed) },
      })
    },
    heartRateData: (row) => {
      const value = numberOf(row.Avg ?? row.avg ?? row.qty)
      const [least, most] = [numberOf(row.Min ?? row.min ?? value), numberOf(row.Max ?? row.max ?? value)]
      heartRates.add({ atMs: timeOf(row.date), value, least, most })
    },
    stepCount: (row) => steps.add({ atMs: timeOf(row.date), value: numberOf(row.qty) }),
    walkingAndRunningDistance: (row) => metres.add({ atMs: timeOf(row.date), value: metresOf(row) }),
  }
}

function parsed(bytes: Uint8Array, { start, end }: Place): unknown {
  if (end - start > LONGEST_MEMBER) return null
  try {
    return JSON.parse(new TextDecoder().decode(bytes.subarray(start, end)))
  } catch (error) {
    throw new FormatError('The Health Auto Export file is cut or damaged', { cause: error })
  }
}

export function damaged(): never {
  throw new FormatError('The Health Auto Export file is cut or damaged')
}

/** Releases the workout's lists; without a valid time the start is NaN, which is reported for that run alone. */
export function activityOf(workout: HealthWorkout, name: string): Activity {
  const { about } = workout
  const [startMs, endMs] = [timeOf(about.start), timeOf(about.end)]
  const durationS = positive(numberOf(about.duration), NUMBER_LIMITS.amount)
  const elapsedS = endMs > startMs ? (endMs - startMs) / 1000 : durationS
  const stretch = { startMs, endMs: startMs + (elapsedS ?? 0) * 1000 }
  const distanceM = positive(metresOf(about.distance), NUMBER_LIMITS.amount)
  const { heartRates } = workout
  const heart = heartOf(workout, stretch)
  // a list of half a million rows is not kept beside what was made of it
  heartRates.release()
  const indoor = about.isIndoor === true || about.location === 'Indoor' || isIndoor(name)
  const points = pointsOf(workout, { stretch, distanceM, heartRates: heart.rates })
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
  const text = typeof id === 'string' ? cleanText(id, ID_LENGTH) : null
  return text === null ? null : { origin: 'health_auto_export', id: text }
}

/** Heart rates and their totals; totals are ignored when the app included values from after the end of the run. */
function heartOf({ about, heartRates }: HealthWorkout, stretch: Stretch) {
  const stated = readingsOf(heartRates)
  const rates = heartRatesWithin(
    { ...stated, least: heartRates.column('least'), most: heartRates.column('most') },
    stretch,
  )
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

function readingsOf(rows: Pick<Rows<keyof Readings>, 'column'>): Readings {
  return { atMs: rows.column('atMs'), value: rows.column('value') }
}

interface Statement {
  readonly stretch: Stretch
  readonly distanceM: number | null
  readonly heartRates: Readings
}

/**
 * The points of the run: values of one second are one point, with the time of the list that comes first. With a route,
 * the distance is computed along it.
 */
function pointsOf({ route, steps, metres }: HealthWorkout, { stretch, distanceM, heartRates }: Statement): PointTable {
  const source = (
    name: PointColumn,
    { atMs, value }: Readings,
    made: Pick<Rows<never>, 'release'> | null,
  ): TimedColumns => {
    made?.release()
    return { timeMs: atMs, columns: [[name, value]] }
  }
  const hasRoute = route.n >= 2
  const sources: TimedColumns[] = [
    {
      timeMs: route.column('timeMs'),
      columns: (['latDeg', 'lonDeg', 'elevM', 'speedMps'] as const).map((name) => [name, route.column(name)] as const),
    },
    source('heartRateBpm', heartRates, null),
    source('cadence', cadences(readingsOf(steps), stretch), steps),
  ]
  if (!hasRoute) sources.push(source('distanceM', distances(readingsOf(metres), stretch, distanceM), metres))
  return mergedPoints(sources)
}

function positive(value: number, most: number): number | null {
  return value > 0 && value < most ? value : null
}
