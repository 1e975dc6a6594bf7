import type { Settled } from '../engine/settle.ts'
import type { HeadingPart } from '../engine/training/conditions.ts'
import type { DecouplingRefusal } from '../engine/training/run/decoupling.ts'
import type { Durability } from '../engine/training/run/durability.ts'
import { encodedHistogram } from '../engine/training/run/histograms.ts'
import { type EffortWindow, type RunTraining, runTraining } from '../engine/training/run/run-training.ts'
import { decodedNumbers, encodedNumbers } from '../engine/training/run/varints.ts'

/** What the samples of a run say to the training sight, as it is stored. Without samples all is null or empty. */
export interface PackedTraining {
  readonly hrHist: Uint8Array
  readonly speedHist: Uint8Array
  /** Seconds of the moving clock, and metres on the flat. */
  readonly movingS: number | null
  readonly gradedM: number | null
  readonly gainPerKm: number | null
  readonly altitudeUsable: boolean
  readonly indoor: boolean
  /** Of the counted time; CountedMeans of the engine. */
  readonly steadyS: number | null
  readonly steadyMps: number | null
  readonly steadyBpm: number | null
  readonly speedCv: number | null
  readonly hrCover: number
  readonly ef: number | null
  readonly ef1: number | null
  readonly ef2: number | null
  readonly decouplingReason: DecouplingRefusal | null
  readonly durability: Durability | null
  readonly peakHr15s: number | null
  readonly best30Mps: number | null
  readonly best30Lthr: number | null
  readonly best30StartS: number | null
  readonly raceBpm: number | null
  /** Tenths of bpm and mm/s of each full minute. */
  readonly pieces: Uint8Array
  /** Degrees, seconds and cm/s of each direction. */
  readonly headings: Uint8Array
  readonly effortGraded: RunTraining['effortGradedM']
}

/** Of a run without samples. */
export const NO_TRAINING: PackedTraining = {
  ...{ hrHist: new Uint8Array(0), speedHist: new Uint8Array(0), movingS: null, gradedM: null, gainPerKm: null },
  ...{ altitudeUsable: false, indoor: false, steadyS: null, steadyMps: null, steadyBpm: null, speedCv: null },
  ...{ hrCover: 0, ef: null, ef1: null, ef2: null, decouplingReason: 'noDistance', durability: null },
  ...{ peakHr15s: null, best30Mps: null, best30Lthr: null, best30StartS: null, raceBpm: null },
  ...{ pieces: new Uint8Array(0), headings: new Uint8Array(0), effortGraded: null },
}

/** @param efforts best efforts of which the distance on the flat is wanted; @param rest as `runTraining` */
export function packedTraining(
  { track, readings }: Pick<Settled, 'track' | 'readings'>,
  efforts: readonly EffortWindow[],
  rest: () => void = () => {},
): PackedTraining {
  if (track === null || readings === null) return NO_TRAINING
  const run = runTraining(track, readings, { efforts, rest })
  const { efficiency, best30 } = run
  return {
    hrHist: encodedHistogram(run.heartRate),
    speedHist: encodedHistogram(run.speed),
    movingS: run.movingS,
    gradedM: run.gradedM,
    gainPerKm: run.gainPerKm,
    altitudeUsable: run.isAltitudeUsable,
    indoor: run.isIndoor,
    steadyS: efficiency.means?.seconds ?? null,
    steadyMps: efficiency.means?.mps ?? null,
    steadyBpm: efficiency.means?.bpm ?? null,
    speedCv: efficiency.speedCv,
    hrCover: efficiency.coverage,
    ef: efficiency.ef,
    ef1: efficiency.ef1,
    ef2: efficiency.ef2,
    decouplingReason: efficiency.reason,
    durability: run.durability,
    peakHr15s: run.peakHeartRateBpm,
    best30Mps: best30?.speedMps ?? null,
    best30Lthr: best30?.lthr ?? null,
    best30StartS: best30?.startS ?? null,
    raceBpm: run.hourRaceBpm,
    pieces: encodedNumbers(
      efficiency.pieces.flatMap(({ bpm, mps }) => [Math.round(10 * bpm), Math.max(0, Math.round(1000 * mps))]),
    ),
    headings: encodedNumbers(
      run.headings.flatMap(({ towardsDeg, seconds, mps }) => [towardsDeg, Math.round(seconds), Math.round(100 * mps)]),
    ),
    effortGraded: run.effortGradedM,
  }
}

/** Mean heart rate and speed of each full minute. */
export function unpackedPieces(bytes: Uint8Array): { readonly bpm: number; readonly mps: number }[] {
  const numbers = decodedNumbers(bytes)
  return Array.from({ length: numbers.length >> 1 }, (_, i) => ({
    bpm: numbers[2 * i]! / 10,
    mps: numbers[2 * i + 1]! / 1000,
  }))
}

export function unpackedHeadings(bytes: Uint8Array): HeadingPart[] {
  const numbers = decodedNumbers(bytes)
  return Array.from({ length: Math.floor(numbers.length / 3) }, (_, i) => ({
    towardsDeg: numbers[3 * i]!,
    seconds: numbers[3 * i + 1]!,
    mps: numbers[3 * i + 2]! / 100,
  }))
}
