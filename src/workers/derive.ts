import type { Analysis, AnalyzeOptions, Split } from '../engine/analysis.ts'
import { analyzeRun, ENGINE_VERSION, trackEfforts } from '../engine/analyze.ts'
import { hasValues } from '../engine/gather.ts'
import { offsetOf, type Repair, repaired } from '../engine/repair/repairs.ts'
import { type Channel, channelsOf } from '../engine/run/channels.ts'
import { filledDistance } from '../engine/run/distance.ts'
import { type RelativeEffort, scoredEffort } from '../engine/run/effort.ts'
import { remeasured } from '../engine/run/samples.ts'
import { trackSplits } from '../engine/run/splits.ts'
import { type Recording, type Voice, voicesOf } from '../engine/run/telling.ts'
import { type Settled, type SettleOptions, settle } from '../engine/settle.ts'
import type { Position, Track } from '../engine/track.ts'
import { restFor } from './large.ts'
import { type PackedSamples, packTrack, unpackDistance, unpackHeartRate, unpackTrack } from './pack.ts'
import { type RouteIndex, routeIndex } from './route-index.ts'
import { type PackedTraining, packedTraining } from './training.ts'

/** A recording as stored. */
export interface StoredTelling extends Omit<Recording, 'track'> {
  readonly samples: PackedSamples | null
}

/** What can be derived again for a stored workout. */
export type Derivable = 'everything' | 'effort' | 'splits' | 'bestEfforts' | 'sources' | 'training'

/** A stored workout with all inputs of its numbers. */
export interface DeriveJob extends SettleOptions, Pick<AnalyzeOptions, 'splitLengthM'> {
  readonly what: Derivable
  /** In the order of their arrival. */
  readonly recordings: readonly StoredTelling[]
  readonly repairs: readonly Repair[]
  /** Stored duration of the workout, seconds, for which an average heart rate counts. */
  readonly durationS: number
  /** Engine version of the stored data; absent: the current one. */
  readonly engineVersion?: number
}

/** Data derived from a run, beside its numbers. */
export interface DerivedParts {
  readonly analysis: Omit<Analysis, 'routeIndex'>
  /** null without a route. */
  readonly routeIndex: RouteIndex | null
  /** First position of the route. */
  readonly firstPosition: Position | null
  readonly hasHeartRate: boolean
  /** Training data. */
  readonly training: PackedTraining
}

/** Everything that an import would derive from the same run. */
export interface DerivedRun extends DerivedParts {
  readonly what: 'everything'
  /** Milliseconds by which repairs moved the start. */
  readonly startShiftMs: number
  /** Kinds of readings in the samples of each recording. */
  readonly channels: readonly (readonly Channel[])[]
  /** Samples whose distance an older engine computed differently, by index of the recording; null: unchanged. */
  readonly remade: readonly (PackedSamples | null)[]
}

export type Derived =
  | DerivedRun
  | { readonly what: 'effort'; readonly effort: RelativeEffort | null }
  | { readonly what: 'splits'; readonly splits: readonly Split[] | null }
  | { readonly what: 'bestEfforts'; readonly bestEfforts: Analysis['bestEfforts'] | null }
  | { readonly what: 'training'; readonly training: PackedTraining }
  | RunSources

/** Origin of the numbers of a run, and the values of each of its recordings. */
export interface RunSources {
  readonly what: 'sources'
  readonly origins: Settled['origins']
  /** By index of the recording. */
  readonly voices: readonly (readonly Voice[])[]
  readonly channels: readonly (readonly Channel[])[]
}

/**
 * Derives parts of a stored workout as an import would.
 * @throws Error for samples that cannot be read
 */
export function derive(job: DeriveJob): Derived {
  const { what } = job
  switch (what) {
    case 'everything':
      return deriveRun(job)
    case 'effort':
      return { what, effort: scoredEffort(job, primarySamples(job, unpackHeartRate)) }
    case 'splits': {
      const track = primarySamples(job, unpackTrack)
      return { what, splits: track && trackSplits(track, job) }
    }
    case 'bestEfforts': {
      const samples = primarySamples(job, unpackDistance)
      const wholeTrack = () => primarySamples(job, unpackTrack)!
      const distanceM = samples && filledDistance(samples.tS, samples.distanceM)
      return { what, bestEfforts: samples && trackEfforts(samples, distanceM, wholeTrack) }
    }
    case 'training': {
      const settled = settle(recordingsOf(job), job.repairs, job)
      const { track, readings } = settled
      const efforts = track && readings ? trackEfforts(track, readings.distanceM, () => track) : []
      return { what, training: packedTraining(settled, efforts) }
    }
    case 'sources': {
      const recordings = recordingsOf(job)
      return {
        what,
        origins: settle(recordings, job.repairs, job).origins,
        voices: recordings.map((recording) => voicesOf(recording, job)),
        channels: recordings.map(({ track }) => channelsOf(track)),
      }
    }
  }
}

/** Derives everything. @throws as `derive` */
export function deriveRun(job: Omit<DeriveJob, 'what'>): DerivedRun {
  const stored = recordingsOf(job)
  const recordings = job.engineVersion === undefined || job.engineVersion >= ENGINE_VERSION ? stored : stored.map(anew)
  const rest = restFor(Math.max(0, ...job.recordings.map(({ samples }) => samples?.sampleCount ?? 0)))
  const run = analyzeRun({ ...job, recordings, rest })
  rest()
  const { track } = run.settled
  const recorded = recordings[job.primary]?.track ?? recordings.find((recording) => recording.track !== null)?.track
  return {
    what: 'everything',
    ...derivedParts(run, rest),
    startShiftMs: track && recorded ? track.startMs - recorded.startMs : offsetOf(job.repairs),
    channels: recordings.map((recording) => channelsOf(recording.track)),
    remade: recordings.map(({ track: now }, place) => (now && now !== stored[place]?.track ? packTrack(now) : null)),
  }
}

/** A recording whose distance is recomputed by this engine. */
function anew({ track: before, ...told }: Recording): Recording {
  return { ...told, track: before && remeasured(before) }
}

/**
 * The analysis, and other data derived from the settled track.
 * @param rest called before steps that need much memory, to collect garbage
 */
export function derivedParts(
  { settled, analysis }: ReturnType<typeof analyzeRun>,
  rest: () => void = () => {},
): DerivedParts {
  const { track } = settled
  const { routeIndex: rows, ...numbers } = analysis
  const training = packedTraining(settled, analysis.bestEfforts, rest)
  rest()
  return {
    analysis: numbers,
    routeIndex: track && routeIndex(track),
    firstPosition: firstPosition(track, rows),
    hasHeartRate: track !== null && hasValues(track.heartRateBpm),
    training,
  }
}

function recordingsOf(job: Pick<DeriveJob, 'recordings'>): Recording[] {
  return job.recordings.map(({ samples, ...said }) => ({ ...said, track: samples && unpackTrack(samples) }))
}

/** @param rows indexes of the route's positions */
export function firstPosition(track: Track | null, rows: Uint32Array): Position | null {
  const first = rows[0]
  return track === null || first === undefined ? null : { latDeg: track.latDeg[first]!, lonDeg: track.lonDeg[first]! }
}

/**
 * The samples that count, with repairs applied; null without samples.
 * @param unpack unpacks only the needed columns; repairs need all
 */
function primarySamples<T>(
  { recordings, primary, repairs }: DeriveJob,
  unpack: (samples: PackedSamples) => T,
): T | Track | null {
  const samples = recordings[primary]?.samples ?? recordings.find((recording) => recording.samples !== null)?.samples
  if (!samples) return null
  return repairs.length > 0 ? repaired(unpackTrack(samples), repairs) : unpack(samples)
}
