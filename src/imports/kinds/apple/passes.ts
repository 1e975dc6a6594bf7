import { createReadStream } from 'node:fs'
import { paced } from '../../../base/pace.ts'
import { RECORD_TYPES } from '../../../formats/apple/records.ts'
import { appleTimeAt } from '../../../formats/apple/values.ts'
import { type AppleWorkout, RUNNING, WORKOUT_WORDS, WorkoutReader } from '../../../formats/apple/workout.ts'
import { FormatError } from '../../../formats/format.ts'
import { scanXml } from '../../../formats/xml/scanner.ts'
import type { ZipEntry } from '../../../zip/reader.ts'
import { ZipError } from '../../../zip/zip-error.ts'
import type { Unpacking } from '../kind.ts'
import type { RunSpool } from '../run-spool.ts'
import { createRunTimes } from '../run-times.ts'
import type { TakeoutSource } from '../source.ts'
import { Elements, type ElementTaker, quotedIn, valueIn } from './elements.ts'

// The two passes over the text of an Apple Health export: first its workouts, then the records within its runs.

const MAX_EXPORT_BYTES = 20 * 1024 ** 3
const READ_BYTES = 262_144
/** Two a day for 60 years. */
const MOST_RUNS = 50_000
/** Records of one run beyond this are left out: those of an hour are 1 MB. */
const MOST_RUN_BYTES = 64 * 1_048_576

interface Reading {
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
    workout: (text) => {
      const workout = workoutOf(text)
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
function workoutOf(text: string): AppleWorkout | null {
  const reader = new WorkoutReader()
  try {
    scanXml(Buffer.from(text, 'latin1'), WORKOUT_WORDS, reader)
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
  const times = createRunTimes(runs)
  const numbers = new Map(runs.map(({ place }, run) => [place, run]))
  const [withOwn, tooLong] = [new Set<number>(), new Set<number>()]
  let place = 0
  const { unreadable } = await read(source, entry, {
    signal,
    flush: () => spool.flush(),
    wants: (type) => TYPES.has(type),
    record: (tag) => {
      const found = times(timeIn(tag, 'startDate'), timeIn(tag, 'endDate'))
      if (found.length === 0) return
      const text = Buffer.from(recordText(tag), 'latin1')
      const sourceName = valueIn(tag, 'sourceName')
      for (const run of found) {
        if (spool.size(run) > MOST_RUN_BYTES) tooLong.add(run)
        else spool.add(run, text)
        if (sourceName === runs[run]!.rawSource) withOwn.add(run)
      }
    },
    workout: (text) => {
      if (workoutOf(text)?.type !== RUNNING) return
      const run = numbers.get(place)
      place += 1
      if (run !== undefined) spool.add(run, Buffer.from(`${text}\n`, 'latin1'))
    },
  })
  return { withOwn, tooLong, unreadable }
}

const TYPES: ReadonlySet<string> = new Set(RECORD_TYPES)
/** What is kept of a record; the rest is of the device, whose name the workout has. */
const KEPT = ['type', 'sourceName', 'unit', 'startDate', 'endDate', 'value']

function timeIn(tag: string, name: string): number {
  const bytes = Buffer.from(valueIn(tag, name) ?? '', 'latin1')
  return appleTimeAt(bytes, 0, bytes.length)
}

/** `<Record type="…" … value="…"/>`, each value with the quotes that it has. */
function recordText(tag: string): string {
  const kept = KEPT.map((name) => {
    const value = quotedIn(tag, name)
    return value === null ? '' : ` ${name}=${value}`
  })
  return `<Record${kept.join('')}/>\n`
}

interface Taking extends ElementTaker {
  readonly signal: AbortSignal
  readonly flush?: () => Promise<void>
}

/** One pass. What is damaged in the ZIP ends it as if it were cut there. */
async function read(source: TakeoutSource, entry: ZipEntry | null, taking: Taking): Promise<Reading> {
  const elements = new Elements(taking)
  let cut: string | null = null
  try {
    for await (const piece of piecesOf(source, entry)) {
      elements.push(piece)
      await taking.flush?.()
      if (taking.signal.aborted) break
    }
  } catch (error) {
    if (!(error instanceof ZipError && error.scope === 'entry')) throw error
    cut = error.message
  }
  if (cut === null && !elements.isWhole) cut = 'The export is cut off'
  return { unreadable: elements.unreadable, cut }
}

function piecesOf({ zip, path }: TakeoutSource, entry: ZipEntry | null): AsyncIterable<Uint8Array> {
  if (zip !== null && entry !== null) return zip.read(entry, { maxBytes: MAX_EXPORT_BYTES })
  return paced(createReadStream(path, { highWaterMark: READ_BYTES }))
}
