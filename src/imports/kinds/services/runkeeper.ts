import { fileTime } from '../../../engine/calendar/timestamp.ts'
import { NO_TOTALS } from '../../../engine/numbers.ts'
import { HOUR_MS, METRES_PER_FOOT, METRES_PER_MILE } from '../../../engine/units.ts'
import { type Activity, FormatError } from '../../../formats/format.ts'
import { amountOf, beatsOf, kcalOf, notesOf } from '../../../formats/service-run.ts'
import { sportWord } from '../../../formats/sport-words.ts'
import { csvRows, csvText } from '../../../formats/table/reader.ts'
import { cleanText, decimal } from '../../../formats/text-values.ts'
import { utcOffsetMinutes, zoneAt } from '../../../library/time-zone.ts'
import type { ZipEntry } from '../../../zip/reader.ts'
import { type Item, NOTHING_TOLD, type TakeoutKind, type Unpacking } from '../kind.ts'
import { otherFiles } from '../nested.ts'
import { messageOf, type TakeoutSource } from '../source.ts'
import { rowItem } from './rows.ts'

const TABLE = 'cardioActivities.csv'
/** A table of 20,000 activities has 3 MB. */
const MOST_TABLE_BYTES = 32 * 1024 * 1024
/** Enough of a GPX file for its first point. */
const GPX_HEAD_BYTES = 4096
const ID_LENGTH = 100

/** Runkeeper: a table of all activities, and a GPX file for most. */
export const runkeeper: TakeoutKind = {
  origin: 'runkeeper',
  listed: 'Runkeeper',
  names: [/^(?:[^/]+\/){0,2}cardioActivities\.csv$/],
  begins: isTable,
  items,
}

function isTable(head: Uint8Array): boolean {
  const [titles = ''] = new TextDecoder().decode(head.subarray(0, 4096)).split('\n', 1)
  return ['Activity Id', 'Date', 'Type', 'GPX File'].every((title) => titles.includes(title))
}

interface Row {
  readonly id: string | null
  /** Unix milliseconds of the local clock, as if that were UTC; NaN: it cannot be read. */
  readonly localMs: number
  readonly type: string
  readonly notes: string | null
  readonly totals: Activity['totals']
  readonly gpx: string
  readonly entry: ZipEntry | null
}

async function* items(source: TakeoutSource, { expect, warn }: Unpacking): AsyncGenerator<Item> {
  const table = source.find(TABLE)
  const entryOf = (name: string) => (name === '' || table === null ? null : source.beside(table, name))
  const rows: Row[] = []
  let failure: string | null = null
  try {
    for (const row of rowsOf(await tableBytes(source, table))) rows.push({ ...row, entry: entryOf(row.gpx) })
  } catch (error) {
    failure = messageOf(error)
  }
  if (rows.length === 0) throw new FormatError(failure ?? `${TABLE} has no activities`)
  const isRun = ({ type }: Row) => /^running$/i.test(type)
  const runs = rows.filter(isRun)
  expect(runs.length)
  for (const row of rows) if (!isRun(row)) yield { sport: sportWord(row.type) }
  const missing = runs.filter(({ gpx, entry }) => gpx !== '' && entry === null).length
  if (missing > 0) {
    const message = `${missing} GPX files that the table names are not in the export; these runs have their totals only`
    warn({ filename: TABLE, message })
  }
  const zones = zonesOf(source, runs)
  const lone = runs.find((row) => row.entry === null && !Number.isNaN(row.localMs))
  if (lone !== undefined && (await zones(lone.localMs)) === null) {
    warn({ filename: TABLE, message: 'No run of the export has a position, so local times count as UTC' })
  }
  for (const [k, row] of runs.entries()) yield await itemOf(source, row, { name: nameOf(row, k), zones })
  if (failure !== null) yield { filename: TABLE, error: failure }
  const files = new Set([table?.name, ...rows.map(({ entry }) => entry?.name)])
  yield* otherFiles(source, (name) => files.has(name))
}

async function tableBytes(source: TakeoutSource, table: ZipEntry | null): Promise<Uint8Array> {
  if (source.zip !== null && table !== null) return await source.zip.bytes(table, MOST_TABLE_BYTES)
  return await Bun.file(source.path).slice(0, MOST_TABLE_BYTES).bytes()
}

/** @throws FormatError at a row that is cut: in the last one, cells are missing */
function* rowsOf(bytes: Uint8Array): Generator<Omit<Row, 'entry'>> {
  let titles: readonly string[] | null = null
  let short: readonly string[] | null = null
  for (const cells of csvRows(csvText([bytes]), ',')) {
    if (titles === null) {
      titles = cells.map((title) => title.trim())
      continue
    }
    if (short !== null) yield rowOf(short, titles)
    short = cells.length < titles.length ? cells : null
    if (short === null) yield rowOf(cells, titles)
  }
  if (short !== null) throw new FormatError('The table is cut off in its last row')
}

function rowOf(cells: readonly string[], titles: readonly string[]): Omit<Row, 'entry'> {
  const text = (title: string) => cells[titles.indexOf(title)]?.trim() ?? ''
  const number = (title: string) => decimal(text(title))
  const elapsedS = amountOf(secondsOf(text('Duration')))
  return {
    id: cleanText(text('Activity Id'), ID_LENGTH),
    localMs: fileTime(text('Date')),
    type: text('Type'),
    notes: notesOf(text('Notes')),
    gpx: text('GPX File'),
    totals: {
      ...NO_TOTALS,
      elapsedS,
      timerS: elapsedS,
      distanceM: amountOf(number('Distance (km)'), 1000) ?? amountOf(number('Distance (mi)'), METRES_PER_MILE),
      caloriesKcal: kcalOf(number('Calories Burned')),
      elevGainM: amountOf(number('Climb (m)')) ?? amountOf(number('Climb (ft)'), METRES_PER_FOOT),
      avgHeartRateBpm: beatsOf(number('Average Heart Rate (bpm)')),
    },
  }
}

/** Seconds of `58:40` or `1:14:12`. */
function secondsOf(text: string): number {
  const parts = text.split(':').map(decimal)
  return parts.length < 2 || parts.length > 3 ? Number.NaN : parts.reduce((sum, part) => sum * 60 + part, 0)
}

function nameOf({ gpx, localMs, entry }: Row, place: number): string {
  if (entry !== null) return entry.name
  if (gpx !== '') return gpx
  return Number.isNaN(localMs)
    ? `${TABLE}, run ${place + 1}`
    : `${TABLE}, ${new Date(localMs).toISOString().slice(0, 16)}`
}

type Zones = (localMs: number) => Promise<string | null>

async function itemOf(
  source: TakeoutSource,
  { id, notes, totals, localMs, entry }: Row,
  { name, zones }: { readonly name: string; readonly zones: Zones },
): Promise<Item> {
  const external = id === null ? null : ({ origin: 'runkeeper', id } as const)
  const zone = entry === null && !Number.isNaN(localMs) ? await zones(localMs) : null
  const offset = zone === null ? null : localOffset(zone, localMs)
  const told = { ...NOTHING_TOLD, external, notes, utcOffsetMinutes: offset }
  const startedAtMs = localMs - (offset ?? 0) * 60_000
  return await rowItem(source, { name, entry, told, startedAtMs, totals, source: 'csv_import' })
}

/** Minutes ahead of UTC at a local time; in the hour that a change of the clock repeats, those of the first. */
function localOffset(zone: string, localMs: number): number {
  return utcOffsetMinutes(zone, localMs - utcOffsetMinutes(zone, localMs - HOUR_MS) * 60_000)
}

/** The zone of the run with a position that is nearest in time; null: there is none. Files are read when needed. */
function zonesOf(source: TakeoutSource, runs: readonly Row[]): Zones {
  let located = runs.filter(({ entry, localMs }) => entry !== null && !Number.isNaN(localMs))
  const known = new Map<Row, string>()
  return async (localMs) => {
    const away = (row: Row) => Math.abs(row.localMs - localMs)
    while (located.length > 0) {
      const row = located.reduce((best, other) => (away(other) < away(best) ? other : best))
      const zone = known.get(row) ?? zoneIn(await source.headOf(row.entry!, GPX_HEAD_BYTES))
      if (zone !== null) {
        known.set(row, zone)
        return zone
      }
      located = located.filter((other) => other !== row)
    }
    return null
  }
}

function zoneIn(head: Uint8Array): string | null {
  const point = /<trkpt\b[^>]*>/.exec(new TextDecoder().decode(head))?.[0] ?? ''
  const [lat, lon] = ['lat', 'lon'].map((name) => decimal(new RegExp(`\\b${name}="([^"]+)"`).exec(point)?.[1] ?? ''))
  return zoneAt(lat!, lon!)
}
