import type { Analysis, AnalyzeOptions } from '../engine/analysis.ts'
import { analyzeRun, ENGINE_VERSION, type RunAnalysis, type RunInputs, trackEfforts } from '../engine/analyze.ts'
import { type Combined, type CombineOptions, combine } from '../engine/combine.ts'
import { hasValues } from '../engine/gather.ts'
import { type Ground, groundOf } from '../engine/ground/ground.ts'
import type { DeviceLap } from '../engine/laps.ts'
import { offsetOf, type Repair } from '../engine/repair/repairs.ts'
import { type Channel, channelsOf } from '../engine/run/channels.ts'
import { filledDistance } from '../engine/run/distance.ts'
import { scoredEffort } from '../engine/run/effort.ts'
import { remeasured } from '../engine/run/samples.ts'
import { trackSplits } from '../engine/run/splits.ts'
import { type Recording, type Voice, voicesOf } from '../engine/run/statement.ts'
import type { Position, Track } from '../engine/track.ts'
import { type PackedSamples, packTrack, unpackTrack } from './pack.ts'
import { type RouteIndex, routeIndex } from './route-index.ts'
import {
  type LaidSamples,
  laidTrack,
  type StoredJoin,
  type StoredSource,
  sourceTrack,
  trackOf,
} from './stored-track.ts'
import { type PackedTraining, packedTraining } from './training.ts'

/** A recording as stored. */
export interface StoredStatement extends Omit<Recording, 'track'> {
  readonly samples: PackedSamples | null
}

/** A stored workout with all inputs of its numbers. */
export interface DeriveJob extends CombineOptions, Pick<AnalyzeOptions, 'splitLengthM'> {
  /** In the order of their arrival. */
  readonly recordings: readonly StoredStatement[]
  /**
   * The samples that count in the place of those of a recording, to which `repairs` apply; these then begin with a
   * repair of the kind `join`, so that no number of the recordings counts.
   */
  readonly joined?: StoredJoin
  /** What is laid over the samples of the primary recording. */
  readonly laid?: LaidSamples
  readonly repairs: readonly Repair[]
  /** Laps on the clock of the repaired samples; absent: none. */
  readonly laps?: readonly DeviceLap[]
  /** Stored duration of the workout, seconds, for which an average heart rate counts. */
  readonly durationS: number
}

/** Data derived from a run, beside its numbers. */
export interface DerivedParts {
  readonly analysis: Omit<Analysis, 'routeIndex'>
  /** null without a route. */
  readonly routeIndex: RouteIndex | null
  /** null without positions. */
  readonly ground: Ground | null
  /** First position of the route. */
  readonly firstPosition: Position | null
  readonly hasHeartRate: boolean
  /** Training data. */
  readonly training: PackedTraining
}

/** Everything that an import would derive from the same run. */
export interface DerivedRun extends DerivedParts {
  /** Milliseconds by which repairs moved the start of the recording, or of the runs that were joined. */
  readonly startShiftMs: number
  readonly remade: readonly RemadeSamples[]
}

/** Samples of an older engine whose distance was measured and altitude cleaned again. */
export interface RemadeSamples {
  readonly recordingId: string
  /** The columns of both, packed; null: they are the same. */
  readonly track: Uint8Array | null
}

/** Origin of the numbers of a run, and the values of each of its recordings. */
export interface RunSources {
  readonly origins: Combined['origins']
  /** By index of the recording; of joined runs their track comes before all recordings. */
  readonly voices: readonly (readonly Voice[])[]
  readonly channels: readonly (readonly Channel[])[]
}

/** Derive parts of a stored workout as an import would. @throws Error for samples that cannot be read */
export const DERIVE_JOBS = {
  everything: deriveRun,
  effort: (job: DeriveJob) => ({ effort: scoredEffort(job, primaryTrack(job)) }),
  splits: (job: DeriveJob) => {
    const track = primaryTrack(job)
    return { splits: track && trackSplits(track, job) }
  },
  bestEfforts: (job: DeriveJob) => {
    const track = primaryTrack(job)
    const efforts = () => trackEfforts(track!, filledDistance(track!.tS, track!.distanceM))
    return { bestEfforts: track && efforts() }
  },
  sources: runSources,
}

/** What can be derived again for a stored workout. */
export type Derivable = keyof typeof DERIVE_JOBS

/** Derives everything. @throws Error for samples that cannot be read */
export function deriveRun(job: DeriveJob): DerivedRun {
  const remade: RemadeSamples[] = []
  const { inputs } = unpacked(job, (samples) => {
    const { recordingId, engineVersion = ENGINE_VERSION } = samples
    const stored = unpackTrack(samples)
    if (recordingId === undefined || engineVersion >= ENGINE_VERSION) return stored
    const track = remeasured(stored)
    remade.push({ recordingId, track: track === stored ? null : packTrack(track).track })
    return track
  })
  const run = analyzeRun({ ...job, ...inputs })
  const { track } = run.combined
  const source = counting(inputs)
  return {
    ...derivedParts(run, job.laps ?? []),
    startShiftMs: track && source ? track.startMs - source.startMs : offsetOf(job.repairs),
    remade,
  }
}

/** The track that counts, without repairs; null: no recording has any. */
function counting({ recordings, primary }: Unpacked['inputs']): Track | null {
  return recordings[primary]?.track ?? recordings.find(({ track }) => track !== null)?.track ?? null
}

function runSources(job: DeriveJob): RunSources {
  const read = unpacked(job)
  const { recordings, inputs } = read
  const { origins } = combinedOf(job, read)
  const all = job.joined === undefined ? recordings : [...inputs.recordings, ...recordings]
  return {
    origins,
    voices: all.map((recording) => voicesOf(recording, job)),
    channels: all.map(({ track }) => channelsOf(track)),
  }
}

/** 28 hours at one a second. */
const LONG_ROWS = 100_000

export function isLong(rows: { readonly n: number } | null): boolean {
  return rows !== null && rows.n >= LONG_ROWS
}

/** Collects between the steps of a long run, of 400,000 rows of which each leaves 50 to 180 MiB: else they would take 500. */
export function relieve(rows: { readonly n: number } | null): void {
  if (isLong(rows)) Bun.gc(true)
}

/** The analysis, and other data derived from the combined track. */
export function derivedParts({ combined, analysis }: RunAnalysis, laps: readonly DeviceLap[]): DerivedParts {
  const { track } = combined
  const { routeIndex: rows, ...numbers } = analysis
  const training = packedTraining(combined, { efforts: analysis.bestEfforts, laps })
  relieve(track)
  const found = track && routeIndex(track)
  relieve(track)
  return {
    analysis: numbers,
    routeIndex: found,
    ground: track && groundOf(track),
    firstPosition: firstPosition(track, rows),
    hasHeartRate: track !== null && hasValues(track.heartRateBpm),
    training,
  }
}

interface Unpacked {
  readonly recordings: readonly Recording[]
  /** What is combined: the recordings, or in their place the track of runs that were joined. */
  readonly inputs: Pick<RunInputs, 'recordings' | 'primary'>
}

function unpacked(
  { joined, laid, primary, ...job }: DeriveJob,
  unpack: (samples: PackedSamples) => Track = unpackTrack,
): Unpacked {
  // several of the tracks that were joined may be parts of one recording
  const known = new Map<unknown, Track>()
  const trackOf = (samples: PackedSamples) => {
    const { recordingId = samples } = samples
    const track = known.get(recordingId) ?? unpack(samples)
    known.set(recordingId, track)
    return track
  }
  const recordings = job.recordings.map(({ samples, ...said }) => ({ ...said, track: samples && trackOf(samples) }))
  const counted =
    laid &&
    recordings.map((one, place) =>
      place === primary && one.track ? { ...one, track: laidTrack(one.track, laid, trackOf) } : one,
    )
  const inputs =
    joined === undefined
      ? { recordings: counted ?? recordings, primary }
      : { recordings: [{ kind: 'file' as const, said: {}, track: sourceTrack(joined, trackOf) }], primary: 0 }
  return { recordings, inputs }
}

function combinedOf(job: DeriveJob, { inputs }: Unpacked): Combined {
  return combine(inputs.recordings, job.repairs, { ...job, ...inputs })
}

/** The samples that count, without repairs; null: no recording has any. */
function countingSource({ recordings, joined, laid, primary }: DeriveJob): StoredSource | null {
  if (joined !== undefined) return joined
  const samples = recordings[primary]?.samples ?? recordings.find((recording) => recording.samples !== null)?.samples
  return samples ? { samples, ...(laid && { laid }) } : null
}

/** @param rows indexes of the route's positions */
export function firstPosition(track: Track | null, rows: Uint32Array): Position | null {
  const first = rows[0]
  return track === null || first === undefined ? null : { latDeg: track.latDeg[first]!, lonDeg: track.lonDeg[first]! }
}

/** The samples that count, with repairs applied; null without samples. */
function primaryTrack(job: DeriveJob): Track | null {
  const source = countingSource(job)
  return source && trackOf({ ...source, repairs: job.repairs })
}
