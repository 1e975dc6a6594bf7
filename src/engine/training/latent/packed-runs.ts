import type { FitnessRun } from './fitness-rows.ts'

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
] as const satisfies readonly (keyof FitnessRun)[]
const BEST = ['distanceM', 'timeS', 'vdot'] as const
const SIZE = NUMBERS.length + BEST.length

export function packedRuns(runs: readonly FitnessRun[]): Float64Array {
  const packed = new Float64Array(SIZE * runs.length)
  for (const [i, run] of runs.entries()) {
    for (const [j, name] of NUMBERS.entries()) packed[SIZE * i + j] = Number(run[name] ?? Number.NaN)
    for (const [j, name] of BEST.entries()) packed[SIZE * i + NUMBERS.length + j] = run.best?.[name] ?? Number.NaN
  }
  return packed
}

export function unpackedRuns(packed: Float64Array): FitnessRun[] {
  return Array.from({ length: packed.length / SIZE }, (_, i) => unpackedRun(packed, i))
}

export function unpackedRun(packed: Float64Array, place: number): FitnessRun {
  const at = (j: number) => packed[SIZE * place + j]!
  const known = (j: number) => (Number.isNaN(at(j)) ? null : at(j))
  const first = NUMBERS.length
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
    best: Number.isNaN(at(first)) ? null : { distanceM: at(first), timeS: at(first + 1), vdot: at(first + 2) },
  }
}
