import { NO_TOTALS } from '../../engine/numbers.ts'
import { type Activity, type ExternalId, FormatError, UNSAID } from '../format.ts'
import { eachElement, eachMember, inside, isList, type Members, membersOf, type Place } from '../json-bytes.ts'
import { NUMBER_LIMITS } from '../number-limits.ts'
import { isIndoor } from '../sport.ts'
import { PointTable } from '../table/points.ts'
import { cleanText } from '../text-values.ts'
import {
  cadencePoints,
  distancePoints,
  type HeartRate,
  heartRatesWithin,
  type Point,
  type Reading,
  type Stretch,
} from './series.ts'
import { kilocaloriesOf, metresOf, numberOf, offsetOf, quantityOf, timeOf } from './values.ts'

/** One workout with its lists parsed. */
export interface HealthWorkout {
  /** All members that are not lists. */
  readonly about: Members
  readonly route: Point[]
  readonly heartRates: HeartRate[]
  readonly steps: Reading[]
  readonly metres: Reading[]
}

/** Longer members of a workout, and longer points of a list, are ignored; bytes. */
const LONGEST_MEMBER = 64 * 1024
const ID_LENGTH = 100
/** Positions with a larger error are dropped, metres. */
const MOST_ACCURACY_M = 100

/** @throws FormatError when it is cut or damaged */
export function readWorkout(bytes: Uint8Array, place: Place): HealthWorkout {
  const about: Record<string, unknown> = {}
  const workout: HealthWorkout = { about, route: [], heartRates: [], steps: [], metres: [] }
  const lists = takers(workout)
  const isWhole = eachMember(bytes, inside(place), (name, value) => {
    const take = lists[name]
    if (isList(bytes, value)) {
      if (take === undefined) return true
      return eachElement(bytes, inside(value), (element) => take(membersOf(parsed(bytes, element)))) || damaged()
    }
    if (value.end - value.start <= LONGEST_MEMBER) about[name] = parsed(bytes, value)
    return true
  })
  return isWhole ? workout : damaged()
}

function takers({ route, heartRates, steps, metres }: HealthWorkout): Readonly<Record<string, (row: Members) => void>> {
  return {
    route: (row) => {
      const accuracyM = numberOf(row.horizontalAccuracy)
      if (accuracyM > MOST_ACCURACY_M || accuracyM < 0) return
      route.push({
        timeMs: timeOf(row.timestamp),
        latDeg: numberOf(row.latitude ?? row.lat),
        lonDeg: numberOf(row.longitude ?? row.lon),
        elevM: numberOf(row.altitude),
        speedMps: numberOf(row.speed),
      })
    },
    heartRateData: (row) => {
      const value = numberOf(row.Avg ?? row.avg ?? row.qty)
      const [least, most] = [numberOf(row.Min ?? row.min ?? value), numberOf(row.Max ?? row.max ?? value)]
      heartRates.push({ atMs: timeOf(row.date), value, least, most })
    },
    stepCount: (row) => void steps.push({ atMs: timeOf(row.date), value: numberOf(row.qty) }),
    walkingAndRunningDistance: (row) => void metres.push({ atMs: timeOf(row.date), value: metresOf(row) }),
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

/** Converts a workout to a run; without a readable start, `startedAtMs` is NaN and the run is refused later. */
export function activityOf(workout: HealthWorkout, name: string): Activity {
  const { about } = workout
  const [startMs, endMs] = [timeOf(about.start), timeOf(about.end)]
  const durationS = positive(numberOf(about.duration), NUMBER_LIMITS.amount)
  const elapsedS = endMs > startMs ? (endMs - startMs) / 1000 : durationS
  const stretch = { startMs, endMs: startMs + (elapsedS ?? 0) * 1000 }
  const distanceM = positive(metresOf(about.distance), NUMBER_LIMITS.amount)
  const heart = heartOf(workout, stretch)
  const indoor = about.isIndoor === true || about.location === 'Indoor' || isIndoor(name)
  const points = pointsOf(workout, { stretch, distanceM, heartRates: heart.rates })
  const rows = points.rowsWhere((row) => points.hasTime(row) && points.hasData(row))
  const recording = points.recording(rows, { elevationSource: 'unknown', indoor, hasSegments: false })
  return {
    ...UNSAID,
    startedAtMs: startMs,
    recording: rows.length >= 2 ? { ...recording, startMs, cadenceUnit: 'oneFoot' } : null,
    totals: {
      ...NO_TOTALS,
      elapsedS,
      distanceM,
      ...heart.totals,
      timerS: durationS !== null && elapsedS !== null && durationS <= elapsedS + 1 ? durationS : null,
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
  const rates = heartRatesWithin(heartRates, stretch)
  const isWhole = !heartRates.some(({ atMs }) => atMs >= stretch.endMs)
  const said = membersOf(about.heartRate)
  const total = (...told: unknown[]) => {
    const known = isWhole ? told.map(quantityOf).find((value) => value > 0) : undefined
    return known === undefined ? null : positive(known, 255)
  }
  const extreme = (values: readonly number[], of: (...values: number[]) => number) => {
    const known = values.filter((value) => value > 0 && value < 255)
    return known.length === 0 ? null : known.reduce((a, b) => of(a, b))
  }
  const most = rates.map((rate) => rate.most)
  const least = rates.map((rate) => rate.least)
  return {
    rates,
    totals: {
      avgHeartRateBpm: total(about.avgHeartRate, said.avg),
      maxHeartRateBpm: total(about.maxHeartRate, said.max) ?? extreme(most, Math.max),
      minHeartRateBpm: total(about.minHeartRate, said.min) ?? extreme(least, Math.min),
    },
  }
}

interface Telling {
  readonly stretch: Stretch
  readonly distanceM: number | null
  readonly heartRates: readonly HeartRate[]
}

/** Merges all values of one second into one point. With a route, the distance is computed along it. */
function pointsOf(workout: HealthWorkout, { stretch, distanceM, heartRates }: Telling): PointTable {
  const { route, steps, metres } = workout
  const bySecond = new Map<number, Point>()
  const add = (point: Point) => {
    if (Number.isNaN(point.timeMs)) return
    const second = Math.floor(point.timeMs / 1000)
    const known = bySecond.get(second)
    if (known === undefined) bySecond.set(second, point)
    else bySecond.set(second, { ...point, ...known })
  }
  for (const point of route) add(point)
  for (const { atMs, value } of heartRates) add({ timeMs: atMs, heartRateBpm: value })
  for (const point of cadencePoints(steps, stretch)) add(point)
  const hasRoute = route.length >= 2
  for (const point of hasRoute ? [] : distancePoints(metres, stretch, distanceM)) add(point)
  const points = new PointTable()
  for (const point of [...bySecond.values()].sort((a, b) => a.timeMs - b.timeMs)) {
    Object.assign(points.next, point)
    points.add()
  }
  return points
}

function positive(value: number, most: number): number | null {
  return value > 0 && value < most ? value : null
}
