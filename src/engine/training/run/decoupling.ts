import { placed } from '../../gather.ts'
import { type Clock, lengthS, partOf } from '../../run/clock.ts'
import { deviationOf, meanOf, median } from '../numbers.ts'

/** Least counted time for a decoupling, seconds. */
const LEAST_COUNTED_S = 1800
/** Least share of the time with heart rate. */
const LEAST_COVERAGE = 0.9
/** Above this coefficient of variation of the speed a run is not steady. */
export const MOST_VARIATION = 0.15
const PIECE_S = 60
const EPSILON_S = 1e-6

/** Half width of the band around the reference heart rate, bpm, and least number of pieces for a pace. */
const REFERENCE_BAND_BPM = 5
const LEAST_PIECES = 10
const REFERENCE_SHARE = 0.75

export type DecouplingRefusal = 'tooShort' | 'heartRateGaps' | 'notSteady' | 'noDistance'

/** Means over a part of the counted time. */
interface CountedMeans {
  readonly seconds: number
  readonly mps: number
  readonly bpm: number
}

export interface Efficiency {
  readonly countedS: number
  /** Share of the wanted time with heart rate. */
  readonly coverage: number
  /** Over the whole counted time; null when it is empty. */
  readonly means: CountedMeans | null
  /** Efficiency factor: grade-equivalent metres per minute per beat per minute. */
  readonly ef: number | null
  readonly ef1: number | null
  readonly ef2: number | null
  /** Loss of efficiency from the first half to the second, per cent. */
  readonly decouplingPct: number | null
  readonly reason: DecouplingRefusal | null
  /** Standard deviation (population) of the speeds of the full minutes over their mean. */
  readonly speedCv: number | null
  /** Full minutes of the counted time. */
  readonly pieces: readonly CountedMeans[]
}

/** @param counted null: the run has no distance; @param wantedS seconds that would count if all of them had a heart rate */
export function efficiency(counted: Clock | null, wantedS: number): Efficiency {
  const nothing = { means: null, ef: null, ef1: null, ef2: null, decouplingPct: null, speedCv: null, pieces: [] }
  if (counted === null) return { ...nothing, countedS: 0, coverage: 0, reason: 'noDistance' }
  const countedS = lengthS(counted)
  const coverage = wantedS > 0 ? Math.min(1, countedS / wantedS) : 0
  const means = meansOf(counted, 0, countedS)
  if (!(means.mps > 0)) {
    const isLong = wantedS >= LEAST_COUNTED_S - EPSILON_S
    return { ...nothing, countedS, coverage, reason: isLong ? 'heartRateGaps' : 'tooShort' }
  }
  const pieces: CountedMeans[] = []
  for (let fromS = 0; fromS + PIECE_S <= countedS + EPSILON_S; fromS += PIECE_S) {
    pieces.push(meansOf(counted, fromS, fromS + PIECE_S))
  }
  const speeds = pieces.map(({ mps }) => mps)
  const speedCv = pieces.length === 0 ? null : deviationOf(speeds, 0) / meanOf(speeds)
  const known = { countedS, coverage, means, ef: efOf(means), speedCv, pieces }
  const reason = refusal(known, wantedS)
  if (reason !== null) return { ...known, ef1: null, ef2: null, decouplingPct: null, reason }
  const ef1 = efOf(meansOf(counted, 0, countedS / 2))
  const ef2 = efOf(meansOf(counted, countedS / 2, countedS))
  return { ...known, ef1, ef2, decouplingPct: (100 * (ef1 - ef2)) / ef1, reason: null }
}

function refusal(
  { countedS, coverage, speedCv }: Pick<Efficiency, 'countedS' | 'coverage' | 'speedCv'>,
  wantedS: number,
): DecouplingRefusal | null {
  if (wantedS < LEAST_COUNTED_S - EPSILON_S) return 'tooShort'
  if (coverage < LEAST_COVERAGE) return 'heartRateGaps'
  if (countedS < LEAST_COUNTED_S - EPSILON_S) return 'tooShort'
  return speedCv === null || !(speedCv <= MOST_VARIATION) ? 'notSteady' : null
}

/** Cut exactly, even within a sample. */
function meansOf(counted: Clock, fromS: number, toS: number): CountedMeans {
  const seconds = toS - fromS
  const { gradedM, beats } = partOf(counted, placed(counted.atS, fromS), placed(counted.atS, toS))
  return { seconds, mps: gradedM / seconds, bpm: beats / seconds }
}

function efOf({ mps, bpm }: CountedMeans): number {
  return (60 * mps) / bpm
}

/** The heart rate at which runs are compared unless the runner set one. */
export function referenceHeartRate(maxHeartRateBpm: number): number {
  return Math.round(REFERENCE_SHARE * maxHeartRateBpm)
}

/** Pace at the reference heart rate, s/km: the median over the full minutes near it; null with fewer than ten. */
export function paceAtReferenceS(
  pieces: readonly Pick<CountedMeans, 'mps' | 'bpm'>[],
  referenceBpm: number,
): number | null {
  const near = pieces.filter(({ bpm, mps }) => mps > 0 && Math.abs(bpm - referenceBpm) <= REFERENCE_BAND_BPM)
  return near.length < LEAST_PIECES ? null : 1000 / median(near.map(({ mps }) => mps))
}
