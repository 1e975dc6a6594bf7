import { fileTime } from '../../engine/calendar/timestamp.ts'
import { METRES_PER_FOOT, METRES_PER_MILE } from '../../engine/units.ts'
import { type Activity, type Format, FormatError, type ParsedFile, UNSAID } from '../format.ts'
import { rawTrack } from '../raw-track.ts'
import { stravaActivities } from '../strava/lone-table.ts'
import { stravaSeparator } from '../strava/rows.ts'
import { decimal } from '../text-values.ts'
import { type PointColumn, PointTable } from './points.ts'
import { csvRows, csvText, firstRow, SEPARATORS, type Separator } from './reader.ts'

/** A table with a sample per row, or Strava's activities.csv alone (docs/api.md 7.2), known by their extension. */
export const csvFormat: Format = {
  type: 'csv',
  name: 'CSV',
  extensions: ['csv', 'tsv', 'txt'],
  detect: (head, filename) => /\.(?:csv|tsv|txt)(?:\.gz)?$/i.test(filename) && looksLikeTable(head),
  parse: parseCsv,
}

type Column = Exclude<PointColumn, 'segment'>

/** Column titles without case, blanks, underscores and unit. */
const NAMES: readonly (readonly [field: Column, names: string])[] = [
  ['timeMs', 'time timestamp datetime date'],
  ['latDeg', 'lat latitude'],
  ['lonDeg', 'lon lng long longitude'],
  ['elevM', 'ele elevation altitude alt'],
  ['distanceM', 'distance'],
  ['heartRateBpm', 'hr heartrate bpm'],
  ['cadence', 'cad cadence'],
  ['powerW', 'power watts'],
  ['speedMps', 'speed'],
  ['temperatureC', 'temp temperature'],
]

/** Units that a title may name other than the column's SI unit, with their factor. */
const FACTORS: readonly (readonly [factor: number, units: string])[] = [
  [1000, 'km kilometers kilometres'],
  [METRES_PER_MILE, 'mi miles'],
  [METRES_PER_FOOT, 'ft feet'],
  [1 / 3.6, 'km/h kmh kph'],
  [0.44704, 'mph'],
]

interface TableColumn {
  readonly index: number
  readonly field: Column
  readonly factor: number
  readonly fahrenheit: boolean
}

function parseCsv(bytes: Uint8Array): ParsedFile {
  if (stravaSeparator([bytes]) !== null) return stravaActivities([bytes])
  return { type: 'csv', activities: [sampleActivity(bytes)], skippedOther: 0 }
}

/** @throws FormatError when columns are missing or fewer than two rows can be used */
function sampleActivity(bytes: Uint8Array): Activity {
  const { separator, columns } = tableLayout(bytes)
  const has = (field: Column) => columns.some((column) => column.field === field)
  if (!has('timeMs')) throw new FormatError('CSV has no time column', { problem: 'noRun' })
  if (!(has('latDeg') && has('lonDeg')) && !has('distanceM')) {
    throw new FormatError('CSV has neither latitude and longitude nor a distance column')
  }
  const points = readPoints(bytes, separator, columns)
  const distanceM = points.column('distanceM')
  const rows = points.rowsWhere((row) => points.hasTime(row) && (points.hasPosition(row) || distanceM[row]! >= 0))
  if (rows.length === 0) throw new FormatError('CSV has no rows with a time and a position or distance')
  if (rows.length === 1) throw new FormatError('CSV has only one row with a time and a position or distance')
  return {
    ...UNSAID,
    startedAtMs: points.firstTimeMs(rows),
    recording: points.recording(rows, { elevationSource: 'unknown', indoor: false, hasSegments: false }),
    source: 'csv_import',
    rawGpxData: () => rawTrack(points, { metadata: {}, source: 'csv_import' }),
  }
}

/** Chooses the separator that gives the most known column titles. */
function tableLayout(bytes: Uint8Array): { readonly separator: Separator; readonly columns: readonly TableColumn[] } {
  const layouts = SEPARATORS.map((separator) => {
    const header = firstRow(csvText([bytes]), separator) ?? []
    return { separator, columns: header.flatMap(tableColumn) }
  })
  return layouts.reduce((best, layout) => (layout.columns.length > best.columns.length ? layout : best))
}

/** Parses `Distance (km)`, `distance_km`, `heart_rate [bpm]` and the like; empty for an unknown title. */
function tableColumn(title: string, index: number): TableColumn[] {
  // a comment mark before the first title is no part of it
  const lower = title.trim().replace(/^#\s*/, '').toLowerCase()
  const bracketed = /^(.*?)[([]([^)\]]*)[)\]]$/.exec(lower)
  const suffixed = /^(.*[a-z])[\s_]+(km|mi|ft|km\/h|kmh|kph|mph|m|mps|m\/s|bpm|w|rpm|spm|c|f|deg|s|ms|utc)$/.exec(lower)
  for (const [name, unit] of [
    [bracketed?.[1], bracketed?.[2]],
    [lower, ''],
    [suffixed?.[1], suffixed?.[2]],
  ]) {
    const field = listed(NAMES, (name ?? '').replace(/[\s_-]/g, ''))
    if (field === undefined) continue
    const plainUnit = (unit ?? '').replace(/[\s.°]/g, '')
    const fahrenheit = field === 'temperatureC' && (plainUnit === 'f' || plainUnit === 'fahrenheit')
    return [{ index, field, factor: listed(FACTORS, plainUnit) ?? 1, fahrenheit }]
  }
  return []
}

function listed<T>(table: readonly (readonly [T, words: string])[], word: string): T | undefined {
  return table.find(([, words]) => words.split(' ').includes(word))?.[0]
}

function readPoints(bytes: Uint8Array, separator: Separator, columns: readonly TableColumn[]): PointTable {
  const points = new PointTable()
  const times = columns.filter(({ field }) => field === 'timeMs')
  const others = columns.filter(({ field }) => field !== 'timeMs')
  for (const cells of csvRows(csvText([bytes]), separator).drop(1)) {
    points.next.timeMs = rowTimeMs(times.map(({ index }) => cells[index] ?? ''))
    for (const { index, field, factor, fahrenheit } of others) {
      const value = decimal(cells[index] ?? '')
      if (!Number.isNaN(value)) points.next[field] = fahrenheit ? ((value - 32) * 5) / 9 : value * factor
    }
    points.add()
  }
  return points
}

/** The first cell that is a complete time; else a date and a clock time from two columns. */
function rowTimeMs(cells: readonly string[]): number {
  for (const cell of cells) {
    const time = timeMs(cell)
    if (!Number.isNaN(time)) return time
  }
  const date = cells.find((cell) => /^\s*\d{4}-\d\d-\d\d\s*$/.test(cell))?.trim()
  const clock = cells.find((cell) => /^\s*\d\d:\d\d/.test(cell))?.trim()
  return date === undefined || clock === undefined ? Number.NaN : fileTime(`${date}T${clock}`)
}

/** ISO, or Unix seconds; from 10^11 on milliseconds, since as seconds that would be the year 5138. */
function timeMs(cell: string): number {
  const time = fileTime(cell)
  if (!Number.isNaN(time)) return time
  const number = decimal(cell)
  return Math.abs(number) >= 1e11 ? Math.floor(number) : Math.floor(number * 1000)
}

/** Whether it is text without zero bytes (unless UTF-16), and neither markup nor JSON. */
function looksLikeTable(head: Uint8Array): boolean {
  const isUtf16 = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)
  if (head.length === 0 || (!isUtf16 && head.includes(0))) return false
  const [text = ''] = csvText([head.subarray(0, 4096)])
  const start = text.trimStart()
  return start !== '' && !/^[<{]/.test(start) && !start.startsWith('PK\u0003\u0004') && !start.startsWith('\u001f')
}
