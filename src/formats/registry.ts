import { DAY_MS } from '../engine/units.ts'
import { appleFormat } from './apple/apple.ts'
import { endurainFormat } from './endurain/endurain.ts'
import { fitFormat } from './fit/fit.ts'
import {
  type Activity,
  type Format,
  FormatError,
  MOST_RUNS,
  type ParsedFile,
  type ParseOptions,
  tooManyRuns,
} from './format.ts'
import { goldenCheetahFormat } from './goldencheetah/goldencheetah.ts'
import { healthFormat } from './health/health.ts'
import { healthConnectFormat } from './health-connect/health-connect.ts'
import { nikeFormat } from './nike/nike.ts'
import { polarFormat } from './polar/polar.ts'
import { runtasticFormat } from './runtastic/runtastic.ts'
import { suuntoFormat } from './suunto/suunto.ts'
import { csvFormat } from './table/csv.ts'
import { gpxFormat } from './xml/gpx.ts'
import { rootName } from './xml/scanner.ts'
import { tcxFormat } from './xml/tcx.ts'

/** Bytes at the beginning of a file that decide its format (docs/api.md 1.5). */
export const HEAD_BYTES = 64 * 1024

/** The first that recognises the content reads the file; messages list them in this order. */
export const FORMATS: readonly Format[] = [
  gpxFormat,
  fitFormat,
  tcxFormat,
  suuntoFormat,
  healthFormat,
  polarFormat,
  nikeFormat,
  goldenCheetahFormat,
  runtasticFormat,
  appleFormat,
  endurainFormat,
  healthConnectFormat,
  // last, since it takes any text by its name
  csvFormat,
]
/** Values of `recording.fileType`. */
export const FILE_TYPES = unique(FORMATS.map(({ type }) => type))
/** Extensions of workout files, without the dot. */
export const EXTENSIONS = unique(FORMATS.flatMap(({ extensions }) => extensions))
/** `GPX, FIT, TCX or CSV` */
export const FORMAT_NAMES = inWords(FORMATS)
/** Without CSV, since archives hold no table in place of a watch file. */
export const RECORDING_NAMES = inWords(FORMATS.filter(({ type }) => type !== 'csv'))

const EARLIEST_START_MS = Date.UTC(1990, 0, 1)

/** The format of a file by its content; only a CSV needs the name. null: none of ours. */
export function detectFormat(head: Uint8Array, filename: string): Format | null {
  return FORMATS.find((format) => format.detect(head, filename)) ?? null
}

/**
 * Parses one unpacked file.
 * @throws FormatError and no other error: unknown content, no readable run or more than `MOST_RUNS`, an implausible
 * start
 */
export function parseFile(bytes: Uint8Array, options: ParseOptions & { readonly nowMs: number }): ParsedFile {
  const head = bytes.subarray(0, HEAD_BYTES)
  const format = detectFormat(head, options.filename)
  if (format === null) throw unknownContent(head)
  const parsed = parsedBy(format, bytes, options)
  if (parsed.activities.length > MOST_RUNS) throw tooManyRuns()
  // each of several runs is judged alone later, so that one bad date does not cost the others
  if (parsed.activities.length === 1) expectPlausibleStart(parsed.activities[0]!, options.nowMs)
  return parsed
}

/** The refusal of a file of no known format, with a hint for the runner. */
export function unknownContent(head: Uint8Array): FormatError {
  if (head.every((byte) => byte <= 32))
    return new FormatError(head.length === 0 ? 'The file is empty' : 'The file is blank')
  if (startsWith(head, [0x50, 0x4b])) {
    return new FormatError('This is a ZIP archive; import it as an export of another app')
  }
  if (startsWith(head, [0x1f, 0x8b])) return new FormatError('The file is compressed twice')
  const root = rootName(head)?.toLowerCase()
  const text = new TextDecoder('windows-1252').decode(head.subarray(0, 1024))
  if (root === 'html' || /^\s*<(?:!doctype\s+html|html|head|body|script)\b/i.test(text)) {
    return unknown('This is a web page, not a workout file')
  }
  if (root === 'healthdata') return unknown('This is an Apple Health export; upload it as the export of a service')
  if (root === 'kml') return unknown('KML files have no times; export the run as GPX, TCX or FIT')
  return unknown(`This file is not a ${FORMAT_NAMES} workout`)
}

function unknown(message: string): FormatError {
  return new FormatError(message, { problem: 'unknown' })
}

/** Turns any other error of a parser into a FormatError: a defect there must not end the whole import. */
function parsedBy(format: Format, bytes: Uint8Array, options: ParseOptions): ParsedFile {
  try {
    return format.parse(bytes, options)
  } catch (error) {
    if (error instanceof FormatError) throw error
    throw new FormatError('The file could not be read', { cause: error })
  }
}

/** @throws FormatError with the date of a run that starts before 1990 or more than a day in the future, or has none */
export function expectPlausibleStart({ startedAtMs, name }: Activity, nowMs: number): void {
  if (startedAtMs >= EARLIEST_START_MS && startedAtMs <= nowMs + DAY_MS) return
  if (!Number.isFinite(startedAtMs) || Math.abs(startedAtMs) > 8.64e15) {
    throw new FormatError(`The date of the run ${name ?? 'without name'} cannot be read`)
  }
  const date = new Date(startedAtMs).toISOString().slice(0, 10)
  const fault = startedAtMs < EARLIEST_START_MS ? 'before 1990: the clock of the watch was not set' : 'in the future'
  throw new FormatError(`The run starts on ${date}, which is ${fault}`)
}

function unique(words: readonly string[]): readonly string[] {
  return [...new Set(words)]
}

function inWords(formats: readonly Format[]): string {
  const names = unique(formats.filter(({ isListed }) => isListed !== false).map(({ name }) => name))
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}

function startsWith(bytes: Uint8Array, prefix: readonly number[]): boolean {
  return prefix.every((byte, at) => bytes[at] === byte)
}
