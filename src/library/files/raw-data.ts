import { isObject } from '../../base/json-object.ts'
import type { Tx } from '../../db/open.ts'
import type { recordings } from '../../db/schema.ts'
import type { RawView } from '../../db/stored.ts'
import { readBytes } from '../../formats/gzip.ts'
import { stamped } from '../../workers/raw-data.ts'
import { type RawJob, readRaw } from '../../workers/read-raw.ts'
import type { WorkerLine } from '../../workers/worker-line.ts'
import { isLaterPart, runHead } from '../documents/run.ts'
import { recordingsOf } from '../recordings.ts'
import { rawDataPath, rawFilePath } from './paths.ts'

/** The three raw objects of docs/api.md 11; each is null when the workout has none. */
export interface RawData {
  readonly rawGpxData: unknown
  readonly rawFitData: unknown
  readonly rawStravaData: unknown
}

type RawMember = keyof RawData

export const RAW_MEMBERS: readonly RawMember[] = ['rawGpxData', 'rawFitData', 'rawStravaData']

/** A text in pieces. Long parts are UTF-8 bytes, so that a large text never exists as a whole. */
export type TextPieces = readonly (string | Uint8Array<ArrayBuffer>)[]

/** The same text in as few pieces as possible. */
export function joinedPieces(pieces: TextPieces): TextPieces {
  const joined: (string | Uint8Array<ArrayBuffer>)[] = []
  for (const piece of pieces) {
    const last = joined.at(-1)
    if (typeof last === 'string' && typeof piece === 'string') joined[joined.length - 1] = last + piece
    else joined.push(piece)
  }
  return joined
}

export function wholeText(pieces: TextPieces): string {
  const decoder = new TextDecoder()
  return pieces.map((piece) => (typeof piece === 'string' ? piece : decoder.decode(piece))).join('')
}

export type RawTexts = Partial<Record<RawMember, TextPieces>>

export interface RawLibrary {
  readonly db: Tx
  readonly dataDir: string
  /** Parses large originals in a Worker; absent: they are parsed on this thread, when no requests wait for it. */
  readonly worker?: Pick<WorkerLine, 'ask'> | undefined
}

/** The columns of a recording that say where its raw data is. */
type RawRecording = Pick<
  typeof recordings.$inferSelect,
  'id' | 'hasRaw' | 'rawView' | 'storedAs' | 'fileName' | 'fileSession'
>

/** Called when raw data cannot be read or its file has other content; the rest of the answer is not affected. */
type WhenDamaged = (cause: unknown) => void

export function hasRawData({ hasRaw, rawView }: Pick<RawRecording, 'hasRaw' | 'rawView'>): boolean {
  return hasRaw || rawView !== null
}

export const NO_RAW_DATA: Record<RawMember, TextPieces> = {
  rawGpxData: ['null'],
  rawFitData: ['null'],
  rawStravaData: ['null'],
}

/** The texts of the three members of a workout: each from the first recording that has one; null when none has. */
export async function workoutRawData(
  library: RawLibrary,
  workoutId: string,
  whenDamaged: WhenDamaged,
): Promise<Record<RawMember, TextPieces>> {
  const head = runHead(library.db, workoutId)
  // raw data that no original gives stays with the first part of a split run
  const isLater = head !== null && isLaterPart(head.body)
  const recorded = recordingsOf(library.db, workoutId).filter((one) => hasRawData(one) && !(isLater && one.hasRaw))
  const found: RawTexts = {}
  for (const recording of recorded) {
    const wanted = RAW_MEMBERS.filter((name) => found[name] === undefined)
    Object.assign(found, await recordingRawTexts(library, recording, { wanted, whenDamaged }))
  }
  return { ...NO_RAW_DATA, ...found }
}

/**
 * The texts of the wanted members of one recording.
 * @param points false: members parsed from its original come without trackPoints
 */
export async function recordingRawTexts(
  library: RawLibrary,
  recording: RawRecording,
  { wanted = RAW_MEMBERS, points = true, whenDamaged }: RawQuestion,
): Promise<RawTexts> {
  const { id, rawView, hasRaw, storedAs, fileName, fileSession } = recording
  if (hasRaw) {
    const stored = (await storedRaw(library, id, whenDamaged)) ?? {}
    const stated = wanted.filter((name) => (stored[name] ?? null) !== null)
    return Object.fromEntries(stated.map((name) => [name, [JSON.stringify(stored[name])]]))
  }
  if (rawView === null) return {}
  const original = storedAs === null ? null : { path: rawFilePath(library.dataDir, storedAs), fileName, fileSession }
  try {
    return await viewTexts(library, { view: rawView, original, wanted, points })
  } catch (error) {
    whenDamaged(error)
    return rowText(rawView, wanted)
  }
}

interface RawQuestion {
  readonly wanted?: readonly RawMember[]
  readonly points?: boolean
  readonly whenDamaged: WhenDamaged
}

/** The original of a recording, wherever its file is. */
export interface RawOriginal {
  readonly path: string
  readonly fileName: string | null
  readonly fileSession: number | null
}

interface ViewQuestion {
  readonly view: RawView
  readonly original: RawOriginal | null
  readonly wanted?: readonly RawMember[]
  readonly points?: boolean
}

/** Reading a file of this size, unpacked, takes some 20 ms. */
const SMALL_BYTES = 262_144

/**
 * The texts of members parsed from the original.
 * @throws Error when the original does not exist, FormatError when it can no longer be parsed
 */
export async function viewTexts(
  { worker }: Pick<RawLibrary, 'worker'>,
  { view, original, wanted = RAW_MEMBERS, points = true }: ViewQuestion,
): Promise<RawTexts> {
  const { ofOriginal, importedAtMs, anySport } = view
  if (ofOriginal === null || !wanted.includes(ofOriginal)) return rowText(view, wanted)
  if (original === null) throw new Error('There is no original')
  const { path, fileName, fileSession } = original
  const job: RawJob = { path, filename: fileName ?? '', session: fileSession ?? 0, importedAtMs, anySport, points }
  const file = Bun.file(path)
  const isHere = worker === undefined || (file.size <= SMALL_BYTES && readBytes(await file.bytes()) <= SMALL_BYTES)
  const text = await (isHere ? readRaw(job) : worker.ask('raw', job))
  return { [ofOriginal]: [text], ...rowText(view, wanted) }
}

/** Members that need no original, since the row holds them. */
function rowText({ strava, importedAtMs }: RawView, wanted: readonly RawMember[]): RawTexts {
  if (strava === null || !wanted.includes('rawStravaData')) return {}
  return { rawStravaData: [JSON.stringify(stamped(strava, importedAtMs))] }
}

/** The stored raw data; null: the file is missing or damaged. */
async function storedRaw(
  { dataDir }: Pick<RawLibrary, 'dataDir'>,
  recordingId: string,
  whenDamaged: WhenDamaged,
): Promise<Partial<RawData> | null> {
  const file = Bun.file(rawDataPath(dataDir, recordingId))
  if (!(await file.exists())) return null
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Bun.zstdDecompressSync(await file.bytes()))
    const raw: unknown = JSON.parse(text)
    if (isObject(raw) && RAW_MEMBERS.every((name) => Object.hasOwn(raw, name))) return raw
    whenDamaged(new SyntaxError('The file holds no raw data'))
  } catch (error) {
    whenDamaged(error)
  }
  return null
}
