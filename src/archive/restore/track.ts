import { quantise } from '../../engine/codec.ts'
import { columnsOf, columnsWith, emptyColumns } from '../../engine/columns.ts'
import { gathered } from '../../engine/gather.ts'
import { isPosition, LIMITS, scalesOf, timeScale } from '../../engine/grid.ts'
import { cleanRecording } from '../../engine/run/samples.ts'
import { untimedTrack } from '../../engine/run/untimed-route.ts'
import type { Recording, SampleColumns, Track } from '../../engine/track.ts'
import { isObject, valueOfKey } from '../../json-object.ts'
import { parsedOrNull } from '../format/json-rows.ts'
import type { Recorded } from '../format/recorded.ts'
import { numberOf, timeOf } from '../format/row-fields.ts'
import type { SampleTable } from '../format/sample-rows.ts'

/** When a run was, as its row says. */
export interface RunTime {
  readonly startedAtMs: number
  readonly durationS: number
}

export interface Positions {
  readonly latDeg: Float64Array
  readonly lonDeg: Float64Array
}

/** Points may begin and end a little outside of a workout whose times were rounded. */
const SLACK_MS = 1000

/**
 * The track that a Harrier exported: its values are on their grids already, and what it is besides stands in the workout.
 * @returns null without rows
 */
export function exportedTrack(table: SampleTable, recorded: NonNullable<Recorded>): Track | null {
  const rows = risingRows(table.elapsedMs)
  if (rows.length === 0) return null
  const scales = scalesOf(recorded.positionUnit)
  const lastS = table.elapsedMs[rows.at(-1)!]! / 1000
  const tS = quantise(
    gathered(table.elapsedMs, rows).map((ms) => ms / 1000),
    timeScale(lastS),
  )
  const columns = columnsWith((name) => {
    const [least, most] = LIMITS[name]
    const values = quantise(gathered(table[name], rows), scales[name])
    return values.map((value) => (value >= least && value <= most ? value : Number.NaN))
  })
  for (let i = 0; i < rows.length; i += 1) {
    if (!Number.isNaN(columns.latDeg[i]! + columns.lonDeg[i]!)) continue
    columns.latDeg[i] = Number.NaN
    columns.lonDeg[i] = Number.NaN
  }
  dropFalls(columns.distanceM)
  return { ...columns, ...recorded, n: rows.length, tS }
}

/** What another program exported: rows as records, cleaned like those of a file. */
export function foreignTrack(table: SampleTable, points: Recording | null, run: RunTime): Track | null {
  const rows = tableRecording(table, run)
  return cleanRecording(points === null ? rows : joined(points, rows))
}

/**
 * The points of `rawGpxData` or `rawFitData` that lie within the workout, which may have been cropped since.
 * @returns null for fewer than two positions with a time
 */
export function trackPointRecording(raw: unknown, { startedAtMs, durationS }: RunTime): Recording | null {
  const listed = isObject(raw) ? valueOfKey(raw, 'trackPoints') : null
  const points = (Array.isArray(listed) ? listed : []).filter(isObject).filter((point) => {
    const timeMs = timeOf(valueOfKey(point, 'time')) ?? Number.NaN
    return timeMs > startedAtMs - SLACK_MS && timeMs < startedAtMs + durationS * 1000 + SLACK_MS
  })
  const column = (...names: readonly string[]) =>
    Float64Array.from(points, (point) => {
      const value = names.map((name) => valueOfKey(point, name)).find((found) => found !== undefined && found !== null)
      return numberOf(value) ?? Number.NaN
    })
  const columns = {
    ...emptyColumns(points.length),
    latDeg: column('lat', 'latitude'),
    lonDeg: column('lon', 'lng', 'longitude'),
    elevM: column('ele', 'elev', 'elevation', 'altitude'),
    heartRateBpm: column('hr', 'heartRate', 'heartRateBpm'),
    cadenceRpm: column('cad', 'cadence', 'cadenceRpm'),
    powerW: column('power', 'powerWatts'),
    temperatureC: column('temp', 'temperature', 'temperatureC'),
  }
  const positions = columns.latDeg.filter((lat, i) => !Number.isNaN(lat + columns.lonDeg[i]!))
  if (positions.length < 2) return null
  return recording(
    Float64Array.from(points, (point) => timeOf(valueOfKey(point, 'time')) ?? Number.NaN),
    columns,
    { startMs: startedAtMs },
  )
}

/** A track that has been read from the original, as records once more. */
export function trackRecording(track: Track): Recording {
  const distanceM = track.distanceSource === 'gps' ? new Float64Array(track.n).fill(Number.NaN) : track.distanceM
  const atMs = (seconds: number) => Math.round(track.startMs + seconds * 1000)
  return {
    ...track,
    timeMs: track.tS.map(atMs),
    distanceM,
    segment: null,
    timerOffMs: track.off.map(({ startS, endS }) => [atMs(startS), atMs(endS)] as const),
    cadenceUnit: 'oneFoot',
  }
}

/** A route without times, and beside it whatever the samples know. @returns null for fewer than two positions */
export function untimedRouteTrack(route: Positions, table: SampleTable, run: RunTime): Track | null {
  const untimed = untimedTrack(route, { startMs: run.startedAtMs, durationS: run.durationS })
  if (untimed === null || table.n === 0) return untimed
  const rows = { ...table, distanceM: new Float64Array(table.n).fill(Number.NaN) }
  const track = cleanRecording(joined(trackRecording(untimed), tableRecording(rows, run)))
  return track === null ? untimed : { ...track, hasEstimatedTimes: true }
}

/** The positions of a GeoJSON LineString, as an object or as its text; null for fewer than two. */
export function geoJsonPositions(value: unknown): Positions | null {
  const geometry = typeof value === 'string' ? parsedOrNull(value) : value
  const listed = isObject(geometry) ? valueOfKey(geometry, 'coordinates') : null
  const points = (Array.isArray(listed) ? listed : []).filter(
    (point): point is [number, number] =>
      Array.isArray(point) && isPosition(numberOf(point[1]) ?? Number.NaN, numberOf(point[0]) ?? Number.NaN),
  )
  if (points.length < 2) return null
  return {
    lonDeg: Float64Array.from(points, (point) => point[0]),
    latDeg: Float64Array.from(points, (point) => point[1]),
  }
}

/** Rows whose time is later than that of the row before, from the start on; columns are compared by whole milliseconds. */
function risingRows(elapsedMs: Float64Array): number[] {
  const unitMs = 1000 / timeScale((elapsedMs.at(-1) ?? 0) / 1000)
  const rows: number[] = []
  let previous = -1
  for (let row = 0; row < elapsedMs.length; row += 1) {
    const units = Math.round(elapsedMs[row]! / unitMs)
    if (units <= previous) continue
    rows.push(row)
    previous = units
  }
  return rows
}

function dropFalls(distanceM: Float64Array): void {
  let most = 0
  for (let i = 0; i < distanceM.length; i += 1) {
    const metres = distanceM[i]!
    if (metres < most) distanceM[i] = Number.NaN
    else if (metres > most) most = metres
  }
}

function tableRecording(table: SampleTable, { startedAtMs }: RunTime): Recording {
  return recording(
    table.elapsedMs.map((ms) => startedAtMs + ms),
    columnsOf(table),
    { startMs: startedAtMs },
  )
}

function recording(timeMs: Float64Array, columns: SampleColumns, { startMs }: { startMs: number }): Recording {
  return {
    ...columns,
    n: timeMs.length,
    timeMs,
    startMs,
    segment: null,
    timerOffMs: [],
    cadenceUnit: 'unknown',
    elevationSource: 'unknown',
    indoor: false,
    positionUnit: 'e7',
  }
}

/** Records of one time are merged when they are cleaned; there the second ones, which the workout had, win. */
function joined(points: Recording, rows: Recording): Recording {
  const both = (a: Float64Array, b: Float64Array) => {
    const result = new Float64Array(a.length + b.length)
    result.set(a)
    result.set(b, a.length)
    return result
  }
  const columns = columnsWith((name) => both(points[name], rows[name]))
  return { ...points, ...columns, n: points.n + rows.n, timeMs: both(points.timeMs, rows.timeMs), segment: null }
}
