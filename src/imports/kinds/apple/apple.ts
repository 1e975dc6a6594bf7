import { EXPORT_NAME } from '../../../formats/apple/apple.ts'
import { ACTIVITY } from '../../../formats/apple/workout.ts'
import { FormatError } from '../../../formats/format.ts'
import { MAX_UNPACKED_BYTES } from '../../../formats/gzip.ts'
import { sportWord } from '../../../formats/sport-words.ts'
import type { ZipEntry } from '../../../zip/reader.ts'
import type { Item, TakeoutKind, Unpacking } from '../kind.ts'
import { MORE_RECORDS, RunSpool } from '../run-spool.ts'
import { messageOf, type TakeoutSource } from '../source.ts'
import { type RunSpan, type RunTexts, spoolRuns, workoutsIn } from './passes.ts'

const XML_NAME = /\.xml$/i

/** The export of the Health app of an iPhone: one XML, which may have gigabytes, and a GPX for each route. */
export const appleHealth: TakeoutKind = {
  origin: 'apple_health',
  listed: 'Apple Health',
  begins: isExport,
  looksInto: XML_NAME,
  items,
}

/** Apps that write workouts to Health which they recorded elsewhere or only copied. */
const OTHER_APPS =
  /\b(strava|garmin|connect|nike|runkeeper|adidas|runtastic|polar|suunto|coros|wahoo|fitbit|zwift|mapmyrun|endomondo|komoot|healthfit|rungap|samsung|huawei|peloton|under armour|asics)\b/i
/** Several sports in one, and what is between them. */
const MIXED: ReadonlySet<string> = new Set(['SwimBikeRun', 'Transition'])
const COPY = 'A copy of a run of another app, without data'

function isExport(head: Uint8Array): boolean {
  return /<(?:!DOCTYPE\s+)?HealthData\b/.test(new TextDecoder('windows-1252').decode(head))
}

/** The XML of the export, whatever it is called: its name depends on the language of the phone. */
async function exportIn(source: TakeoutSource): Promise<ZipEntry | null> {
  for (const entry of await source.largest(XML_NAME)) if (isExport(await source.headOf(entry))) return entry
  return null
}

async function* items(source: TakeoutSource, unpacking: Unpacking): AsyncGenerator<Item> {
  const entry = source.zip === null ? null : await exportIn(source)
  const filename = entry?.name ?? source.filename
  const { runs, others, cut, unreadable } = await workoutsIn(source, entry, unpacking)
  if (unpacking.signal.aborted) return
  if (runs.length === 0 && others.size === 0) throw withoutWorkouts(cut)
  if (cut !== null) unpacking.warn({ filename, message: `${cut}: only what is before that was imported` })
  unpacking.expect(runs.length)
  const spool = await RunSpool.open(source.tmpDir)
  try {
    const texts = await spoolRuns(source, entry, { runs, spool, signal: unpacking.signal })
    const all = unreadable + texts.unreadable
    if (all > 0)
      unpacking.warn({ filename, message: `Could not be read: ${all} ${all === 1 ? 'part' : 'parts'} of the export` })
    const copies = new Set([...runs.keys()].filter((run) => isCopy(runs[run]!, texts.withOwn.has(run))))
    const parts: Parts = { source, entry, runs, copies, texts, spool, unpacking }
    for (const run of runs.keys()) if (!copies.has(run)) yield await itemOf(parts, run)
    // by now the runs that they may be copies of are stored
    await unpacking.allDone()
    for (const run of [...copies]) yield await copyOf(parts, run)
  } finally {
    await spool.close()
  }
  for (const [type, count] of others) {
    const name = type.replace(ACTIVITY, '')
    yield { sport: MIXED.has(name) ? 'other' : sportWord(name), count }
  }
}

function withoutWorkouts(cut: string | null): FormatError {
  return cut === null
    ? new FormatError('The Apple Health export has no workouts, only other health data', { problem: 'noRun' })
    : new FormatError(`The Apple Health export has no workouts before its end: ${cut}`)
}

interface Parts {
  readonly source: TakeoutSource
  readonly entry: ZipEntry | null
  readonly runs: readonly RunSpan[]
  /** Those that are copies of runs of other apps. */
  readonly copies: Set<number>
  readonly texts: RunTexts
  readonly spool: RunSpool
  readonly unpacking: Unpacking
}

/** Whether another app wrote it and nothing but totals is known of it. */
function isCopy({ sourceName, routes }: RunSpan, hasOwnRecords: boolean): boolean {
  return OTHER_APPS.test(sourceName) && routes.length === 0 && !hasOwnRecords
}

/** A copy is imported when nothing else is known of its time; then it is no copy of the next one. */
async function copyOf(parts: Parts, run: number): Promise<Item> {
  const { runs, copies, unpacking } = parts
  const { startMs, endMs, hasDistance } = runs[run]!
  const isElsewhere = runs.some((other, k) => other.startMs < endMs && other.endMs > startMs && !copies.has(k))
  if (isElsewhere || !hasDistance || unpacking.hasRunAt(startMs, endMs)) {
    return { filename: nameOf(runs[run]!), skipped: COPY }
  }
  copies.delete(run)
  return await itemOf(parts, run)
}

function nameOf({ startText }: RunSpan): string {
  return `run_${startText.slice(0, 19).replace(' ', '_').replaceAll(':', '-')}.zip`
}

async function itemOf(parts: Parts, run: number): Promise<Item> {
  const { runs, texts, spool, source, unpacking } = parts
  const filename = nameOf(runs[run]!)
  if (texts.tooLong.has(run)) unpacking.warn({ filename, message: MORE_RECORDS })
  const text = Buffer.concat([XML_BEGINNING, await spool.bytes(run), XML_END])
  const files = [
    { name: EXPORT_NAME, bytes: text as Uint8Array },
    ...(await routesOf(parts, run, MAX_UNPACKED_BYTES - text.length)),
  ]
  return { filename, told: null, file: await source.packed(files) }
}

const XML_BEGINNING = Buffer.from('<?xml version="1.0" encoding="UTF-8"?>\n<HealthData>\n')
const XML_END = Buffer.from('</HealthData>\n')

async function routesOf(
  { source, entry, runs, unpacking }: Parts,
  run: number,
  mostBytes: number,
): Promise<{ readonly name: string; readonly bytes: Uint8Array }[]> {
  if (source.zip === null || entry === null) return []
  const routes: { name: string; bytes: Uint8Array }[] = []
  let left = mostBytes
  for (const path of new Set(runs[run]!.routes)) {
    const name = path.replace(/^\/+/, '')
    const found = source.beside(entry, name)
    if (found === null || !source.isFirst(found)) {
      const message = found === null ? 'The export does not have this route' : 'An earlier run has this route'
      unpacking.warn({ filename: name, message })
      continue
    }
    try {
      routes.push({ name, bytes: await source.zip.bytes(found, left) })
      left -= found.size
    } catch (error) {
      unpacking.warn({ filename: name, message: messageOf(error) })
    }
  }
  return routes
}
