import { isoTimeWriter } from '../engine/calendar/timestamp.ts'
import { distanceBetweenM } from '../engine/route/geo.ts'
import { type Activity, present, type RawObject, type RawPoint } from './format.ts'
import type { PointTable } from './table/points.ts'
import { rounded } from './text-values.ts'
import { thinned, thinning } from './thinned.ts'

export type RawMetadata = Partial<Record<'name' | 'desc' | 'author' | 'time' | 'keywords', string | null>>

/** Least spans of speeds and grades: between noisy neighbouring points they mean nothing. */
const SPEED_WINDOW_MS = 5_000
const GRADE_WINDOW_M = 50
const LOSS_THRESHOLD_M = 3
const PAUSE_MS = 10_000

/** rawGpxData of docs/api.md 11.1: the points as read, in file order, and a few figures, for display only. */
export function rawTrack(
  table: PointTable,
  { metadata, source }: { readonly metadata: RawMetadata; readonly source: Activity['source'] },
): RawObject {
  return {
    metadata: present(metadata),
    ...thinning(table.n),
    trackPoints: rawPoints(table),
    calculated: { ...elevations(table), ...motion(table), ...bounds(table) },
    source,
  }
}

function rawPoints(table: PointTable): RawPoint[] {
  const [lat, lon, ele] = [table.column('latDeg'), table.column('lonDeg'), table.column('elevM')]
  const [hr, cad] = [table.column('heartRateBpm'), table.column('cadence')]
  const [power, temp, time] = [table.column('powerW'), table.column('temperatureC'), table.column('timeMs')]
  const isoTime = isoTimeWriter()
  return thinned(table.n, (row) => {
    const point: RawPoint = {}
    if (table.hasPosition(row)) {
      point.lat = lat[row]!
      point.lon = lon[row]!
    }
    if (isNumber(ele[row])) point.ele = ele[row]
    if (table.hasTime(row)) point.time = isoTime(time[row]!)
    if (isNumber(hr[row])) point.hr = hr[row]
    if (isNumber(cad[row])) point.cad = cad[row]
    if (isNumber(power[row])) point.power = power[row]
    if (isNumber(temp[row])) point.temp = temp[row]
    return point
  })
}

function elevations(table: PointTable): RawObject {
  const elevM = table.column('elevM')
  let [min, max, lossM] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0]
  let reference = Number.NaN
  for (const elevation of elevM) {
    if (!isNumber(elevation)) continue
    min = Math.min(min, elevation)
    max = Math.max(max, elevation)
    if (!(Math.abs(elevation - reference) < LOSS_THRESHOLD_M)) {
      if (reference > elevation) lossM += reference - elevation
      reference = elevation
    }
  }
  if (min > max) return {}
  return { minElevM: rounded(min, 1), maxElevM: rounded(max, 1), elevLossM: rounded(lossM, 1) }
}

/** Speeds and grades along the path, without pauses between segments. */
function motion(table: PointTable): RawObject {
  const [time, elevM] = [table.column('timeMs'), table.column('elevM')]
  const path = table.rowsWhere((row) => table.hasPosition(row) && table.hasTime(row))
  if (path.some((row, i) => i > 0 && time[row]! < time[path[i - 1]!]!)) path.sort((a, b) => time[a]! - time[b]!)
  if (path.length < 2) return {}
  const alongM = distanceAlong(table, path)
  let maxSpeedMps = Number.NaN
  const grades: number[] = []
  let [speedFrom, gradeFrom] = [0, 0]
  for (let i = 1; i < path.length; i++) {
    const row = path[i]!
    const spanMs = time[row]! - time[path[speedFrom]!]!
    if (spanMs >= SPEED_WINDOW_MS) {
      const speed = ((alongM[i]! - alongM[speedFrom]!) / spanMs) * 1000
      if (!(speed <= maxSpeedMps)) maxSpeedMps = speed
      speedFrom = i
    }
    const run = alongM[i]! - alongM[gradeFrom]!
    if (run >= GRADE_WINDOW_M) {
      const rise = elevM[row]! - elevM[path[gradeFrom]!]!
      if (isNumber(rise)) grades.push((rise / run) * 100)
      gradeFrom = i
    }
  }
  const [first, last] = [path[0]!, path.at(-1)!]
  const totalM = alongM.at(-1)!
  const spanS = (time[last]! - time[first]!) / 1000
  const averageGrade = ((elevM[last]! - elevM[first]!) / totalM) * 100
  return {
    ...(isNumber(maxSpeedMps) ? { maxSpeedMps: rounded(maxSpeedMps, 3) } : {}),
    ...(spanS > 0 ? { avgSpeedMps: rounded(totalM / spanS, 3) } : {}),
    ...(isNumber(averageGrade) ? { avgGradePercent: rounded(averageGrade, 2) } : {}),
    ...(grades.length > 0 ? gradeExtremes(grades) : {}),
  }
}

function distanceAlong(table: PointTable, path: Uint32Array): Float64Array {
  const [lat, lon] = [table.column('latDeg'), table.column('lonDeg')]
  const [time, segment] = [table.column('timeMs'), table.column('segment')]
  const alongM = new Float64Array(path.length)
  for (let i = 1; i < path.length; i++) {
    const [a, b] = [path[i - 1]!, path[i]!]
    const isPause = segment[a] !== segment[b] && time[b]! - time[a]! > PAUSE_MS
    alongM[i] = alongM[i - 1]! + (isPause ? 0 : distanceBetweenM(lat[a]!, lon[a]!, lat[b]!, lon[b]!))
  }
  return alongM
}

function gradeExtremes(grades: readonly number[]): RawObject {
  const steepest = grades.reduce((a, b) => Math.max(a, b), 0)
  const steepestDown = grades.reduce((a, b) => Math.min(a, b), 0)
  return { maxPosGradePercent: rounded(steepest, 2), maxNegGradePercent: rounded(steepestDown, 2) }
}

function bounds(table: PointTable): RawObject {
  const [lat, lon] = [table.column('latDeg'), table.column('lonDeg')]
  let [minLat, maxLat, minLon, maxLon] = [90, -90, 180, -180]
  for (let row = 0; row < table.n; row++) {
    if (!table.hasPosition(row)) continue
    minLat = Math.min(minLat, lat[row]!)
    maxLat = Math.max(maxLat, lat[row]!)
    minLon = Math.min(minLon, lon[row]!)
    maxLon = Math.max(maxLon, lon[row]!)
  }
  return minLat > maxLat ? {} : { routeBounds: { minLat, maxLat, minLon, maxLon } }
}

function isNumber(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value)
}
