import type { Deps } from '../../deps.ts'
import type { BestEffort } from '../../engine/analysis.ts'
import { preview } from '../../engine/analyze.ts'
import { bestEfforts } from '../../engine/run/best-efforts.ts'
import { filledDistance, rowsWith } from '../../engine/run/distance.ts'
import type { Track } from '../../engine/track.ts'
import { FormatError } from '../../formats/format.ts'
import { zonesOrDefault } from '../../library/settings.ts'
import { createPace } from '../../pace.ts'
import type { AnalyzedFile, AnalyzedRun } from '../../workers/analyze-file.ts'
import { type PackedSamples, packTrack, unpackTrack } from '../../workers/pack.ts'
import { type RouteIndex, routeIndex } from '../../workers/route-index.ts'
import type { ReadRecording } from '../format/recorded.ts'
import type { SampleTable } from '../format/sample-rows.ts'
import type { RawFile } from './files.ts'
import {
  exportedTrack,
  foreignTrack,
  geoJsonPositions,
  type RunTime,
  trackPointRecording,
  trackRecording,
  untimedRouteTrack,
} from './track.ts'

/** Everything that may know where a workout went, best first. */
export interface SampleSources {
  readonly run: RunTime
  readonly table: SampleTable
  /** null: the archive is not Harrier's. */
  readonly recording: ReadRecording | null
  readonly rawFile: RawFile | null
  readonly rawGpxData: unknown
  readonly rawFitData: unknown
  readonly routeGeoJson: unknown
}

/** What is stored of samples. */
export interface RestoredSamples {
  readonly packed: PackedSamples
  readonly bestEfforts: readonly BestEffort[]
  readonly preview: number[][] | null
  readonly routeIndex: RouteIndex | null
  readonly firstPosition: { readonly latDeg: number; readonly lonDeg: number } | null
  readonly hasHeartRate: boolean
}

/** Seconds by which a duration may differ that was rounded otherwise. */
const SAME_TIME_S = 1

/** The samples of a workout and what is made of them; null when the archive knows none. */
export async function restoredSamples(deps: Deps, sources: SampleSources): Promise<RestoredSamples | null> {
  const track = await trackOf(deps, sources)
  const pace = createPace()
  await pace.rest()
  if (track === null || track.n === 0) return null
  const { latDeg, lonDeg } = track
  const positioned = rowsWith(latDeg, lonDeg)
  const route = positioned.length < 2 ? new Uint32Array(0) : positioned
  const first = route[0]
  const distanceM = filledDistance(track.tS, track.distanceM)
  // each step of a run of a day is as long as others may wait
  const rested = async <T>(value: T): Promise<T> => {
    if (pace.needsRest()) await pace.rest()
    return value
  }
  return {
    packed: await rested(packTrack(track)),
    bestEfforts:
      distanceM === null || track.hasEstimatedTimes === true ? [] : await rested(bestEfforts(track.tS, distanceM)),
    preview: preview(track, route)?.map((point) => [...point]) ?? null,
    routeIndex: route.length === 0 ? null : await rested(routeIndex(track)),
    firstPosition: first === undefined ? null : { latDeg: latDeg[first]!, lonDeg: lonDeg[first]! },
    hasHeartRate: track.heartRateBpm.some((bpm) => !Number.isNaN(bpm)),
  }
}

/** CONTRACT 12.2, line `samples`. */
async function trackOf(deps: Deps, sources: SampleSources): Promise<Track | null> {
  const { table, recording, run } = sources
  // a Harrier writes all it has: what is not in the rows was not in its samples
  if (recording !== null) return recording.samples === null ? null : exportedTrack(table, recording.samples)
  const positions = rowsWith(table.latDeg, table.lonDeg).length
  if (positions >= 2) return foreignTrack(table, null, run)
  return (
    (await originalTrack(deps, sources)) ??
    pointsTrack(sources) ??
    routeTrack(sources) ??
    (table.n > 0 ? foreignTrack(table, null, run) : null)
  )
}

/** The original, read again, unless the workout was cropped since. */
async function originalTrack(deps: Deps, { rawFile, run, table }: SampleSources): Promise<Track | null> {
  if (rawFile === null) return null
  const found = (await analyzed(deps, rawFile))?.runs.find((candidate) => isSameRun(candidate, run))
  if (found === undefined || 'error' in found || found.samples === null || found.firstPosition === null) return null
  const track = unpackTrack(found.samples)
  const lacksHeartRate = track.heartRateBpm.every(Number.isNaN) && !table.heartRateBpm.every(Number.isNaN)
  return lacksHeartRate ? foreignTrack(table, trackRecording(track), run) : track
}

async function analyzed({ analyzer, db, config, now }: Deps, { path, name }: RawFile): Promise<AnalyzedFile | null> {
  try {
    return await analyzer.analyze({
      file: path,
      filename: name,
      nowMs: now(),
      splitLengthM: 1000,
      zones: zonesOrDefault(db),
      elevation: { thresholdM: config.elevationNoiseThresholdM, minDistanceM: config.elevationMinDistanceM },
    })
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
  const points = trackPointRecording(rawGpxData, run) ?? trackPointRecording(rawFitData, run)
  const track = points === null ? null : foreignTrack(table, points, run)
  return track !== null && rowsWith(track.latDeg, track.lonDeg).length >= 2 ? track : null
}

function routeTrack({ routeGeoJson, table, run }: SampleSources): Track | null {
  const route = geoJsonPositions(routeGeoJson)
  return route === null ? null : untimedRouteTrack(route, table, run)
}
