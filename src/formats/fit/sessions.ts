import { FormatError } from '../format.ts'
import type { FitFile, FitPart } from './decode.ts'
import { FILE_KINDS, nameOf, SPORTS } from './names.ts'
import type { FitMessage } from './values.ts'

const ACTIVITY_FILE = 4
/** Sports that treadmill sessions may be filed under, and the sub-sports that are running under any sport. */
const GYM_SPORTS: ReadonlySet<unknown> = new Set([4, 10])
const TREADMILL_SUB_SPORTS: ReadonlySet<unknown> = new Set([1, 45])
/** treadmill, indoor walking, indoor running, virtual activity. */
const INDOOR_SUB_SPORTS: ReadonlySet<unknown> = new Set([1, 27, 45, 58])

/** Most sessions of one file: a triathlon has five, a damaged file any number. */
const MAX_SESSIONS = 100

export interface FitSession {
  readonly part: FitPart
  /** null: the file ends before its session message. */
  readonly message: FitMessage | null
  /** Name of the sport when it is not running; null: a run. */
  readonly otherSport: string | null
  readonly indoor: boolean
  /** All of its file, in the order of the file. */
  readonly siblings: readonly (FitMessage | null)[]
}

/**
 * The activities among the chained files, with their heart rates: those with records count without file_id, too; heart rates without one belong
 * to the activity before them.
 * @throws FormatError when there is none; it names the kind of file found
 */
export function fitActivities({ parts }: FitFile) {
  const activities: { part: FitPart; heartRates: FitMessage[] }[] = []
  let otherKind: number | null = null
  for (const part of parts) {
    const kind = part.messages.fileId?.[0]?.type
    if (typeof kind === 'number' && kind !== ACTIVITY_FILE) {
      otherKind ??= kind
      continue
    }
    const isActivity = kind === ACTIVITY_FILE || part.endRow > part.firstRow || part.messages.session !== undefined
    if (isActivity) activities.push({ part, heartRates: [...(part.messages.hr ?? [])] })
    else activities.at(-1)?.heartRates.push(...(part.messages.hr ?? []))
  }
  if (activities.length > 0) return activities
  if (otherKind === null) throw new FormatError('The FIT file is empty or damaged at its beginning')
  const name = nameOf(FILE_KINDS, otherKind)
  const refusal = name === null ? 'The FIT file is not an activity' : `This is a FIT ${name} file, not an activity`
  throw new FormatError(refusal, { problem: 'noRun' })
}

/** The sessions of an activity in file order; a single one without message when the file ends before them. */
export function fitSessions(part: FitPart): FitSession[] {
  const messages = distinct(part.messages.session ?? []).slice(0, MAX_SESSIONS)
  if (messages.length === 0) return [sessionWithoutMessage(part)]
  return messages.map((message) => ({
    part,
    message,
    otherSport: otherSport(message.sport, message.subSport),
    indoor: INDOOR_SUB_SPORTS.has(message.subSport),
    siblings: messages,
  }))
}

/** Removes repeated sessions, which some devices write when saving again; sessions without a start count as one. */
function distinct(messages: readonly FitMessage[]): FitMessage[] {
  const longest = new Map<unknown, FitMessage>()
  for (const message of messages) {
    const key = message.startTime
    const known = longest.get(key)
    const isLonger = Number(message.totalElapsedTime ?? 0) > Number(known?.totalElapsedTime ?? 0)
    if (known === undefined || isLonger) longest.set(key, message)
  }
  return [...longest.values()]
}

/** In a file that was cut, the sport is taken from its sport and lap messages. */
function sessionWithoutMessage(part: FitPart): FitSession {
  const stated = [...(part.messages.sport ?? []), ...(part.messages.lap ?? [])]
  const other = stated.map(({ sport, subSport }) => otherSport(sport, subSport)).find((name) => name !== null)
  return {
    part,
    message: null,
    otherSport: other ?? null,
    indoor: stated.some(({ subSport }) => INDOOR_SUB_SPORTS.has(subSport)),
    siblings: [null],
  }
}

function otherSport(sport: unknown, subSport: unknown): string | null {
  if (typeof sport !== 'number' || (GYM_SPORTS.has(sport) && TREADMILL_SUB_SPORTS.has(subSport))) return null
  return nameOf(SPORTS, sport)
}
