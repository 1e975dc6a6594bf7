import { HOUR_MS } from './units.ts'
/** Weather of a whole run, unrounded; null: unknown. */
export interface RunWeather {
  readonly temperatureC: number | null
  readonly humidityPercent: number | null
  readonly dewPointC: number | null
  readonly apparentTemperatureC: number | null
  /** In an hour's record: the sum of the hour before. */
  readonly precipitationMm: number | null
  /** WMO code. In an hour's record: of the hour before, since the service derives it from its precipitation. */
  readonly weatherCode: number | null
  readonly windSpeedMps: number | null
  readonly windGustMps: number | null
  /** Where the wind comes from, degrees clockwise from north, 0 to below 360; null also when winds cancel out. */
  readonly windDirectionDeg: number | null
  readonly pressureHpa: number | null
}

/** Hourly weather of the service in columns of equal length; null: unknown. */
export type HourlyWeather = {
  /** Unix milliseconds of full hours, ascending. */
  readonly timeMs: readonly number[]
} & { readonly [name in keyof RunWeather]: readonly (number | null)[] }

export interface TimeRange {
  /** Unix milliseconds UTC. */
  readonly startMs: number
  readonly endMs: number
}

const REACH_MS = 3 * HOUR_MS

/**
 * The weather of a run (docs/algorithms.md 10): time averages of the linear interpolation, wind as a vector,
 * precipitation by the share of each hour, the code that lasted longest, of equals the more severe. Unknown hours are
 * interpolated, and their rain is that of the known ones. null: the hours contain nothing about the run.
 */
export function weatherDuring(hours: HourlyWeather, run: TimeRange): RunWeather | null {
  const mean = (values: readonly (number | null)[]) => meanOfInterpolant(knownPoints(hours.timeMs, values, run), run)
  const weather: RunWeather = {
    temperatureC: mean(hours.temperatureC),
    humidityPercent: mean(hours.humidityPercent),
    dewPointC: mean(hours.dewPointC),
    apparentTemperatureC: mean(hours.apparentTemperatureC),
    precipitationMm: precipitation(hours, run),
    weatherCode: longestCode(hours, run),
    windGustMps: mean(hours.windGustMps),
    pressureHpa: mean(hours.pressureHpa),
    ...meanWind(hours, run),
  }
  return Object.values(weather).every((value) => value === null) ? null : weather
}

interface Point {
  readonly timeMs: number
  readonly value: number
}

/** The known values, in order; empty when all are too far from the run. */
function knownPoints(timeMs: readonly number[], values: readonly (number | null)[], run: TimeRange): Point[] {
  const points: Point[] = []
  let isInReach = false
  for (const [i, value] of values.entries()) {
    const atMs = timeMs[i]
    if (value === null || atMs === undefined) continue
    points.push({ timeMs: atMs, value })
    isInReach ||= atMs >= run.startMs - REACH_MS && atMs <= run.endMs + REACH_MS
  }
  return isInReach ? points : []
}

/** Exact mean by trapezoids between the hours, constant outside; the value itself for a run without duration. */
function meanOfInterpolant(points: readonly Point[], { startMs, endMs }: TimeRange): number | null {
  const first = interpolated(points, startMs)
  const last = interpolated(points, endMs)
  if (first === null || last === null || endMs <= startMs) return first
  let area = 0
  let previous: Point = { timeMs: startMs, value: first }
  for (const point of [...points, { timeMs: endMs, value: last }]) {
    if (point.timeMs <= startMs || point.timeMs > endMs) continue
    area += ((previous.value + point.value) / 2) * (point.timeMs - previous.timeMs)
    previous = point
  }
  return area / (endMs - startMs)
}

function interpolated(points: readonly Point[], atMs: number): number | null {
  const next = points.find((point) => point.timeMs >= atMs)
  const before = points.findLast((point) => point.timeMs <= atMs)
  if (next === undefined || before === undefined) return (next ?? before)?.value ?? null
  if (next.timeMs === before.timeMs) return next.value
  const share = (atMs - before.timeMs) / (next.timeMs - before.timeMs)
  return before.value + (next.value - before.value) * share
}

/** Averaged as vectors, since the plain mean of 350 and 10 degrees would be a southerly wind. */
function meanWind(hours: HourlyWeather, run: TimeRange): Pick<RunWeather, 'windSpeedMps' | 'windDirectionDeg'> {
  const component = (along: (angle: number) => number) => {
    const values = hours.windSpeedMps.map((speed, i) => {
      const direction = hours.windDirectionDeg[i] ?? null
      return speed === null || direction === null ? null : speed * along((direction * Math.PI) / 180)
    })
    return meanOfInterpolant(knownPoints(hours.timeMs, values, run), run)
  }
  const east = component(Math.sin)
  const north = component(Math.cos)
  if (east === null || north === null) return { windSpeedMps: null, windDirectionDeg: null }
  const speedMps = Math.sqrt(east * east + north * north)
  // opposite winds leave rounding errors, whose direction is meaningless
  if (speedMps < 1e-6) return { windSpeedMps: 0, windDirectionDeg: null }
  const degrees = (Math.atan2(east, north) * 180) / Math.PI
  // the second remainder handles -1e-15, whose sum with 360 is 360
  return { windSpeedMps: speedMps, windDirectionDeg: ((degrees % 360) + 360) % 360 }
}

function precipitation(hours: HourlyWeather, run: TimeRange): number | null {
  let amountMm = 0
  let knownMs: number | null = null
  for (const [i, mm] of hours.precipitationMm.entries()) {
    const overlap = overlapMs(hours.timeMs[i], run)
    if (mm === null || overlap === null) continue
    amountMm += (mm * overlap) / HOUR_MS
    knownMs = (knownMs ?? 0) + overlap
  }
  if (knownMs === null) return null
  return knownMs === 0 ? 0 : (amountMm * (run.endMs - run.startMs)) / knownMs
}

function longestCode(hours: HourlyWeather, run: TimeRange): number | null {
  const overlapOfCode = new Map<number, number>()
  for (const [i, code] of hours.weatherCode.entries()) {
    const overlap = overlapMs(hours.timeMs[i], run)
    if (code !== null && overlap !== null) overlapOfCode.set(code, (overlapOfCode.get(code) ?? 0) + overlap)
  }
  const [longest] = [...overlapOfCode].sort(([codeA, a], [codeB, b]) => b - a || codeB - codeA)
  return longest?.[0] ?? null
}

/** Overlap of a run with the hour that ends at `hourEndMs`, to which that instant belongs; null: none. */
function overlapMs(hourEndMs: number | undefined, { startMs, endMs }: TimeRange): number | null {
  if (hourEndMs === undefined) return null
  const hourStartMs = hourEndMs - HOUR_MS
  if (endMs <= startMs) return startMs > hourStartMs && startMs <= hourEndMs ? 0 : null
  const overlap = Math.min(endMs, hourEndMs) - Math.max(startMs, hourStartMs)
  return overlap > 0 ? overlap : null
}
