import { notFound } from '../../base/errors.ts'
import type { Tx } from '../../db/open.ts'
import { rowsBy } from '../../db/prepared.ts'
import { documents } from '../../db/schema-documents.ts'
import type { OurPart, RecordingWords } from '../../db/stored.ts'
import type { ElevationSettings } from '../../engine/analysis.ts'
import type { Said } from '../../engine/numbers.ts'
import type { JoinGap } from '../../engine/repair/join.ts'
import type { MergeRepair } from '../../engine/repair/merge.ts'
import { changesSamples, type Repair } from '../../engine/repair/repairs.ts'
import type { ClimbLimit } from '../../engine/track.ts'
import type { LoadChoice } from '../training/choices.ts'

// What the runner decided on a run, and what only an archive said of it. Recordings are facts; everything
// else of a run is derived from both (docs/architecture.md 4).

/** Bounds of the five zones, pairs of beats per minute. */
export type ZoneBounds = readonly (readonly [number, number])[]

/** A repair as a document keeps it. One that was undone stays, with its time. */
export type RunRepair = Repair & {
  readonly id: string
  /** Unix milliseconds. */
  readonly madeAt: number
  readonly undoneAt?: number
  /** Zones of the effort before it, which return with its reverting; absent: those of now stay. */
  readonly zonesBefore?: ZoneBounds | null
  /** `effortTimes` before it, which return with its reverting. */
  readonly effortTimesBefore?: Asked['effortTimes']
  /** Of a split: the number of the part, from 2 on; the first part has none. */
  readonly number?: number
  /** Of a merge: its runs as they were, and what they were given together. */
  readonly apart?: { readonly runs: readonly RunApart[]; readonly given: SaidOfRun }
}

export interface RunApart {
  readonly id: string
  /** The one of its recordings whose samples count. */
  readonly recordingId: string
  readonly said: SaidOfRun
  /** Ids of its photos and videos. */
  readonly photos: readonly string[]
}

/** What is said of a run beside its recordings. */
export type SaidOfRun = Pick<RunDocument, 'words' | 'shoeId' | 'carried'>

/** The recordings of one run, of which one gives the samples. */
export interface RecordedTrack {
  /** By arrival. */
  readonly recordings: readonly string[]
  /** Whose samples count; absent: the best. Pinned while a repair of the samples is active, since its times are on their clock. */
  readonly primary?: string
  readonly repairs: readonly RunRepair[]
}

/** Several tracks, one after the other, with repairs of the whole. */
export interface JoinedTrack {
  readonly join: readonly RunTrack[]
  readonly id: string
  readonly madeAt: number
  readonly gap: JoinGap
  /** Of all tracks together; null: unknown. */
  readonly climb: ClimbLimit | null
  readonly caloriesKcal: number | null
  /** When the first track begins, Unix milliseconds, and how long all are, seconds. */
  readonly startedAt: number
  readonly durationS: number
  readonly repairs: readonly RunRepair[]
}

export type RunTrack = RecordedTrack | JoinedTrack

export interface RunWords extends Pick<RecordingWords, 'name' | 'notes' | 'runType' | 'rpe'> {
  readonly shoeId: string | null
}

interface StatedEffort {
  readonly id: string
  readonly distanceIndex: number
  readonly timeMs: number
  readonly calculatedAt: number
  /** When it was stated, Unix milliseconds, of a run whose samples were repaired before. */
  readonly statedAt?: number
}

/** What no recording gives. */
export interface Carried {
  readonly words?: {
    readonly [K in Exclude<keyof RunWords, 'shoeId'> | 'source' | 'device']?:
      | RunWords[K & keyof RunWords]
      | string
      | null
  }
  /** Where nothing else gives the number. */
  readonly numbers?: Said
  /** Time zone and offset, until a repair moves the run or changes its samples. */
  readonly place?: { readonly timeZone: string | null; readonly utcOffsetMinutes: number | null }
  readonly efforts?: readonly StatedEffort[]
  /** Ids of computed efforts, by distance index, of archives. */
  readonly effortIds?: Readonly<Record<string, string>>
}

/** A repetition that the runner gave, Unix milliseconds on the clock of the track before its repairs. */
export interface GivenStretch {
  readonly startMs: number
  readonly endMs: number
}

export interface RunDocument {
  readonly track: RunTrack
  /** What the runner said; null: set to nothing. */
  readonly words?: Partial<RunWords>
  /** Given at arrival: by the recording's gear, or the default shoe. */
  readonly shoeId?: string
  readonly choices?: {
    readonly load?: LoadChoice
    /** By distance index: whether the effort may hold a record. */
    readonly efforts?: Readonly<Record<string, boolean>>
    readonly leftOut?: true
    /** The runner said that a race much slower than the others was raced. */
    readonly wasRaced?: true
    readonly stated?: true
    /** The repetitions, instead of those that are recognised: in order, at most `MOST_REPETITIONS`. */
    readonly intervals?: { readonly stretches: readonly GivenStretch[] }
  }
  readonly carried?: Carried
  /** Id of the route in archives, kept even while there is no route. */
  readonly routeId: string
  /** Unix milliseconds. */
  readonly createdAt: number
}

type Choices = NonNullable<RunDocument['choices']>

/** What the numbers of a run are computed with, beside recordings and document. */
export interface Asked {
  /** Of the last scoring; null: an archive's effort. */
  readonly zones: ZoneBounds | null
  readonly splitUnitM: number
  readonly elevation: ElevationSettings | null
  /** Which parts of an archive's numbers a recalculation replaced. */
  readonly ours?: readonly OurPart[]
  /** When an effort was computed, by distance index, where not at the creation of the run. */
  readonly effortTimes?: Readonly<Record<string, number>>
}

export interface RunHead {
  readonly id: string
  readonly seq: number
  readonly body: RunDocument
  readonly asked: Asked
}

/** Choices of a run that several become: it counts unless all of them were left out. */
export function leftOutTogether({ leftOut: _, ...choices }: Choices, all: readonly RunDocument[]): Choices {
  return all.every(({ choices: own }) => own?.leftOut) ? { ...choices, leftOut: true } : choices
}

/** What a run is asked with once this part of an archive's numbers is computed again. */
export function withOurs(asked: Asked, part: OurPart): Asked {
  return { ...asked, ours: [...new Set([...(asked.ours ?? []), part])].toSorted() }
}

/** What a run is asked with once these efforts are computed. */
export function withEffortTimes(
  asked: Asked,
  efforts: readonly { readonly distanceIndex: number }[],
  atMs: number,
): Asked {
  if (efforts.length === 0) return asked
  const times = Object.fromEntries(efforts.map(({ distanceIndex }) => [distanceIndex, atMs]))
  return { ...asked, effortTimes: { ...asked.effortTimes, ...times } }
}

type HeadRow = typeof documents.$inferSelect

const headRow = rowsBy(documents, documents.id)

/** The document of a run that is not in the trash; null: there is none. */
export function runHead(tx: Tx, id: string): RunHead | null {
  return headOf(documentRow(tx, id))
}

/** As `runHead`. @throws AppError 404 when there is none */
export function neededHead(tx: Tx, id: string): RunHead {
  const head = runHead(tx, id)
  if (head === null) throw notFound('Workout')
  return head
}

/** As stored, in the trash or not. */
export function documentRow(tx: Tx, id: string): HeadRow | null {
  return headRow(tx).get({ is: id }) ?? null
}

/** The document in a row; null: the run is in the trash, or there is none. */
export function headOf(row: HeadRow | null): RunHead | null {
  if (row === null || row.body === null) return null
  const { id, seq, body, asked } = row
  return { id, seq, body: JSON.parse(body) as RunDocument, asked: JSON.parse(asked) as Asked }
}

/** Whether it is a part of a split run that was none before: what was stated of the whole belongs to the first part. */
export function isLaterPart({ track }: RunDocument): boolean {
  return track.repairs.some(({ number }) => number !== undefined)
}

export function isJoined(track: RunTrack): track is JoinedTrack {
  return 'join' in track
}

/** The recordings that a track names, by arrival; each once. */
export function recordingIds(track: RunTrack): string[] {
  return isJoined(track) ? [...new Set(track.join.flatMap(recordingIds))] : [...track.recordings]
}

/** How the recordings of a track are laid together; undefined: the samples of one count. */
export function mergeOf(track: RunTrack): (RunRepair & MergeRepair) | undefined {
  return activeRepairs(track).find((repair): repair is RunRepair & MergeRepair => repair.kind === 'merge')
}

/** The repairs that are active, in the order in which they were made. */
export function activeRepairs({ repairs }: Pick<RunTrack, 'repairs'>): RunRepair[] {
  return repairs.filter(({ undoneAt }) => undoneAt === undefined)
}

export function plainRepair({
  id: _,
  madeAt: __,
  undoneAt: ___,
  zonesBefore: ____,
  effortTimesBefore: _______,
  number: _____,
  apart: ______,
  ...repair
}: RunRepair): Repair {
  return repair as Repair
}

/** Active repairs in the form of the engine; of a join with the join itself. */
export function engineRepairs(track: RunTrack): Repair[] {
  const own = activeRepairs(track).map(plainRepair)
  return isJoined(track) ? [{ kind: 'join', caloriesKcal: track.caloriesKcal }, ...own] : own
}

/** Whether the samples are not as they were recorded. */
export function isResampled(track: RunTrack): boolean {
  return engineRepairs(track).some(changesSamples)
}

/** The shoe that a run is to have, whether or not it still exists. */
export function wantedShoe({ words, shoeId }: RunDocument): string | null {
  return words?.shoeId !== undefined ? words.shoeId : (shoeId ?? null)
}

/** What of a run follows from a change of its document: everything, only words and choices, or nothing. */
export function affected(before: RunDocument | null, after: RunDocument): 'everything' | 'words' | 'nothing' {
  if (before === null) return 'everything'
  if (!Bun.deepEquals(madeOf(after), madeOf(before))) return 'everything'
  return Bun.deepEquals(after, before) ? 'nothing' : 'words'
}

/** Without words and choices, and without stated efforts, whose rows are beside those of the samples. */
function madeOf({ words: _, shoeId: __, choices: ___, carried, ...made }: RunDocument): object {
  const { words: ____, efforts: _____, effortIds: ______, ...rest } = carried ?? {}
  return { ...made, carried: rest }
}

/** The document without empty members, so that equal documents have equal texts. */
export function compact(document: RunDocument): RunDocument {
  const { words, choices, carried, ...rest } = document
  const filled = { words, choices: choices && withoutEmpty(choices), carried: carried && withoutEmpty(carried) }
  return { ...rest, ...withoutEmpty(filled) } as RunDocument
}

function withoutEmpty(members: object): object {
  const isEmpty = (value: unknown) =>
    value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  return Object.fromEntries(Object.entries(members).filter(([, value]) => !isEmpty(value)))
}
