import type { RepairKind } from './kind.ts'

/** The start was moved or the time zone was set. */
export interface ShiftRepair {
  readonly kind: 'shift'
  readonly offsetMs: number
  /** Time zone of the local time that is shown; null: that of the place. */
  readonly timeZone: string | null
}

export const SHIFT: RepairKind<ShiftRepair> = {
  kind: 'shift',
  members: { offsetMs: 'movedMs', timeZone: 'timeZone' },
  movedMs: ({ offsetMs }) => offsetMs,
}
