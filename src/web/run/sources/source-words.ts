import { TAKEOUT_ORIGINS } from '../../../engine/limits.ts'
import type { NumberName } from '../../../engine/numbers.ts'
import { capitalised, date, distance, duration, elevation, number, pace, text, type Units } from '../../format.ts'
import { TERMS } from '../../words.ts'
import { CHANNELS, type Sources } from '../run-view.ts'

const metres = (value: number, units: Units) => text(elevation(value, units))
const paced = (value: number, units: Units) => (value > 0 ? text(pace(value, units)) : null)
const fastest = (value: number, units: Units) => paced(value > 0 ? 1000 / value : 0, units)
const counted = (unit: string) => (value: number) => text({ value: number(value), unit })

/**
 * Texts for a number of a run. `shown` formats it in the runner's units, null when it cannot be displayed; `recorded` is
 * what it is computed from, a plural where it ends with an s; `computed` its origin when no source states it, if not that.
 */
type NumberWords = readonly [
  name: string,
  shown: (value: number, units: Units) => string | null,
  recorded: string,
  computed?: string,
]

/** In the order in which they are listed; null: equals another one in a unit that the page does not use. */
export const NUMBER_WORDS: Readonly<Record<NumberName, NumberWords | null>> = {
  distanceM: [TERMS.distance, (value, units) => text(distance(value, units)), 'points'],
  durationS: [TERMS.time, duration, 'points'],
  movingTimeS: [TERMS.movingTime, duration, 'points'],
  timerTimeS: ['Watch time', duration, 'starts and stops'],
  avgPaceS: [TERMS.pace, paced, 'points', 'From distance and time'],
  gapPaceS: ['Grade-adjusted pace', paced, 'points', 'From pace and slope'],
  maxSpeedMps: ['Fastest pace', fastest, 'speed'],
  elevGainM: [TERMS.elevationGain, metres, 'altitude'],
  elevLossM: ['Elevation loss', metres, 'altitude'],
  minElevM: ['Lowest point', metres, 'altitude'],
  maxElevM: ['Highest point', metres, 'altitude'],
  avgHeartRateBpm: [TERMS.averageHr, counted('bpm'), 'beats'],
  maxHeartRateBpm: [TERMS.maxHr, counted('bpm'), 'beats'],
  minHeartRateBpm: ['Min HR', counted('bpm'), 'beats'],
  avgCadenceSpm: ['Average cadence', counted('spm'), 'steps'],
  maxCadenceSpm: ['Max cadence', counted('spm'), 'steps'],
  avgPowerWatts: ['Average power', counted('W'), 'power'],
  maxPowerWatts: ['Max power', counted('W'), 'power'],
  relativeEffort: [TERMS.relativeEffort, (value) => number(value), 'beats', 'From heart rate and your zones'],
  calories: [TERMS.calories, counted('kcal'), 'points', 'In proportion to the remaining time'],
  avgSpeedMps: null,
  avgCadenceRpm: null,
  maxCadenceRpm: null,
}

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
      text: repairText(repair, { fromMs: before?.data.fromMs ?? 0, toMs: before?.data.toMs ?? recordedMs, units }),
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

function repairText(repair: Repair, { fromMs, toMs, units }: Around): string {
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
      const names = Object.keys(repair.data.values).map((name) => NUMBER_WORDS[name as NumberName]?.[0] ?? name)
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

type NumberSource = Sources['numbers'][NumberName]
type Origin = NonNullable<NumberSource['origin']>
type Recordings = Sources['recordings']

/** One number of a run with its origin and the values of other sources. */
interface NumberLine {
  readonly name: string
  readonly value: string
  readonly from: string
  /** Values of others that are displayed differently; null: none. */
  readonly differing: string | null
  /** Sources with the same displayed value; null: none. */
  readonly agreeing: string | null
}

/** The numbers that a run has, as texts. */
export function numberLines({ recordings, repairs, numbers }: Sources, units: Units): NumberLine[] {
  const isCropped = isPart(repairs)
  return (Object.keys(NUMBER_WORDS) as NumberName[]).flatMap((key) => {
    const words = NUMBER_WORDS[key]
    const { value, origin, recordingId, others } = numbers[key]
    if (words === null || value === null || origin === null) return []
    const [name, format, recorded, computed] = words
    const shown = format(value, units)
    if (shown === null) return []
    const source = nameOf({ origin, recordingId }, recorded, recordings)
    const from = origin === 'derived' && computed !== undefined ? computed : `From ${source}`
    const statements = others.flatMap((other): Statement[] => {
      const said = format(other.value, units)
      if (said === null) return []
      const isPlural =
        other.origin === 'runner' || (['samples', 'derived'].includes(other.origin) && recorded.endsWith('s'))
      return [{ origin: other.origin, name: nameOf(other, recorded, recordings), isPlural, shown: said }]
    })
    const said = isCropped ? ofWholeRun(shown, statements) : ofThisRun(shown, statements, origin)
    return [{ name, value: shown, from: origin === 'runner' ? 'Entered by you' : from, ...said }]
  })
}

interface Statement {
  readonly origin: Origin
  /** Of its source, within a sentence. */
  readonly name: string
  readonly isPlural: boolean
  /** The formatted value. */
  readonly shown: string
}

function ofThisRun(
  shown: string,
  statements: readonly Statement[],
  chosen: Origin,
): Pick<NumberLine, 'differing' | 'agreeing'> {
  const same = statements.filter((statement) => statement.shown === shown)
  return {
    differing: differingText(statements.filter((statement) => statement.shown !== shown)),
    // for a number computed from samples, samples with the same value add no information
    agreeing: agreeingText(chosen === 'derived' ? same.filter(({ origin }) => origin !== 'samples') : same),
  }
}

/** For a cropped run, other sources describe the whole run. */
function ofWholeRun(shown: string, statements: readonly Statement[]): Pick<NumberLine, 'differing' | 'agreeing'> {
  const values = [...new Set(statements.map((statement) => statement.shown))]
  if (values.every((value) => value === shown)) return { differing: null, agreeing: null }
  const clauses = values.map((value) => {
    const who = listed(statements.filter((statement) => statement.shown === value))
    return values.length === 1 ? value : `${value} from ${who}`
  })
  return { differing: `The whole run: ${clauses.join('; ')}`, agreeing: null }
}

/** The name of a source within a sentence; with several files, recordings are distinguished by device. */
function nameOf(
  { origin, recordingId }: { readonly origin: Origin; readonly recordingId: string | null },
  recorded: string,
  recordings: Recordings,
): string {
  const recording = recordings.find(({ id }) => id === recordingId)
  const areSeveral = recordings.filter(({ kind }) => kind === 'file').length > 1
  const device = areSeveral ? (recording?.device ?? recording?.filename ?? null) : null
  switch (origin) {
    case 'device':
      return device ?? (isWatchFile(recording) ? 'the watch' : 'the file')
    case 'row':
      return isOfExport(recording) ? 'the export' : 'the Strava table'
    case 'archive':
      return 'the archive'
    case 'runner':
      return 'you'
    case 'samples':
    case 'derived':
      return `the recorded ${recorded}${device === null ? '' : ` of ${device}`}`
  }
}

/** Whether its totals are those of a service other than Strava. */
function isOfExport(recording: Recordings[number] | undefined): boolean {
  return TAKEOUT_ORIGINS.some((origin) => origin === recording?.origin)
}

function isWatchFile(recording: Recordings[number] | undefined): boolean {
  return recording?.fileType === 'fit' || recording?.fileType === 'tcx'
}

const VERBS: Readonly<Record<Origin, string>> = {
  device: 'said',
  row: 'says',
  archive: 'says',
  runner: 'said',
  samples: 'gives',
  derived: 'gives',
}

function differingText(statements: readonly Statement[]): string | null {
  const clauses = statements.map(({ origin, name, isPlural, shown }) => {
    return `${name} ${isPlural && origin === 'samples' ? 'give' : VERBS[origin]} ${shown}`
  })
  return sentence([...new Set(clauses)].join('; '))
}

function agreeingText(statements: readonly Statement[]): string | null {
  const areSeveral = statements.length > 1 || statements.some(({ isPlural }) => isPlural)
  return sentence(statements.length === 0 ? '' : `${listed(statements)} ${areSeveral ? 'agree' : 'agrees'}`)
}

function listed(statements: readonly Statement[]): string {
  return [...new Set(statements.map(({ name }) => name))].join(' and ')
}

function sentence(words: string): string | null {
  return words === '' ? null : capitalised(words)
}
