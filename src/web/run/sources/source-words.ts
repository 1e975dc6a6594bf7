import { TAKEOUT_ORIGINS } from '../../../engine/limits.ts'
import type { NumberName } from '../../../engine/numbers.ts'
import { capitalised, date, distance, duration, elevation, number, pace, text, type Units } from '../../format.ts'
import { TERMS } from '../../words.ts'
import { CHANNELS, type Sources } from '../run-view.ts'

/** Name of a source within a sentence. */
interface Noun {
  readonly name: string
  readonly isPlural: boolean
}

/** Texts for a number of a run. */
interface NumberWords {
  readonly name: string
  /** Formatted in the runner's units; null: it cannot be displayed. */
  readonly shown: (value: number, units: Units) => string | null
  /** The kind of recording that it is computed from. */
  readonly recorded: Noun
  /** Its origin when no source states it; absent: the recording. */
  readonly computed?: string
}

const POINTS: Noun = { name: 'the recorded points', isPlural: true }
const STARTS_AND_STOPS: Noun = { name: 'the recorded starts and stops', isPlural: true }
const SPEED: Noun = { name: 'the recorded speed', isPlural: false }
const ALTITUDE: Noun = { name: 'the recorded altitude', isPlural: false }
const BEATS: Noun = { name: 'the recorded beats', isPlural: true }
const STEPS: Noun = { name: 'the recorded steps', isPlural: true }
const POWER: Noun = { name: 'the recorded power', isPlural: false }

const metres = (value: number, units: Units) => text(elevation(value, units))
const paced = (value: number, units: Units) => (value > 0 ? text(pace(value, units)) : null)
const counted = (unit: string) => (value: number) => text({ value: number(value), unit })

/** In the order in which they are listed; null: equals another one in a unit that the page does not use. */
export const NUMBER_WORDS: Readonly<Record<NumberName, NumberWords | null>> = {
  distanceM: { name: TERMS.distance, shown: (value, units) => text(distance(value, units)), recorded: POINTS },
  durationS: { name: TERMS.time, shown: duration, recorded: POINTS },
  movingTimeS: { name: TERMS.movingTime, shown: duration, recorded: POINTS },
  timerTimeS: { name: 'Watch time', shown: duration, recorded: STARTS_AND_STOPS },
  avgPaceS: { name: TERMS.pace, shown: paced, recorded: POINTS, computed: 'From distance and time' },
  gapPaceS: { name: 'Grade-adjusted pace', shown: paced, recorded: POINTS, computed: 'From pace and slope' },
  maxSpeedMps: {
    name: 'Fastest pace',
    shown: (value, units) => paced(value > 0 ? 1000 / value : 0, units),
    recorded: SPEED,
  },
  elevGainM: { name: TERMS.elevationGain, shown: metres, recorded: ALTITUDE },
  elevLossM: { name: 'Elevation loss', shown: metres, recorded: ALTITUDE },
  minElevM: { name: 'Lowest point', shown: metres, recorded: ALTITUDE },
  maxElevM: { name: 'Highest point', shown: metres, recorded: ALTITUDE },
  avgHeartRateBpm: { name: TERMS.averageHr, shown: counted('bpm'), recorded: BEATS },
  maxHeartRateBpm: { name: TERMS.maxHr, shown: counted('bpm'), recorded: BEATS },
  minHeartRateBpm: { name: 'Min HR', shown: counted('bpm'), recorded: BEATS },
  avgCadenceSpm: { name: 'Average cadence', shown: counted('spm'), recorded: STEPS },
  maxCadenceSpm: { name: 'Max cadence', shown: counted('spm'), recorded: STEPS },
  avgPowerWatts: { name: 'Average power', shown: counted('W'), recorded: POWER },
  maxPowerWatts: { name: 'Max power', shown: counted('W'), recorded: POWER },
  relativeEffort: {
    name: TERMS.relativeEffort,
    shown: (value) => number(value),
    recorded: BEATS,
    computed: 'From heart rate and your zones',
  },
  calories: {
    name: TERMS.calories,
    shown: counted('kcal'),
    recorded: POINTS,
    computed: 'In proportion to the remaining time',
  },
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
    const shown = value === null ? null : (words?.shown(value, units) ?? null)
    if (words === null || shown === null || origin === null) return []
    const from = fromText(origin, nounOf({ origin, recordingId }, words, recordings), words)
    const statements = others.flatMap((other) => {
      const said = words.shown(other.value, units)
      return said === null ? [] : [{ origin: other.origin, noun: nounOf(other, words, recordings), shown: said }]
    })
    const said = isCropped ? ofWholeRun(shown, statements) : ofThisRun(shown, statements, origin)
    return [{ name: words.name, value: shown, from, ...said }]
  })
}

interface Statement {
  readonly origin: Origin
  readonly noun: Noun
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

/** With several files, recordings are distinguished by device. */
function nounOf(
  { origin, recordingId }: { readonly origin: Origin; readonly recordingId: string | null },
  { recorded }: NumberWords,
  recordings: Recordings,
): Noun {
  const recording = recordings.find(({ id }) => id === recordingId)
  const areSeveral = recordings.filter(({ kind }) => kind === 'file').length > 1
  const device = areSeveral ? (recording?.device ?? recording?.filename ?? null) : null
  switch (origin) {
    case 'device':
      return { name: device ?? (isWatchFile(recording) ? 'the watch' : 'the file'), isPlural: false }
    case 'row':
      return { name: isOfExport(recording) ? 'the export' : 'the Strava table', isPlural: false }
    case 'archive':
      return { name: 'the archive', isPlural: false }
    case 'runner':
      return { name: 'you', isPlural: true }
    case 'samples':
    case 'derived':
      return device === null ? recorded : { ...recorded, name: `${recorded.name} of ${device}` }
  }
}

/** Whether its totals are those of a service other than Strava. */
function isOfExport(recording: Recordings[number] | undefined): boolean {
  return TAKEOUT_ORIGINS.some((origin) => origin === recording?.origin)
}

function isWatchFile(recording: Recordings[number] | undefined): boolean {
  return recording?.fileType === 'fit' || recording?.fileType === 'tcx'
}

function fromText(origin: Origin, { name }: Noun, { computed }: NumberWords): string {
  if (origin === 'runner') return 'Entered by you'
  return origin === 'derived' && computed !== undefined ? computed : `From ${name}`
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
  const clauses = statements.map(({ origin, noun, shown }) => {
    const verb = noun.isPlural && origin === 'samples' ? 'give' : VERBS[origin]
    return `${noun.name} ${verb} ${shown}`
  })
  return sentence([...new Set(clauses)].join('; '))
}

function agreeingText(statements: readonly Statement[]): string | null {
  const areSeveral = statements.length > 1 || statements.some(({ noun }) => noun.isPlural)
  return sentence(statements.length === 0 ? '' : `${listed(statements)} ${areSeveral ? 'agree' : 'agrees'}`)
}

function listed(statements: readonly Statement[]): string {
  return [...new Set(statements.map(({ noun }) => noun.name))].join(' and ')
}

function sentence(words: string): string | null {
  return words === '' ? null : capitalised(words)
}
