import { date, duration } from '../../format.ts'
import type { Sources } from '../types.ts'

type Repair = Sources['repairs'][number]

/** One change of the runner to what was recorded. */
export interface RepairLine {
  readonly id: string
  readonly text: string
  /** When it was taken back, in words; null: it counts. */
  readonly undone: string | null
}

/** Those that were not taken back. */
export function activeRepairs(repairs: readonly Repair[]): Repair[] {
  return repairs.filter(({ undoneAt }) => undoneAt === null)
}

/** What was cut off each time: of what the crops before it, that then still counted, had left. */
export function repairLines({ repairs, recordings, numbers }: Sources): RepairLine[] {
  const recordedMs = 1000 * recordedSeconds({ recordings, numbers })
  return repairs.map(({ id, data, madeAt, undoneAt }, at) => {
    const before = repairs.slice(0, at).findLast((other) => other.undoneAt === null || other.undoneAt > madeAt)
    const startS = (data.fromMs - (before?.data.fromMs ?? 0)) / 1000
    const endS = ((before?.data.toMs ?? recordedMs) - data.toMs) / 1000
    const cuts = [...cut(startS, 'start'), ...cut(endS, 'end')]
    return {
      id,
      text: `Cropped on ${date(madeAt)}: ${cuts.length === 0 ? 'nothing was cut off' : cuts.join(', ')}`,
      undone: undoneAt === null ? null : `Taken back on ${date(undoneAt)}`,
    }
  })
}

function cut(seconds: number, end: 'start' | 'end'): string[] {
  return seconds < 0.5 ? [] : [`${duration(seconds)} off the ${end}`]
}

/** Of the samples that count: what a device says of the time may be another. */
function recordedSeconds({ recordings, numbers }: Pick<Sources, 'recordings' | 'numbers'>): number {
  const counting = recordings.find(({ isPrimary }) => isPrimary)
  const { origin, recordingId, value, others } = numbers.durationS
  const isOfCounting = (id: string | null) => id === counting?.id
  if (origin === 'samples' && isOfCounting(recordingId) && value !== null) return value
  const told = others.find((other) => other.origin === 'samples' && isOfCounting(other.recordingId))
  return told?.value ?? counting?.durationS ?? 0
}
