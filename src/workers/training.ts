import type { AnalyzeOptions } from '../engine/analysis.ts'
import type { Combined } from '../engine/combine.ts'
import { believedSession, type Intervals } from '../engine/intervals/intervals.ts'
import { type DeviceLap, lapSeries } from '../engine/laps.ts'
import { type PlacedLap, placedLaps } from '../engine/run/laps.ts'
import { type Readings, trackReadings } from '../engine/run/readings.ts'
import type { Track } from '../engine/track.ts'
import { HARD_DISTANCES } from '../engine/training/chosen-efforts.ts'
import type { HeadingPart } from '../engine/training/conditions.ts'
import { type FitnessProfile, fitnessEvidence } from '../engine/training/latent/fitness-rows.ts'
import { type FittedLibrary, fittedLibrary, readFitness } from '../engine/training/latent/latent-fitness.ts'
import type { DecouplingRefusal } from '../engine/training/run/decoupling.ts'
import type { Durability } from '../engine/training/run/durability.ts'
import { SECTOR_DEGREES } from '../engine/training/run/headings.ts'
import { encodedHistogram, encodedTenths } from '../engine/training/run/histograms.ts'
import { type EffortWindow, KEPT_PARTS, runTraining } from '../engine/training/run/run-training.ts'
import type { HardPeak } from '../engine/training/run/threshold-windows.ts'
import { trainingWindows } from '../engine/training/run/training-windows.ts'
import { type LoadSettings, type StoredHistograms, type StoredRun, storedLoads } from '../engine/training/run-loads.ts'
import { type BetterAsked, better } from '../engine/training/truth/better.ts'
import type { TrendRun } from '../engine/training/truth/trend-rows.ts'
import { decodedNumbers, decodedRows, encodedNumbers, encodedRows } from '../engine/varints.ts'
import { type StoredTrack, trackOf } from './stored-track.ts'

/** Training data from the samples of a run, as stored. Without samples all is null or empty. */
export interface PackedTraining {
  readonly hrHist: Uint8Array
  readonly speedHist: Uint8Array
  readonly gainPerKm: number | null
  readonly altitudeUsable: boolean
  readonly indoor: boolean
  /** CountedMeans of the engine, over the counted time; without heart rate in it over all that would count. */
  readonly steadyS: number | null
  readonly steadyMps: number | null
  readonly steadyBpm: number | null
  readonly speedCv: number | null
  readonly hrCover: number
  readonly ef1: number | null
  readonly ef2: number | null
  readonly decouplingReason: DecouplingRefusal | null
  readonly durability: Durability | null
  /** cm/s of the minute before and hundredths of bpm, as differences to the one before. */
  readonly peaks: Uint8Array
  /** Whole seconds in which the sensor counted steps, above what the pace lets expect. */
  readonly hrLockedS: number
  /** Repetitions that are recognised in it, from laps or from the pace. */
  readonly reps: number
  readonly best30Mps: number | null
  readonly best30Lthr: number | null
  /** Tenths of bpm and mm/s of each full minute, as differences to the one before. */
  readonly pieces: Uint8Array
  /** Sector, seconds and cm/s of each direction. */
  readonly headings: Uint8Array
  /**
   * Distance index and grade-equivalent decimetres of the best efforts from a mile on; null: the altitude cannot be
   * used.
   */
  readonly effortGraded: Uint8Array | null
}

/** The data of a run without samples. */
export const NO_TRAINING: PackedTraining = {
  hrHist: new Uint8Array(0),
  speedHist: new Uint8Array(0),
  gainPerKm: null,
  altitudeUsable: false,
  indoor: false,
  steadyS: null,
  steadyMps: null,
  steadyBpm: null,
  speedCv: null,
  hrCover: 0,
  ef1: null,
  ef2: null,
  decouplingReason: 'noDistance',
  durability: null,
  peaks: new Uint8Array(0),
  hrLockedS: 0,
  reps: 0,
  best30Mps: null,
  best30Lthr: null,
  pieces: new Uint8Array(0),
  headings: new Uint8Array(0),
  effortGraded: null,
}

/** The one fitness of a library and its loads, as plain data. */
export interface FittedRuns {
  /** null: too few rows. */
  readonly fitted: FittedLibrary | null
  /** The kind of each row, a letter each, and the place of its run. */
  readonly kinds: string
  readonly runs: Uint32Array
  /** JSON of the `StoredLoad` of each run, which is faster to copy than they are; null: not wanted. */
  readonly loads: string | null
}

export const TRAINING_JOBS = {
  fitness: (job: {
    /** JSON of them, for the same reason. */
    readonly runs: string
    /** null: no loads are wanted. */
    readonly histograms: StoredHistograms | null
    readonly settings: LoadSettings
    readonly profile: FitnessProfile
    readonly last: number
  }): FittedRuns => {
    const stored: StoredRun[] = JSON.parse(job.runs)
    const { rows, runs, basis } = fitnessEvidence(stored, job.profile, job.last)
    const fitted = fittedLibrary(rows, basis)
    const { histograms, settings } = job
    const fit = fitted && readFitness(fitted)
    return {
      fitted,
      kinds: rows.map(({ kind }) => kind).join(''),
      runs: Uint32Array.from(runs),
      loads: histograms && JSON.stringify(storedLoads(stored, histograms, { settings, fit })),
    }
  },
  trainingWindows: (job: StoredTrack & { readonly elevation: AnalyzeOptions['elevation'] }) => {
    const track = trackOf(job)
    return { windows: trainingWindows(track, trackReadings(track, job.elevation)) }
  },
}

interface TrainingOf {
  /** Best efforts whose grade-equivalent distance is needed. */
  readonly efforts: readonly EffortWindow[]
  /** Laps on the clock of the track. */
  readonly laps: readonly DeviceLap[]
}

export function packedTraining(
  { track, readings }: Pick<Combined, 'track' | 'readings'>,
  { efforts, laps }: TrainingOf,
): PackedTraining {
  if (track === null || readings === null) return NO_TRAINING
  const hard = efforts.filter(({ distanceIndex }) => HARD_DISTANCES.includes(distanceIndex))
  const run = runTraining(track, readings, hard)
  const { efficiency, best30 } = run
  const counted = efficiency.means ?? run.pulseless
  return {
    hrHist: encodedTenths(run.heartRate),
    speedHist: encodedHistogram(run.speed),
    gainPerKm: keptAs('climb', run.gainPerKm),
    altitudeUsable: run.isAltitudeUsable,
    indoor: run.isIndoor,
    steadyS: counted?.seconds ?? null,
    steadyMps: keptAs('share', counted?.mps),
    steadyBpm: keptAs('bpm', efficiency.means?.bpm),
    speedCv: keptAs('share', efficiency.speedCv ?? run.pulseless?.speedCv),
    hrCover: keptAs('share', efficiency.coverage) ?? 0,
    ef1: keptAs('share', efficiency.ef1),
    ef2: keptAs('share', efficiency.ef2),
    decouplingReason: efficiency.reason,
    durability: run.durability,
    peaks: encodedRows(run.peaks.map(([mps, bpm]) => [Math.round(100 * mps), Math.round(100 * bpm)])),
    hrLockedS: Math.round(run.lockedS),
    reps: repetitionCount(track, readings, laps),
    best30Mps: keptAs('share', best30?.speedMps),
    best30Lthr: best30?.lthr ?? null,
    pieces: encodedRows(
      efficiency.pieces.map(({ bpm, mps }) => [Math.round(10 * bpm), Math.max(0, Math.round(1000 * mps))]),
    ),
    headings: encodedNumbers(
      run.headings.flatMap(({ towardsDeg, seconds, mps }) => [
        Math.round(towardsDeg / SECTOR_DEGREES),
        Math.round(seconds),
        Math.round(100 * mps),
      ]),
    ),
    effortGraded:
      run.effortGradedM &&
      encodedNumbers(run.effortGradedM.flatMap(([index, metres]) => [index, Math.max(0, Math.round(10 * metres))])),
  }
}

/** A number rounded as the table stores it. */
function keptAs(what: keyof typeof KEPT_PARTS, value: number | null | undefined): number | null {
  return value == null ? null : Math.round(KEPT_PARTS[what] * value) / KEPT_PARTS[what]
}

export function unpackedPeaks(bytes: Uint8Array): HardPeak[] {
  return decodedRows(bytes, 2).map(([mps, bpm]) => [mps! / 100, bpm! / 100])
}

/** Mean heart rate and speed of each full minute. */
export function unpackedPieces(bytes: Uint8Array): { readonly bpm: number; readonly mps: number }[] {
  return decodedRows(bytes, 2).map(([bpm, mps]) => ({ bpm: bpm! / 10, mps: mps! / 1000 }))
}

export function unpackedHeadings(bytes: Uint8Array): HeadingPart[] {
  const numbers = decodedNumbers(bytes)
  return Array.from({ length: Math.floor(numbers.length / 3) }, (_, i) => ({
    towardsDeg: SECTOR_DEGREES * numbers[3 * i]!,
    seconds: numbers[3 * i + 1]!,
    mps: numbers[3 * i + 2]! / 100,
  }))
}

/** Grade-equivalent metres by distance index. */
export function unpackedGraded(bytes: Uint8Array): Map<number, number> {
  const numbers = decodedNumbers(bytes)
  return new Map(
    Array.from(
      { length: Math.floor(numbers.length / 2) },
      (_, i) => [numbers[2 * i]!, numbers[2 * i + 1]! / 10] as const,
    ),
  )
}

export const TREND_JOBS = {
  better: ({ runs, asked }: { readonly runs: readonly TrendRun[]; readonly asked: BetterAsked }) => ({
    read: better(runs, asked),
  }),
}

function repetitionCount(track: Track, readings: Readings, laps: readonly DeviceLap[]): number {
  return ofLapSeries(track, laps, (placed) => believedSession(track, readings, placed))?.works.length ?? 0
}

/** What the first series of laps that shows repetitions gives, else the pace. */
export function ofLapSeries<T extends Pick<Intervals, 'source'>>(
  track: Track,
  laps: readonly DeviceLap[],
  search: (series: readonly PlacedLap[]) => T | null,
): T | null {
  const [first = [], ...others] = lapSeries(laps)
  const found = (series: readonly DeviceLap[]) => search(placedLaps(track, series))
  const ofFirst = found(first)
  if (ofFirst?.source === 'laps') return ofFirst
  return others.map(found).find((one) => one?.source === 'laps') ?? ofFirst
}
