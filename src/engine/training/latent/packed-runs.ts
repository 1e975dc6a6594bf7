import { type ChosenSource, LOAD_SOURCES } from '../library-loads.ts'
import type { FitnessRun } from './fitness-rows.ts'

/** What fitness and load are computed from, but for the histograms of a run. */
export interface StoredRun extends FitnessRun {
  readonly distanceM: number
  /** Average of the whole run; null: unknown. */
  readonly averageBpm: number | null
  readonly rpe: number | null
  readonly manual: number | null
  readonly chosen: ChosenSource
}

const CHOICES: readonly ChosenSource[] = ['auto', ...LOAD_SOURCES]
/**
 * Numbers of a run in a packed library, in this order; NaN for an unknown one. Ten thousand runs as objects take four
 * times as long to post to the Worker as the fit may make others wait.
 */
const NUMBERS = [
  'day',
  'isRace',
  'isExcluded',
  'isIndoor',
  'isAltitudeUsable',
  'gainPerKm',
  'movingS',
  'countedS',
  'mps',
  'bpm',
  'coverage',
  'speedCv',
  'wbgtC',
  'distanceM',
  'averageBpm',
  'rpe',
  'manual',
] as const satisfies readonly (keyof StoredRun)[]
const BEST = ['distanceM', 'timeS', 'vdot'] as const
const SIZE = NUMBERS.length + 1 + BEST.length

export function packedRuns(runs: readonly StoredRun[]): Float64Array {
  const packed = new Float64Array(SIZE * runs.length)
  for (const [i, run] of runs.entries()) {
    const base = SIZE * i
    for (const [j, name] of NUMBERS.entries()) packed[base + j] = Number(run[name] ?? Number.NaN)
    packed[base + NUMBERS.length] = CHOICES.indexOf(run.chosen)
    for (const [j, name] of BEST.entries()) packed[base + NUMBERS.length + 1 + j] = run.best?.[name] ?? Number.NaN
  }
  return packed
}

export function unpackedRuns(packed: Float64Array): StoredRun[] {
  return Array.from({ length: packed.length / SIZE }, (_, i) => unpackedRun(packed, i))
}

export function dayOf(packed: Float64Array, place: number): number {
  return packed[SIZE * place]!
}

export function unpackedRun(packed: Float64Array, place: number): StoredRun {
  const at = (j: number) => packed[SIZE * place + j]!
  const known = (j: number) => (Number.isNaN(at(j)) ? null : at(j))
  const best = NUMBERS.length + 1
  return {
    day: at(0),
    isRace: at(1) === 1,
    isExcluded: at(2) === 1,
    isIndoor: at(3) === 1,
    isAltitudeUsable: at(4) === 1,
    gainPerKm: known(5),
    movingS: at(6),
    countedS: known(7),
    mps: known(8),
    bpm: known(9),
    coverage: at(10),
    speedCv: known(11),
    wbgtC: known(12),
    distanceM: at(13),
    averageBpm: known(14),
    rpe: known(15),
    manual: known(16),
    chosen: CHOICES[at(17)]!,
    best: Number.isNaN(at(best)) ? null : { distanceM: at(best), timeS: at(best + 1), vdot: at(best + 2) },
  }
}
