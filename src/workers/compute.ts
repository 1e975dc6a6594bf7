import type { AnalyzeOptions } from '../engine/analysis.ts'
import { type Intervals, intervals } from '../engine/intervals/intervals.ts'
import type { DeviceLap } from '../engine/laps.ts'
import { type Oddity, oddities } from '../engine/repair/oddities.ts'
import { offsetOf, type Repair, recordedClock, repaired } from '../engine/repair/repairs.ts'
import { type Ghost, ghostRace } from '../engine/route/ghost.ts'
import type { MeasuredPass } from '../engine/route/pass-numbers.ts'
import { decodePath, type RoutePath } from '../engine/route/path.ts'
import { type Similarity, similarTo } from '../engine/route/similarity.ts'
import { scoreBound, unpackSketch } from '../engine/route/sketch.ts'
import type { Stretch } from '../engine/route/stretch.ts'
import { type Lap, placedLaps, runLaps } from '../engine/run/laps.ts'
import { trackReadings } from '../engine/run/readings.ts'
import type { Positions, Track } from '../engine/track.ts'
import { type TrainingWindows, trainingWindows } from '../engine/training/run/training-windows.ts'
import { encodedPieces } from '../formats/write/xml.ts'
import { type CropAsked, type CropFound, cropOf } from './crop.ts'
import { type Derived, type DeriveJob, derive } from './derive.ts'
import { type HeartRatePage, heartRatePage } from './heart-rate-page.ts'
import { type JoinAsked, type JoinFound, plannedJoin } from './join.ts'
import { restFor } from './large.ts'
import { type PackedSamples, startMsOf, unpackPlaces, unpackPositions, unpackTrack } from './pack.ts'
import {
  measuredPasses,
  type PassSamples,
  passColumns,
  type StretchAsked,
  type StretchFound,
  stretchFound,
  timedColumns,
} from './passes.ts'
import { type OriginalRun, readLaps } from './read-laps.ts'
import { plannedRepair, type RepairAsked, type RepairFound } from './repair.ts'
import { type RouteIndex, routeIndex } from './route-index.ts'
import { routeText } from './route-text.ts'
import { type RunFileOptions, runFile } from './run-file.ts'
import { type SampleTextOptions, sampleText } from './sample-text.ts'
import { plannedSplit, type SplitAsked, type SplitFound } from './split.ts'
import { heldFile, type WrittenFile } from './written-file.ts'

/** Stored samples, and the active repairs of their workout. */
export interface StoredTrack {
  readonly samples: PackedSamples
  readonly repairs: readonly Repair[]
}

/** A route as stored in the index. */
export type StoredPath = Pick<RouteIndex, 'path' | 'lengthM'>
export type StoredSketch = Pick<RouteIndex, 'sketch' | 'lengthM'>

/** The laps of a device, and the track that they belong to. */
export interface StoredLapsOfTrack extends StoredTrack {
  readonly laps: readonly DeviceLap[]
  readonly elevation: AnalyzeOptions['elevation']
}

/** Jobs that take too long for the thread that answers requests. */
export type ComputeJob =
  | DeriveJob
  | ({ readonly what: 'samples' } & StoredTrack & SampleTextOptions)
  | ({ readonly what: 'heartRates'; readonly page: number; readonly pageSize: number } & StoredTrack)
  | ({ readonly what: 'laps' } & StoredLapsOfTrack)
  | ({ readonly what: 'intervals' } & StoredLapsOfTrack)
  | ({ readonly what: 'originalLaps' } & OriginalRun)
  | ({ readonly what: 'crop' } & StoredTrack & CropAsked)
  | ({ readonly what: 'repair' } & StoredTrack & RepairAsked)
  | ({ readonly what: 'oddities' } & StoredTrack)
  | ({ readonly what: 'split' } & StoredTrack & SplitAsked)
  | ({ readonly what: 'join'; readonly runs: readonly StoredTrack[] } & JoinAsked)
  | ({ readonly what: 'route' } & StoredTrack)
  | ({ readonly what: 'routeIndex' } & StoredTrack)
  | { readonly what: 'routeBounds'; readonly route: StoredPath; readonly others: readonly StoredSketch[] }
  | { readonly what: 'similarity'; readonly route: StoredPath; readonly other: StoredPath }
  | ({ readonly what: 'stretch' } & StoredTrack & StretchAsked)
  | { readonly what: 'passes'; readonly stretch: Stretch; readonly runs: readonly (PassSamples | StoredTrack)[] }
  | ({ readonly what: 'ghost'; readonly run: StoredTrack; readonly other: StoredTrack } & Pick<
      StoredLapsOfTrack,
      'elevation'
    >)
  | ({ readonly what: 'trainingWindows' } & StoredTrack & Pick<StoredLapsOfTrack, 'elevation'>)
  | ({ readonly what: 'runFile'; readonly stored: StoredTrack | null } & RunFileOptions)

export type Computed =
  | Derived
  /** JSON in UTF-8; transferred, not copied. */
  | { readonly what: 'samples'; readonly text: Uint8Array<ArrayBuffer> }
  | { readonly what: 'heartRates'; readonly found: HeartRatePage }
  | { readonly what: 'laps'; readonly laps: readonly Lap[] }
  | { readonly what: 'intervals'; readonly found: Intervals }
  | { readonly what: 'originalLaps'; readonly laps: readonly DeviceLap[] }
  | { readonly what: 'crop'; readonly found: CropFound }
  | { readonly what: 'repair'; readonly found: RepairFound }
  | { readonly what: 'oddities'; readonly oddities: readonly Oddity[] }
  | { readonly what: 'split'; readonly found: SplitFound }
  | { readonly what: 'join'; readonly found: JoinFound }
  /** JSON in UTF-8; transferred, not copied. */
  | { readonly what: 'route'; readonly pieces: readonly Uint8Array<ArrayBuffer>[] }
  | { readonly what: 'routeIndex'; readonly index: RouteIndex | null }
  | { readonly what: 'routeBounds'; readonly bounds: readonly number[] }
  | { readonly what: 'similarity'; readonly similarity: Similarity }
  | { readonly what: 'stretch'; readonly found: StretchFound }
  /** For each run, in their order. */
  | { readonly what: 'passes'; readonly passes: readonly (readonly MeasuredPass[])[] }
  | { readonly what: 'ghost'; readonly race: Ghost | null }
  | { readonly what: 'trainingWindows'; readonly windows: TrainingWindows }
  /** Transferred, not copied. */
  | { readonly what: 'runFile'; readonly file: WrittenFile }

type What = ComputeJob['what']

/**
 * Synchronous, except for data read from an original. @throws as `derive`, and FormatError as `readLaps` and `runFile`
 */
export function compute(job: ComputeJob): Computed | Promise<Computed> {
  switch (job.what) {
    case 'samples':
      return { what: job.what, text: new TextEncoder().encode([...sampleText(trackOf(job), job)].join('')) }
    case 'heartRates':
      return { what: job.what, found: heartRatePage(trackOf(job), job) }
    case 'laps':
      return { what: job.what, laps: runLaps(trackOf(job), job.laps, job.elevation) }
    case 'intervals':
      return { what: job.what, found: intervalsOf(job) }
    case 'originalLaps':
      return readLaps(job).then((laps) => ({ what: job.what, laps }))
    case 'crop': {
      const track = trackOf(job)
      return { what: job.what, found: cropOf(track, { ...job, recordedMs: recordedTime(job, track) }) }
    }
    case 'repair': {
      const track = trackOf(job)
      return { what: job.what, found: plannedRepair(track, { ...job, recordedMs: recordedTime(job, track) }) }
    }
    case 'split': {
      const track = trackOf(job)
      return { what: job.what, found: plannedSplit(track, { ...job, recordedMs: recordedTime(job, track) }) }
    }
    case 'join':
      return { what: job.what, found: plannedJoin(job.runs.map(trackOf), job) }
    case 'oddities':
      return { what: job.what, oddities: oddities(trackOf(job)) }
    case 'route':
      return { what: job.what, pieces: [...encodedPieces(routeText(positionsOf(job)))] }
    case 'routeIndex':
      return { what: job.what, index: routeIndex(trackOf(job)) }
    case 'routeBounds': {
      const boundOf = scoreBound(pathOf(job.route))
      return { what: job.what, bounds: job.others.map(({ sketch, lengthM }) => boundOf(unpackSketch(sketch), lengthM)) }
    }
    case 'similarity':
      return { what: job.what, similarity: similarTo(pathOf(job.route))(pathOf(job.other)) }
    case 'stretch':
      return { what: job.what, found: stretchFound(trackOf(job), job) }
    case 'passes': {
      const runs = job.runs.map((run) => ('samples' in run ? timedColumns(trackOf(run)) : passColumns(run)))
      return { what: job.what, passes: measuredPasses(job.stretch, runs) }
    }
    case 'ghost':
      return { what: job.what, race: ghostRace(trackOf(job.run), trackOf(job.other), job.elevation) }
    case 'trainingWindows': {
      const track = trackOf(job)
      return { what: job.what, windows: trainingWindows(track, trackReadings(track, job.elevation)) }
    }
    case 'runFile':
      return { what: job.what, file: heldFile(runFile(job.stored && trackOf(job.stored), job)) }
    default:
      return derive(job)
  }
}

/**
 * Runs a job in the Worker.
 * @throws as `Analyzer.derive`
 */
export async function computed<W extends What>(
  analyzer: { derive(job: ComputeJob): Promise<Computed> },
  job: ComputeJob & { readonly what: W },
): Promise<Extract<Computed, { readonly what: W }>> {
  const found = await analyzer.derive(job)
  if (found.what !== job.what) throw new Error(`The Worker answered ${found.what} where ${job.what} was asked`)
  return found as Extract<Computed, { readonly what: W }>
}

/** The track with its repairs applied. */
export function trackOf({ samples, repairs }: StoredTrack): Track {
  return repaired(unpackTrack(samples), repairs, restFor(samples.sampleCount))
}

/** The positions with the repairs applied, NaN where a row has none; the other columns are not unpacked. */
export function positionsOf({ samples, repairs }: StoredTrack): Positions {
  return repairs.length === 0
    ? unpackPositions(samples.track)
    : repaired(unpackPlaces(samples), repairs, restFor(samples.sampleCount))
}

/** Converts elapsed seconds of a repaired track to the clock of its recording, whole milliseconds since its start. */
function recordedTime({ samples, repairs }: StoredTrack, track: Track): (elapsedS: number) => number {
  const clock = recordedClock(repairs)
  const startMs = track.startMs - startMsOf(samples) - offsetOf(repairs)
  return (elapsedS) => clock.recordedMs(startMs + Math.round(elapsedS * 1000))
}

export function pathOf({ path, lengthM }: StoredPath): RoutePath {
  return decodePath(path, lengthM)
}

/** The repetitions of a stored track. */
export function intervalsOf({ laps, elevation, ...stored }: StoredLapsOfTrack): Intervals {
  const track = trackOf(stored)
  return intervals(track, placedLaps(track, laps), elevation)
}
