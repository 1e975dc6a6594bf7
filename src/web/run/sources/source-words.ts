import { TAKEOUT_ORIGINS } from '../../../engine/limits.ts'
import type { NumberName } from '../../../engine/numbers.ts'
import { capitalised, type Units } from '../../format.ts'
import type { Sources } from '../types.ts'
import { type Noun, NUMBER_WORDS, type NumberWords } from './number-words.ts'
import { isPart } from './repair-words.ts'

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
