import { number } from '../format.ts'
import { TERMS } from '../words.ts'
import type { RunTraining } from './types.ts'

/** Names of the sources of a load. */
export const LOAD_SOURCES = {
  heartRate: 'heart rate',
  pace: 'pace',
  rpe: 'RPE',
  duration: 'duration',
  manual: 'you',
} as const

type LoadSource = keyof typeof LOAD_SOURCES
export type LoadChoice = LoadSource | 'auto'

/** Automatic, and the sources that a run has. */
export function loadOptions({ loads, chosen }: Pick<RunTraining, 'loads' | 'chosen'>) {
  const known = (Object.keys(LOAD_SOURCES) as LoadSource[]).filter((one) => loads[one] !== null || one === chosen)
  const named = known.map((one) => [one, `From ${LOAD_SOURCES[one]}: ${number(loads[one])}`] as const)
  return [['auto', TERMS.automatic] as const, ...named]
}
