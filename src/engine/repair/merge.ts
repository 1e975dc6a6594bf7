import type { NumberName } from '../numbers.ts'
import { CHANNELS, type Channel } from '../run/channels.ts'
import type { Remains, RepairKind } from './kind.ts'
import { NUMBERS_OF_CHANNEL } from './mend.ts'

/**
 * Several recordings of one run are one. Their samples are laid together (engine/merge/overlay.ts) before any other
 * repair is applied; separating them is a decision of its own, not a revert.
 */
export interface MergeRepair extends Pick<Remains, 'caloriesKcal'> {
  readonly kind: 'merge'
  /** Seconds to be added to the clock of a recording; of each merged run the recording whose samples counted. */
  readonly shiftsS: Readonly<Record<string, number>>
  /** The recording that a channel comes from, where it is not the one whose clock counts. */
  readonly fields: Readonly<Partial<Record<Channel, string>>>
  /** The recording whose rows follow the end of the first, such as after a dead battery; null: none. */
  readonly tail: string | null
}

export const MERGE: RepairKind<MergeRepair> = {
  kind: 'merge',
  members: { shiftsS: 'shifts', fields: 'fields', tail: 'recording', caloriesKcal: 'kcal' },
  // the totals of the first recording hold for its own time alone
  leavesPart: ({ tail }) => tail !== null,
  changesSamples: ({ fields }) => Object.keys(fields).length > 0,
  restated: ({ fields }) => ({
    measured: (Object.keys(fields) as Channel[]).flatMap(numbersOf),
    keepsUnmeasured: true,
  }),
}

export const CHANNEL_NAMES = Object.keys(CHANNELS) as readonly Channel[]

/** Distance stays that of the recording whose clock counts. */
function numbersOf(channel: Channel): readonly NumberName[] {
  return channel === 'position' || channel === 'temperature' ? [] : NUMBERS_OF_CHANNEL[channel]
}
