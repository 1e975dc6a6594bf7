import { open } from 'node:fs/promises'
import { paced } from '../../../base/pace.ts'
import { RECORD_TYPES } from '../../../formats/apple/records.ts'
import { appleTimeAt } from '../../../formats/apple/values.ts'
import { type AppleWorkout, RUNNING, WORKOUT_WORDS, WorkoutReader } from '../../../formats/apple/workout.ts'
import { FormatError } from '../../../formats/format.ts'
import { scanXml } from '../../../formats/xml/scanner.ts'
import type { ZipEntry } from '../../../zip/reader.ts'
import { ZipError } from '../../../zip/zip-error.ts'
import type { TakeoutSource, Unpacking } from '../kind.ts'
import type { RunSpool } from '../run-spool.ts'
import { RunTimes } from '../run-times.ts'
import { Elements, type ElementTaker } from './elements.ts'
import { createSeconds } from './seconds.ts'
import { ascii, isAt, type Tag } from './tag.ts'

// The two passes over the text of an Apple Health export: first its workouts, then the records within its runs.

const MAX_EXPORT_BYTES = 20 * 1024 ** 3
const READ_BYTES = 262_144
const PIECE_BYTES = 65_536
/** Two a day for 60 years. */
const MOST_RUNS = 50_000
/** Records of one run beyond this are left out: those of an hour are 1 MB. */
const MOST_RUN_BYTES = 64 * 1_048_576

/** How much of an export could be read in one pass. */
interface Reading {
  /** Elements that could not. */
  readonly unreadable: number
  /** Why it ends early; null: it is whole. */
  readonly cut: string | null
}

/** A running workout, as far as it is needed beside its text. */
export type RunSpan = Pick<AppleWorkout, 'startMs' | 'endMs' | 'startText' | 'sourceName' | 'rawSource' | 'routes'> & {
  readonly hasDistance: boolean
  /** Its place among the runs in the order of the export. */
  readonly place: number
}

/** The runs of an export by their starts, how often it has workouts of other types, and how many are damaged within. */
export async function workoutsIn(
  source: TakeoutSource,
  entry: ZipEntry | null,
  { signal }: Pick<Unpacking, 'signal'>,
): Promise<Reading & { readonly runs: readonly RunSpan[]; readonly others: ReadonlyMap<string, number> }> {
  const runs: RunSpan[] = []
  const others = new Map<string, number>()
  let unreadable = 0
  const { cut } = await read(source, entry, {
    signal,
    wants: () => false,
    record: () => {},
    workout: (bytes) => {
      const workout = workoutOf(bytes)
      if (workout === null) unreadable += 1
      else if (workout.type === RUNNING) runs.push(spanOf(workout, runs.length))
      else others.set(workout.type, (others.get(workout.type) ?? 0) + 1)
      if (runs.length > MOST_RUNS) throw new FormatError(`The export has more than ${MOST_RUNS} runs`)
    },
  })
  const sorted = runs.toSorted((a, b) => a.startMs - b.startMs || a.place - b.place)
  return { cut, unreadable, runs: sorted, others }
}

/** Null when its elements do not match or its times cannot be read. */
function workoutOf(bytes: Uint8Array): AppleWorkout | null {
  const reader = new WorkoutReader()
  try {
    scanXml(bytes, WORKOUT_WORDS, reader)
  } catch (error) {
    if (error instanceof FormatError) return null
    throw error
  }
  const [workout] = reader.workouts
  return workout === undefined || Number.isNaN(workout.startMs + workout.endMs) ? null : workout
}

function spanOf(workout: AppleWorkout, place: number): RunSpan {
  const { startMs, endMs, startText, sourceName, rawSource, routes, statistics, distanceM } = workout
  const hasDistance = distanceM > 0 || (statistics.get('DistanceWalkingRunning')?.sum ?? 0) > 0
  return { startMs, endMs, startText, sourceName, rawSource, routes, hasDistance, place }
}

/** What the second pass found of the runs. */
export interface RunTexts extends Pick<Reading, 'unreadable'> {
  /** Runs that have records of their own source. */
  readonly withOwn: ReadonlySet<number>
  /** Runs that have more records than are kept. */
  readonly tooLong: ReadonlySet<number>
}

/** Writes the texts of workouts and records to the spool, by the numbers of the runs. */
export async function spoolRuns(
  source: TakeoutSource,
  entry: ZipEntry | null,
  { runs, spool, signal }: { readonly runs: readonly RunSpan[]; readonly spool: RunSpool } & Pick<Unpacking, 'signal'>,
): Promise<RunTexts> {
  const times = new RunTimes(runs)
  const numbers = new Map(runs.map(({ place }, run) => [place, run]))
  const sources = runs.map(({ rawSource }) => Buffer.from(rawSource, 'latin1'))
  const [withOwn, tooLong] = [new Set<number>(), new Set<number>()]
  const seconds = createSeconds((text, found) => {
    for (const run of found) {
      if (spool.size(run) > MOST_RUN_BYTES) tooLong.add(run)
      else spool.add(run, text)
    }
  })
  let place = 0
  const { unreadable } = await read(source, entry, {
    signal,
    settle: () => spool.settle(),
    wants: isRead,
    record: (tag) => {
      const [start, end] = [timeOf(tag, START), timeOf(tag, END)]
      const found = times.at(start, end)
      if (found.length === 0) return
      seconds.take(recordText(tag), found)
      const from = tag.find(SOURCE)
      for (const run of found) if (from >= 0 && isValue(tag, from, sources[run]!)) withOwn.add(run)
    },
    workout: (bytes) => {
      if (workoutOf(bytes)?.type !== RUNNING) return
      const run = numbers.get(place)
      place += 1
      if (run !== undefined) spool.add(run, Buffer.concat([bytes, NEW_LINE]))
    },
  })
  seconds.end()
  await spool.settle(true)
  return { withOwn, tooLong, unreadable }
}

const [START, END, SOURCE] = [ascii('startDate'), ascii('endDate'), ascii('sourceName')]
const NEW_LINE = ascii('\n')
const TYPES = RECORD_TYPES.map(ascii)
/** What is kept of a record; the rest is of the device, whose name the workout has. */
const KEPT = ['type', 'sourceName', 'unit', 'startDate', 'endDate', 'value'].map(
  (name) => [ascii(name), ascii(` ${name}=`)] as const,
)

function isRead(bytes: Uint8Array, start: number, end: number): boolean {
  for (const type of TYPES) if (type.length === end - start && isAt(bytes, start, type)) return true
  return false
}

function timeOf(tag: Tag, name: Uint8Array): number {
  const at = tag.find(name)
  return at < 0 ? Number.NaN : appleTimeAt(tag.bytes, tag.valueStart(at), tag.valueEnd(at))
}

function isValue(tag: Tag, attribute: number, value: Uint8Array): boolean {
  const start = tag.valueStart(attribute)
  return tag.valueEnd(attribute) - start === value.length && isAt(tag.bytes, start, value)
}

/** `<Record type="…" … value="…"/>`, each value with the quotes that it has. */
function recordText(tag: Tag): Buffer {
  const parts: Uint8Array[] = [OPEN]
  for (const [name, beginning] of KEPT) {
    const at = tag.find(name)
    if (at >= 0) parts.push(beginning, tag.bytes.subarray(tag.valueStart(at) - 1, tag.valueEnd(at) + 1))
  }
  parts.push(CLOSE)
  return Buffer.concat(parts)
}

const [OPEN, CLOSE] = [ascii('<Record'), ascii('/>\n')]

interface Taking extends ElementTaker {
  readonly signal: AbortSignal
  /** Called between pieces. */
  readonly settle?: () => Promise<void>
}

/** One pass. What is damaged in the ZIP ends it as if it were cut there. */
async function read(source: TakeoutSource, entry: ZipEntry | null, taking: Taking): Promise<Reading> {
  const elements = new Elements(taking)
  let cut: string | null = null
  try {
    for await (const piece of entry === null ? paced(fileParts(source.path)) : entryParts(source, entry)) {
      for (let at = 0; at < piece.length; at += PIECE_BYTES) elements.push(piece.subarray(at, at + PIECE_BYTES))
      await taking.settle?.()
      if (taking.signal.aborted) break
    }
  } catch (error) {
    if (!(error instanceof ZipError && error.scope === 'entry')) throw error
    cut = error.message
  }
  if (cut === null && !elements.isWhole) cut = 'The export is cut off'
  return { unreadable: elements.unreadable, cut }
}

function entryParts({ zip }: TakeoutSource, entry: ZipEntry): AsyncIterable<Uint8Array> {
  return zip!.read(entry, { maxBytes: MAX_EXPORT_BYTES })
}

async function* fileParts(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path)
  try {
    for (let at = 0; ; ) {
      const buffer = Buffer.allocUnsafeSlow(READ_BYTES)
      const { bytesRead } = await file.read(buffer, 0, READ_BYTES, at)
      if (bytesRead === 0) return
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}
