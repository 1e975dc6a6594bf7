import type { Said } from '../numbers.ts'
import type { RepairKind } from './kind.ts'

/** Numbers that the runner entered for a run without samples. */
export interface NumbersRepair {
  readonly kind: 'numbers'
  readonly offsetMs: number
  /** null: the number is unknown. */
  readonly values: Said
}

export const ENTERED_NUMBERS: RepairKind<NumbersRepair> = {
  kind: 'numbers',
  members: { offsetMs: 'movedMs', values: 'numbers' },
  restated: ({ values }) => ({ said: values }),
  movedMs: ({ offsetMs }) => offsetMs,
}
