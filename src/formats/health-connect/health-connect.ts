import { LENGTHS } from '../../base/texts.ts'
import { bareLap, type DeviceLap, orderedLaps } from '../../engine/laps.ts'
import { mergedSpans } from '../../engine/run/moving.ts'
import { type Activity, type Format, FormatError, type ParsedFile, type ParseOptions } from '../format.ts'
import { isRunName } from '../health/names.ts'
import { type Members, membersOf } from '../json.ts'
import { cadences, columnOf, distances, type Readings, shareWithin } from '../readings.ts'
import { amountOf, kcalOf, nameOf, notesOf, serviceRun } from '../service-run.ts'
import { firstZippedName, zippedFiles } from '../small-zip.ts'
import { otherSportError } from '../sport.ts'
import { sortByTime, type TimedColumns } from '../table/merged.ts'
import { Rows } from '../table/rows.ts'
import { cleanText, decimalAt, numberOf, textOf } from '../text-values.ts'
import { APP, PARTS, type PartName, RUNNING, SESSIONS, sportNamed, TREADMILL } from './parts.ts'

/** A run of Health Connect: its session and the rows of other tables that belong to it, in a ZIP. */
export const healthConnectFormat: Format = {
  type: 'zip',
  name: 'Health Connect session',
  isListed: false,
  extensions: [],
  detect: (head) => firstZippedName(head) === SESSION_NAME,
  parse: parseSession,
}

export const SESSION_NAME = `${SESSIONS}.json`

/** Numbers of running and treadmill in the library for apps, which some of them store; here a wheelchair and yoga. */
const LIBRARY_RUNS: readonly number[] = [56, 57]
const PAUSE = 67
/** Positions that are less accurate are left out. */
const MOST_ACCURACY_M = 100
/** The least that a double holds stands for a value that was not given. */
const NOT_GIVEN = Number.MIN_VALUE
const MOST_MINUTES_OFF = 840
const [COMMA, LINE_FEED] = [0x2c, 0x0a]

/** Whether a session is a run. */
export function isRun(type: number, title: string | null): boolean {
  return type === RUNNING || type === TREADMILL || (LIBRARY_RUNS.includes(type) && isRunName(title ?? ''))
}

/** @throws FormatError */
function parseSession(bytes: Uint8Array, { anySport = false }: ParseOptions): ParsedFile {
  const files = zippedFiles(bytes)
  const session = sessionIn(files.get(SESSION_NAME))
  const type = numberOf(session.exercise_type)
  if (!anySport && !isRun(type, textOf(session.title))) throw otherSportError(sportNamed(type))
  return { type: 'zip', activities: [activityOf(session, (name) => partIn(files, name))], skippedOther: 0 }
}

function sessionIn(bytes: Uint8Array | undefined): Members {
  try {
    return membersOf(JSON.parse(new TextDecoder().decode(bytes)))
  } catch (cause) {
    throw new FormatError('The Health Connect session is cut or damaged', { cause })
  }
}

/** The rows of a part by the names of its columns. */
type Part = Rows<string>

function partIn(files: ReadonlyMap<string, Uint8Array>, name: PartName): Part {
  const { table, columns } = PARTS[name]
  const names = [...columns, APP]
  const rows = new Rows<string>(...names)
  const bytes = files.get(`${table}.csv`)
  if (bytes === undefined) return rows
  const endOfLine = (from: number) => {
    const end = bytes.indexOf(LINE_FEED, from)
    return end < 0 ? bytes.length : end
  }
  let end = endOfLine(0)
  const titles = new TextDecoder().decode(bytes.subarray(0, end)).split(',', names.length)
  const next = Object.fromEntries(names.map((column) => [column, Number.NaN]))
  for (let at = end + 1; at < bytes.length; at = end + 1) {
    end = endOfLine(at)
    for (const title of titles) {
      let to = at
      while (to < end && bytes[to] !== COMMA) to += 1
      const value = decimalAt(bytes, at, to)
      next[title] = value === NOT_GIVEN ? Number.NaN : value
      at = to + 1
    }
    rows.add(next)
  }
  return rows
}

function activityOf(session: Members, part: (name: PartName) => Part): Activity {
  const [startMs, endMs] = [numberOf(session.start_time), numberOf(session.end_time)]
  const run = { startMs, endMs, app: numberOf(session[APP]) }
  const readings = (name: PartName) => readingsOf(part(name), PARTS[name].columns, run)
  const sum = (name: PartName) => totalOf(readings(name), run)
  const pauses = pausesOf(part('segments'), run)
  const pausedMs = pauses.reduce((paused, [from, to]) => paused + to - from, 0)
  const distanceM = sum('distance')
  const route = routeOf(part('route'))
  const hasRoute = route.timeMs.length >= 2
  const rate = readings('cadence')
  const offset = numberOf(session.start_zone_offset) / 60
  const id = textOf(session.uuid)
  const activity = serviceRun({
    startMs,
    series: [
      ...(hasRoute ? [route] : []),
      columnOf('heartRateBpm', readings('heartRate'), startMs),
      rate.value.length > 0
        ? columnOf('cadence', { ...rate, value: rate.value.map((steps) => steps / 2) }, startMs)
        : cadences(readings('steps'), startMs),
      columnOf('powerW', readings('power'), startMs),
      columnOf('speedMps', readings('speed'), startMs),
      // along a route the distance is computed
      ...(hasRoute ? [] : [distances(readings('distance'), run, distanceM ?? Number.NaN)]),
    ],
    totals: {
      elapsedS: amountOf((endMs - startMs) / 1000),
      timerS: pausedMs > 0 ? amountOf((endMs - startMs - pausedMs) / 1000) : null,
      distanceM,
      // small calories
      caloriesKcal: kcalOf((sum('activeEnergy') ?? sum('energy') ?? Number.NaN) / 1000),
      elevGainM: sum('climb'),
    },
    indoor: numberOf(session.exercise_type) === TREADMILL,
    pauses,
    laps: lapsOf(part('laps')),
    name: nameOf(session.title),
    notes: notesOf(session.notes),
    device: cleanText(
      [session.manufacturer, session.model].flatMap((word) => textOf(word) ?? []).join(' '),
      LENGTHS.device,
    ),
    external: id === null ? null : { origin: 'health_connect', id },
    utcOffsetMinutes: offset % 15 === 0 && Math.abs(offset) <= MOST_MINUTES_OFF ? offset : null,
  })
  return { ...activity, rpe: effortOf(session.session_rate_of_perceived_exertion) }
}

interface Run {
  readonly startMs: number
  readonly endMs: number
  readonly app: number
}

/**
 * The values of a part that were recorded during the run, in order of time and all of one app: that of the session, else
 * the one with most of them. Of a longer interval, at least half is within the run.
 */
function readingsOf(part: Part, columns: readonly string[], { startMs, endMs, app }: Run): Readings {
  const [starts, ends] = [part.column(columns[0]!), part.column(columns.at(-2)!)]
  const [apps, values] = [part.column(APP), part.column(columns.at(-1)!)]
  const within: number[] = []
  const counts = new Map<number, number>()
  for (let row = 0; row < part.n; row += 1) {
    const [from, to] = [starts[row]!, ends[row]!]
    const sharedMs = Math.min(to, endMs) - Math.max(from, startMs)
    if (!(values[row]! >= 0 && sharedMs >= (to - from) / 2)) continue
    within.push(row)
    counts.set(apps[row]!, (counts.get(apps[row]!) ?? 0) + 1)
  }
  const [most] = [...counts].toSorted(([a, m], [b, n]) => Number(b === app) - Number(a === app) || n - m || a - b)
  const kept = Uint32Array.from(within.filter((row) => Object.is(apps[row], most?.[0])))
  sortByTime(kept, starts)
  const picked = (column: Float64Array) => Float64Array.from(kept, (row) => column[row]!)
  return { startMs: picked(starts), endMs: picked(ends), value: picked(values) }
}

function totalOf({ startMs, endMs, value }: Readings, run: Run): number | null {
  return amountOf(value.reduce((sum, one, k) => sum + one * shareWithin(startMs[k]!, endMs[k]!, run), 0))
}

function routeOf(part: Part): TimedColumns {
  const [timeMs, latDeg, lonDeg, elevM, accuracyM] = PARTS.route.columns.map((name) => part.column(name))
  const near = latDeg!.map((degrees, row) => (accuracyM![row]! > MOST_ACCURACY_M ? Number.NaN : degrees))
  return {
    timeMs: timeMs!,
    columns: [
      ['latDeg', near],
      ['lonDeg', lonDeg!],
      ['elevM', elevM!],
    ],
  }
}

function lapsOf(part: Part): DeviceLap[] {
  const [startMs, endMs, lengthM] = PARTS.laps.columns.map((name) => part.column(name))
  return orderedLaps(
    Array.from(startMs!, (start, lap) => ({
      ...bareLap(start, endMs![lap]!),
      distanceM: amountOf(lengthM![lap]),
    })),
  )
}

function pausesOf(part: Part, run: Run): (readonly [number, number])[] {
  const [startMs, endMs, type] = PARTS.segments.columns.map((name) => part.column(name))
  const spans = Array.from(startMs!, (start, row) => ({
    startS: type![row] === PAUSE ? Math.max(start, run.startMs) : Number.NaN,
    endS: Math.min(endMs![row]!, run.endMs),
  }))
  return mergedSpans(spans).map(({ startS, endS }) => [startS, endS])
}

function effortOf(value: unknown): number | null {
  const effort = Math.round(numberOf(value))
  return effort >= 1 && effort <= 10 ? effort : null
}
