import { isObject, valueOfKey } from '../../base/json-object.ts'
import { columnsOf, columnsWith, emptyColumns } from '../../engine/grid.ts'
import type { DeviceLap } from '../../engine/laps.ts'
import { placedRoute, untimedTrack } from '../../engine/run/archived-route.ts'
import { cleanRecording } from '../../engine/run/samples.ts'
import { DEFAULT_ZONES } from '../../engine/run/zones.ts'
import type { RecordedSamples, SampleColumns, Track } from '../../engine/track.ts'
import { METRES_PER_KM } from '../../engine/units.ts'
import { FormatError } from '../../formats/format.ts'
import type { Deps } from '../../library/deps.ts'
import type { RawData } from '../../library/files/raw-data.ts'
import type { AnalyzedRun } from '../../workers/analyze-file.ts'
import { unpackTrack } from '../../workers/pack.ts'
import { analyzedParts } from '../../workers/worker-line.ts'
import { numberOf, objectsOf, timeOf } from '../format/fields.ts'
import { geoJsonPositions, hasRoute, type SampleTable } from '../format/run-rows.ts'
import type { RawFile } from './files.ts'

/** What the archive of another program has of the way of a workout. */
interface ForeignTrack {
  readonly run: RunTime
  readonly table: SampleTable
  readonly original: RawFile | null
  readonly rawData: RawData
  readonly routeGeoJson: unknown
}

/** The laps of the original; none where it cannot be parsed. */
export async function foreignLaps(
  { worker }: Pick<Deps, 'worker'>,
  original: RawFile | null,
): Promise<readonly DeviceLap[]> {
  if (original === null || !LAPPED.includes(original.type)) return []
  try {
    const { path, name: filename } = original
    return (await worker.ask('originalLaps', { path, filename, session: 0, anySport: false })).laps
  } catch (error) {
    if (error instanceof FormatError) return []
    throw error
  }
}

const LAPPED: readonly unknown[] = ['fit', 'tcx']

/** Time of a run as its row states it. */
interface RunTime {
  readonly startedAtMs: number
  readonly durationS: number
}

/**
 * The route and samples of a workout of another program, from the first source that has them (docs/api.md 12.2, line
 * `samples`).
 * @returns null when the archive has none
 */
export async function foreignTrack(deps: Deps, archived: ForeignTrack): Promise<Track | null> {
  const { table, run } = archived
  if (hasRoute(table)) return trackOfRows(table, null, run)
  return (
    (await originalTrack(deps, archived)) ??
    pointsTrack(archived) ??
    routeTrack(archived) ??
    (table.n > 0 ? trackOfRows(table, null, run) : null)
  )
}

/**
 * Merges a route without times with samples. The distances of the samples date each point; without distances the points
 * get times in proportion to the way, and the track is marked so.
 * @returns null for fewer than two positions
 */
function routeTrack({ routeGeoJson, table, run }: ForeignTrack): Track | null {
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

/** Seconds by which a duration may differ due to rounding. */
const SAME_TIME_S = 1

/** Parses the original again, unless the workout was cropped since. */
async function originalTrack(deps: Deps, { original, table, run }: ForeignTrack): Promise<Track | null> {
  if (original === null) return null
  const found = await foundRun(deps, original, run)
  if (found === null || found.samples === null || found.firstPosition === null) return null
  const track = unpackTrack(found.samples)
  const lacksHeartRate = track.heartRateBpm.every(Number.isNaN) && !table.heartRateBpm.every(Number.isNaN)
  return lacksHeartRate ? trackOfRows(table, recordingOfTrack(track), run) : track
}

/** Any values will do, since samples do not depend on them. */
const OPTIONS = { splitLengthM: METRES_PER_KM, zones: DEFAULT_ZONES, elevation: { thresholdM: 2, minDistanceM: 10 } }

async function foundRun({ worker, now }: Deps, { path, name }: RawFile, run: RunTime): Promise<AnalyzedRun | null> {
  try {
    const parts = analyzedParts(worker, { file: path, filename: name, nowMs: now(), ...OPTIONS })
    for await (const { runs } of parts) {
      for (const candidate of runs) if (!('error' in candidate) && isSameRun(candidate, run)) return candidate
    }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
  }
  return null
}

/**
 * Compares start and duration. Programs differ in which of their times they call the duration; after a crop none of
 * them matches.
 */
function isSameRun(candidate: AnalyzedRun, { startedAtMs, durationS }: RunTime): boolean {
  const { analysis } = candidate
  const isSameStart = Math.abs(candidate.startedAtMs - startedAtMs) <= SAME_TIME_S * 1000
  const times = [analysis.durationS, analysis.timerTimeS, analysis.movingTimeS]
  return isSameStart && times.some((seconds) => seconds !== null && Math.abs(seconds - durationS) <= SAME_TIME_S)
}

function pointsTrack({ rawData, table, run }: ForeignTrack): Track | null {
  const points = pointsWithin(rawData.rawGpxData, run) ?? pointsWithin(rawData.rawFitData, run)
  const track = points === null ? null : trackOfRows(table, points, run)
  return track !== null && hasRoute(track) ? track : null
}

/** Points may lie this far outside of a workout whose times were rounded. */
const SLACK_MS = 1000

/**
 * The points of `rawGpxData` or `rawFitData` within the workout's time, since it may have been cropped.
 * @returns null for fewer than two positions with a time
 */
function pointsWithin(raw: unknown, { startedAtMs, durationS }: RunTime): RecordedSamples | null {
  const listed = isObject(raw) ? valueOfKey(raw, 'trackPoints') : null
  const points = objectsOf(listed).filter((point) => {
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

/** Converts a track that was parsed from the original back to records. */
function recordingOfTrack(track: Track): RecordedSamples {
  const distanceM = track.distanceSource === 'gps' ? new Float64Array(track.n).fill(Number.NaN) : track.distanceM
  const atMs = (seconds: number) => Math.round(track.startMs + seconds * 1000)
  return {
    ...track,
    timeMs: track.tS.map(atMs),
    distanceM,
    segment: null,
    timerOffMs: track.off.map(({ startS, endS }) => [atMs(startS), atMs(endS)] as const),
  }
}

/** Cleans rows like the records of a file, merged with points from another source. */
function trackOfRows(table: SampleTable, points: RecordedSamples | null, run: RunTime): Track | null {
  const rows = recordingOfTable(table, run)
  return cleanRecording(points === null ? rows : joined(points, rows))
}

function recordingOfTable(table: SampleTable, { startedAtMs }: RunTime): RecordedSamples {
  const timeMs = table.elapsedMs.map((ms) => startedAtMs + ms)
  return recordingOf(timeMs, columnsOf(table), startedAtMs)
}

function recordingOf(timeMs: Float64Array, columns: SampleColumns, startMs: number): RecordedSamples {
  return {
    ...columns,
    n: timeMs.length,
    timeMs,
    startMs,
    segment: null,
    timerOffMs: [],
    elevationSource: 'unknown',
    indoor: false,
    positionUnit: 'e7',
  }
}

/**
 * Joins records of two sources. Cleaning merges records of equal time, and the values of the workout's own rows, which
 * come second, win.
 */
function joined(points: RecordedSamples, rows: RecordedSamples): RecordedSamples {
  const both = (a: Float64Array, b: Float64Array) => {
    const result = new Float64Array(a.length + b.length)
    result.set(a)
    result.set(b, a.length)
    return result
  }
  const columns = columnsWith((name) => both(points[name], rows[name]))
  return { ...points, ...columns, n: points.n + rows.n, timeMs: both(points.timeMs, rows.timeMs), segment: null }
}
