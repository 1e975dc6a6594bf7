import type { NumberName } from '../../../engine/numbers.ts'
import { date, distance, duration, text, type Units } from '../../format.ts'
import type { Sources } from '../types.ts'
import { CHANNELS } from './channel-words.ts'
import { NUMBER_WORDS } from './number-words.ts'

type Repair = Sources['repairs'][number]
type OfKind<K extends Repair['kind']> = Extract<Repair, { readonly kind: K }>

/** One repair in a list. */
interface RepairLine {
  readonly id: string
  readonly text: string
  /** When it was reverted, as text; null: it is active. */
  readonly undone: string | null
}

/** Repairs that are active. */
function activeRepairs(repairs: readonly Repair[]): Repair[] {
  return repairs.filter(({ undoneAt }) => undoneAt === null)
}

/** Repairs that can be reverted, which splitting and joining cannot. */
export function revertible(repairs: readonly Repair[]): Repair[] {
  return activeRepairs(repairs).filter(({ kind }) => kind !== 'split' && kind !== 'join' && kind !== 'merge')
}

/** Whether the run is only a part of its recording; the repairs that make it one state what calories are left. */
export function isPart(repairs: readonly Repair[]): boolean {
  return activeRepairs(repairs).some(({ kind, data }) => kind !== 'merge' && 'caloriesKcal' in data)
}

/** Describes each repair; times refer to the run as the crops active before it had left it. */
export function repairLines({ repairs, recordings, numbers }: Sources, units: Units): RepairLine[] {
  const recordedMs = 1000 * recordedSeconds({ recordings, numbers })
  return repairs.map((repair, at) => {
    const { id, madeAt, undoneAt } = repair
    const isCropBefore = (other: Repair): other is OfKind<'crop'> =>
      other.kind === 'crop' && (other.undoneAt === null || other.undoneAt > madeAt)
    const before = repairs.slice(0, at).findLast(isCropBefore)
    return {
      id,
      text: sentence(repair, { fromMs: before?.data.fromMs ?? 0, toMs: before?.data.toMs ?? recordedMs, units }),
      undone: undoneAt === null ? null : `Reverted on ${date(undoneAt)}`,
    }
  })
}

interface Around {
  /** The remaining part at the time of the repair, on the recorded clock. */
  readonly fromMs: number
  readonly toMs: number
  readonly units: Units
}

function sentence(repair: Repair, { fromMs, toMs, units }: Around): string {
  const on = date(repair.madeAt)
  const at = (ms: number) => duration((ms - fromMs) / 1000)
  switch (repair.kind) {
    case 'crop': {
      const { data } = repair
      const cuts = [...cut((data.fromMs - fromMs) / 1000, 'start'), ...cut((toMs - data.toMs) / 1000, 'end')]
      return `Cropped on ${on}: ${cuts.length === 0 ? 'nothing removed' : cuts.join(', ')}`
    }
    case 'cut': {
      const { data } = repair
      const what = `${duration((data.toMs - data.fromMs) / 1000)} removed at ${at(data.fromMs)}`
      return `Cut on ${on}: ${what}${data.closesGap ? ', gap closed' : ''}`
    }
    case 'split':
      return `Split on ${on}: this run is ${at(repair.data.fromMs)}–${at(repair.data.toMs)}`
    case 'merge':
      return `Merged on ${on} from several recordings`
    case 'join':
      return `Joined on ${on} from several runs`
    case 'mend': {
      const { data } = repair
      const how = data.fill === 'gap' ? 'removed' : 'replaced by a straight line'
      return `Fixed on ${on}: ${data.channel === 'all' ? 'all data' : CHANNELS[data.channel]} ${at(data.fromMs)}–${at(data.toMs)} ${how}`
    }
    case 'distance':
      return `Distance set on ${on}: ${text(distance(repair.data.distanceM, units))}`
    case 'shift': {
      const { offsetMs, timeZone } = repair.data
      if (timeZone !== null) return `Time zone set on ${on}: ${timeZone}`
      return `Moved on ${on}: ${duration(Math.abs(offsetMs) / 1000)} ${offsetMs < 0 ? 'earlier' : 'later'}`
    }
    case 'numbers': {
      const names = Object.keys(repair.data.values).map((name) => NUMBER_WORDS[name as NumberName]?.name ?? name)
      const said = [...(repair.data.offsetMs === 0 ? [] : ['Start']), ...names].join(', ')
      return `Changed on ${on}: ${said.toLowerCase()}`
    }
    default:
      return `Changed on ${on}`
  }
}

function cut(seconds: number, end: 'start' | 'end'): string[] {
  return seconds < 0.5 ? [] : [`${duration(seconds)} from the ${end}`]
}

/** Length of the samples that count; a device may state another duration. */
function recordedSeconds({ recordings, numbers }: Pick<Sources, 'recordings' | 'numbers'>): number {
  const counting = recordings.find(({ isPrimary }) => isPrimary)
  const { origin, recordingId, value, others } = numbers.durationS
  const isOfCounting = (id: string | null) => id === counting?.id
  if (origin === 'samples' && isOfCounting(recordingId) && value !== null) return value
  const stated = others.find((other) => other.origin === 'samples' && isOfCounting(other.recordingId))
  return stated?.value ?? counting?.durationS ?? 0
}
