import type { Deps } from '../../deps.ts'
import { rowsWith } from '../../engine/gather.ts'
import { columnsOf, columnsWith, emptyColumns } from '../../engine/grid.ts'
import { placedRoute, untimedTrack } from '../../engine/run/archived-route.ts'
import { cleanRecording } from '../../engine/run/samples.ts'
import type { Recording, SampleColumns, Track } from '../../engine/track.ts'
import { FormatError } from '../../formats/format.ts'
import { isObject, valueOfKey } from '../../json-object.ts'
import { elevationOptions } from '../../library/inputs.ts'
import { zonesOrDefault } from '../../library/settings.ts'
import type { AnalyzedFile, AnalyzedRun } from '../../workers/analyze-file.ts'
import { unpackTrack } from '../../workers/pack.ts'
import { exportedTrack, type SamplesMeta } from '../format/recorded.ts'
import { geoJsonPositions } from '../format/route-rows.ts'
import { numberOf, timeOf } from '../format/row-fields.ts'
import type { SampleTable } from '../format/samples.ts'
import type { RawFile } from './files.ts'

/** When a run was, as its row says. */
export interface RunTime {
  readonly startedAtMs: number
  readonly durationS: number
}

/** Everything that may know where a workout of another program went, best first. */
export interface SampleSources {
  readonly run: RunTime
  readonly table: SampleTable
  readonly rawFile: RawFile | null
  readonly rawGpxData: unknown
  readonly rawFitData: unknown
  readonly routeGeoJson: unknown
}

/** CONTRACT 12.2, line `samples`. @returns null when the archive knows none */
export async function foreignTrack(deps: Deps, sources: SampleSources): Promise<Track | null> {
  const { table, run } = sources
  if (hasRoute(table)) return trackOfRows(table, null, run)
  return (
    (await originalTrack(deps, sources)) ??
    pointsTrack(sources) ??
    routeTrack(sources) ??
    (table.n > 0 ? trackOfRows(table, null, run) : null)
  )
}

/** True for two positions and more. */
export function hasRoute({ latDeg, lonDeg }: Pick<SampleColumns, 'latDeg' | 'lonDeg'>): boolean {
  return rowsWith(latDeg, lonDeg).length >= 2
}

/**
 * A route without times beside what the samples know. Their distances say when each point was reached; without any, the
 * points get their times by the way, which is told.
 * @returns null for fewer than two positions
 */
function routeTrack({ routeGeoJson, table, run }: Pick<SampleSources, 'routeGeoJson' | 'table' | 'run'>): Track | null {
  const route = geoJsonPositions(routeGeoJson)
  if (route === null) return null
  const placed = placedRoute(route, table)
  if (placed !== null) {
    const { elapsedMs, distanceM } = placed
    const points = { ...emptyColumns(distanceM.length), ...route, distanceM, elapsedMs, n: distanceM.length }
    return trackOfRows(table, recordingOfTable(points, run), run)
  }
  const untimed = untimedTrack(route, { startMs: run.startedAtMs, durationS: run.durationS })
  if (untimed === null || table.n === 0) return untimed
  const rows = { ...table, distanceM: new Float64Array(table.n).fill(Number.NaN) }
  const track = cleanRecording(joined(recordingOfTrack(untimed), recordingOfTable(rows, run)))
  return track === null ? untimed : { ...track, hasEstimatedTimes: true }
}

/**
 * The track of an own archive. Where its rows have no positions, but a route is there, they lost them: then the route is
 * placed beside them as one of another program is.
 * @param whenLost told of it
 */
export function ownTrack({ table, meta, routeGeoJson, durationS }: OwnSources, whenLost: () => void): Track | null {
  const track = exportedTrack(table, meta)
  if (track !== null && hasRoute(track)) return track
  const routed = routeTrack({ routeGeoJson, table, run: { startedAtMs: meta.startMs, durationS } })
  if (routed === null) return track
  whenLost()
  const { off, elevationSource, indoor, climbLimit } = meta
  return { ...routed, off, elevationSource, indoor, ...(climbLimit === undefined ? {} : { climbLimit }) }
}

interface OwnSources extends Pick<SampleSources, 'table' | 'routeGeoJson'> {
  readonly meta: SamplesMeta
  readonly durationS: number
}

/** Seconds by which a duration may differ that was rounded otherwise. */
const SAME_TIME_S = 1

/** The original, read again, unless the workout was cropped since. */
async function originalTrack(deps: Deps, { rawFile, run, table }: SampleSources): Promise<Track | null> {
  if (rawFile === null) return null
  const found = (await analyzed(deps, rawFile))?.runs.find((candidate) => isSameRun(candidate, run))
  if (found === undefined || 'error' in found || found.samples === null || found.firstPosition === null) return null
  const track = unpackTrack(found.samples)
  const lacksHeartRate = track.heartRateBpm.every(Number.isNaN) && !table.heartRateBpm.every(Number.isNaN)
  return lacksHeartRate ? trackOfRows(table, recordingOfTrack(track), run) : track
}

async function analyzed(deps: Deps, { path, name }: RawFile): Promise<AnalyzedFile | null> {
  const { analyzer, db, now } = deps
  const options = { splitLengthM: 1000, zones: zonesOrDefault(db), elevation: elevationOptions(deps) }
  try {
    return await analyzer.analyze({ file: path, filename: name, nowMs: now(), ...options })
  } catch (error) {
    if (error instanceof FormatError) return null
    throw error
  }
}

/** Programs differ in which of its times they call the duration of a run; a crop leaves none of them. */
function isSameRun(candidate: AnalyzedRun | { readonly error: string }, { startedAtMs, durationS }: RunTime): boolean {
  if ('error' in candidate) return false
  const { analysis } = candidate
  const isSameStart = Math.abs(candidate.startedAtMs - startedAtMs) <= SAME_TIME_S * 1000
  const times = [analysis.durationS, analysis.timerTimeS, analysis.movingTimeS]
  return isSameStart && times.some((seconds) => seconds !== null && Math.abs(seconds - durationS) <= SAME_TIME_S)
}

function pointsTrack({ rawGpxData, rawFitData, run, table }: SampleSources): Track | null {
  const points = pointsWithin(rawGpxData, run) ?? pointsWithin(rawFitData, run)
  const track = points === null ? null : trackOfRows(table, points, run)
  return track !== null && hasRoute(track) ? track : null
}

/** Points may begin and end a little outside of a workout whose times were rounded. */
const SLACK_MS = 1000

/**
 * The points of `rawGpxData` or `rawFitData` that lie within the workout, which may have been cropped since.
 * @returns null for fewer than two positions with a time
 */
function pointsWithin(raw: unknown, { startedAtMs, durationS }: RunTime): Recording | null {
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
  if (!hasRoute(columns)) return null
  const timeMs = Float64Array.from(points, (point) => timeOf(valueOfKey(point, 'time')) ?? Number.NaN)
  return recordingOf(timeMs, columns, startedAtMs)
}

/** A track that has been read from the original, as records once more. */
function recordingOfTrack(track: Track): Recording {
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

/** Rows as records, cleaned like those of a file, and beside them points of elsewhere. */
function trackOfRows(table: SampleTable, points: Recording | null, run: RunTime): Track | null {
  const rows = recordingOfTable(table, run)
  return cleanRecording(points === null ? rows : joined(points, rows))
}

function recordingOfTable(table: SampleTable, { startedAtMs }: RunTime): Recording {
  const timeMs = table.elapsedMs.map((ms) => startedAtMs + ms)
  return recordingOf(timeMs, columnsOf(table), startedAtMs)
}

function recordingOf(timeMs: Float64Array, columns: SampleColumns, startMs: number): Recording {
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
