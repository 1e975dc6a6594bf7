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
const FLAGS = ['isRace', 'isExcluded', 'isIndoor', 'isAltitudeUsable'] as const satisfies readonly (keyof StoredRun)[]
const NUMBERS = [
  ...(['day', 'gainPerKm', 'movingS', 'countedS', 'mps', 'bpm', 'coverage', 'speedCv', 'wbgtC'] as const),
  ...(['distanceM', 'averageBpm', 'rpe', 'manual'] as const),
] as const satisfies readonly (keyof StoredRun)[]
const BEST = ['distanceM', 'timeS', 'vdot'] as const
const SIZE = NUMBERS.length + FLAGS.length + BEST.length + 1

/**
 * A library as numbers, in this order; NaN for an unknown one. Ten thousand runs as objects take four times as long to
 * post to the Worker as the fit may make others wait.
 */
export function packedRuns(runs: readonly StoredRun[]): Float64Array {
  const packed = new Float64Array(SIZE * runs.length)
  let at = 0
  const put = (value: number | null | undefined) => {
    packed[at++] = value ?? Number.NaN
  }
  for (const run of runs) {
    for (const name of NUMBERS) put(run[name])
    for (const name of FLAGS) put(Number(run[name]))
    for (const name of BEST) put(run.best?.[name])
    put(CHOICES.indexOf(run.chosen))
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
  let at = SIZE * place
  const next = () => packed[at++]!
  const known = (value: number) => (Number.isNaN(value) ? null : value)
  const run: Record<string, unknown> = {}
  for (const name of NUMBERS) run[name] = known(next())
  for (const name of FLAGS) run[name] = next() === 1
  const best = { distanceM: next(), timeS: next(), vdot: next() }
  run.best = Number.isNaN(best.vdot) ? null : best
  run.chosen = CHOICES[next()]
  return run as unknown as StoredRun
}
