import type { Analysis, AnalyzeOptions, Split } from '../engine/analysis.ts'
import { analyzeRun, trackEfforts } from '../engine/analyze.ts'
import type { Said } from '../engine/numbers.ts'
import { type Channel, channelsOf } from '../engine/run/channels.ts'
import { filledDistance } from '../engine/run/distance.ts'
import { type RelativeEffort, scoredEffort } from '../engine/run/effort.ts'
import { trackSplits } from '../engine/run/readings.ts'
import { type Recording, type Voice, voicesOf } from '../engine/run/telling.ts'
import { type Repair, repaired, type Settled, type SettleOptions, settle } from '../engine/settle.ts'
import type { Track } from '../engine/track.ts'
import { type PackedSamples, unpackDistance, unpackHeartRate, unpackTrack } from './pack.ts'
import { type RouteIndex, routeIndex } from './route-index.ts'

/** A recording as it is stored. */
export interface StoredTelling {
  readonly kind: Recording['kind']
  readonly said: Said
  readonly samples: PackedSamples | null
}

/** What is to be derived anew of a stored workout. */
export type Derivable = 'everything' | 'effort' | 'splits' | 'bestEfforts' | 'sources'

/** A stored workout, and what its numbers depend on besides. */
export interface DeriveJob extends SettleOptions, Pick<AnalyzeOptions, 'splitLengthM'> {
  readonly what: Derivable
  /** In the order of their arrival. */
  readonly recordings: readonly StoredTelling[]
  readonly repairs: readonly Repair[]
  /** Of the workout as it is stored, seconds; an average heart rate counts for so long. */
  readonly durationS: number
}

/** Everything that an import would derive of the same run. */
export interface DerivedRun {
  readonly what: 'everything'
  readonly analysis: Omit<Analysis, 'routeIndex'>
  /** null without route. */
  readonly routeIndex: RouteIndex | null
  readonly firstPosition: Position | null
  readonly hasHeartRate: boolean
  /** Of elapsed second 0 after repairs, less that of the recording: what repairs took off the start; milliseconds. */
  readonly startShiftMs: number
  /** What the samples of each recording have values of. */
  readonly channels: readonly (readonly Channel[])[]
}

export interface Position {
  readonly latDeg: number
  readonly lonDeg: number
}

export type Derived =
  | DerivedRun
  | { readonly what: 'effort'; readonly effort: RelativeEffort | null }
  | { readonly what: 'splits'; readonly splits: readonly Split[] | null }
  | { readonly what: 'bestEfforts'; readonly bestEfforts: Analysis['bestEfforts'] | null }
  | RunSources

/** Where the numbers of a run come from, and what each of its recordings says. */
export interface RunSources {
  readonly what: 'sources'
  readonly origins: Settled['origins']
  /** By the place of the recording. */
  readonly voices: readonly (readonly Voice[])[]
  readonly channels: readonly (readonly Channel[])[]
}

/**
 * What was asked for of a stored workout, the same as at an import.
 * @throws Error for samples that cannot be read
 */
export function derive(job: DeriveJob): Derived {
  switch (job.what) {
    case 'everything':
      return deriveRun(job)
    case 'effort':
      return { what: 'effort', effort: effortOf(job) }
    case 'splits': {
      const track = primaryTrack(job)
      return { what: 'splits', splits: track && trackSplits(track, job) }
    }
    case 'bestEfforts':
      return { what: 'bestEfforts', bestEfforts: effortsOf(job) }
    case 'sources': {
      const recordings = tellingsOf(job)
      return {
        what: 'sources',
        origins: settle(recordings, job.repairs, job).origins,
        voices: recordings.map((recording) => voicesOf(recording, job)),
        channels: recordings.map(({ track }) => (track === null ? [] : channelsOf(track))),
      }
    }
  }
}

/** All of it. @throws as `derive` */
export function deriveRun(job: Omit<DeriveJob, 'what'>): DerivedRun {
  const tellings = tellingsOf(job)
  const { settled, analysis } = analyzeRun({ ...job, recordings: tellings })
  const { routeIndex: rows, ...rest } = analysis
  const { track } = settled
  const recorded = tellings[job.primary]?.track ?? tellings.find((telling) => telling.track !== null)?.track
  return {
    what: 'everything',
    analysis: rest,
    routeIndex: track === null ? null : routeIndex(track),
    firstPosition: firstPosition(track, rows),
    hasHeartRate: track?.heartRateBpm.some((bpm) => !Number.isNaN(bpm)) ?? false,
    startShiftMs: track && recorded ? track.startMs - recorded.startMs : 0,
    channels: tellings.map((telling) => (telling.track === null ? [] : channelsOf(telling.track))),
  }
}

function tellingsOf({ recordings }: Pick<DeriveJob, 'recordings'>): Recording[] {
  return recordings.map(({ kind, said, samples }) => ({
    kind,
    said,
    track: samples === null ? null : unpackTrack(samples),
  }))
}

/** @param rows of the route */
export function firstPosition(track: Track | null, rows: Uint32Array): Position | null {
  const first = rows[0]
  return track === null || first === undefined ? null : { latDeg: track.latDeg[first]!, lonDeg: track.lonDeg[first]! }
}

function primarySamples({ recordings, primary }: DeriveJob): PackedSamples | null {
  return recordings[primary]?.samples ?? recordings.find(({ samples }) => samples !== null)?.samples ?? null
}

function primaryTrack(job: DeriveJob): Track | null {
  const samples = primarySamples(job)
  return samples && repaired(unpackTrack(samples), job.repairs)
}

/** One group of columns of the three, unless repairs need the others. */
function effortOf(job: DeriveJob): RelativeEffort | null {
  const samples = primarySamples(job)
  const heartRate = samples && (job.repairs.length > 0 ? primaryTrack(job) : unpackHeartRate(samples))
  return scoredEffort(job, heartRate)
}

function effortsOf(job: DeriveJob): Analysis['bestEfforts'] | null {
  const samples = primarySamples(job)
  if (samples === null) return null
  const track = job.repairs.length > 0 ? primaryTrack(job)! : unpackDistance(samples)
  return trackEfforts(track, filledDistance(track.tS, track.distanceM))
}
