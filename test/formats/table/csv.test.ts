import { expect, test } from 'bun:test'
import type { Column } from '../../../src/engine/track.ts'
import { FormatError } from '../../../src/formats/format.ts'
import { csvFormat } from '../../../src/formats/table/csv.ts'
import { csvRows } from '../../../src/formats/table/reader.ts'
import { csvFile } from '../../fixtures/csv.ts'

const START = Date.UTC(2024, 4, 1, 6)
const bytesOf = (text: string) => new TextEncoder().encode(text)
const parse = (bytes: Uint8Array) => csvFormat.parse(bytes, { filename: 'run.csv' })
const recordingOf = (bytes: Uint8Array) => parse(bytes).activities[0]!.recording!

type Separator = ',' | ';' | '\t'

test.each<[what: string, text: string, ...rows: string[]]>([
  ['plain rows', 'a,b\n1,2\n', 'a|b', '1|2'],
  ['CRLF, CR and no end of line', 'a,b\r\n1,2\r3,4', 'a|b', '1|2', '3|4'],
  ['quotes, separators and line breaks in a field', '"a ""x"", b","c\r\nd"\n1,2\n', 'a "x", b|c\r\nd', '1|2'],
  ['empty fields', ',\n"",x,\n', '|', '|x|'],
  ['blank lines', '\na\n\n\nb\n\n', 'a', 'b'],
  ['rows of different length', 'a\n1,2,3\n', 'a', '1|2|3'],
  ['a quote inside an unquoted field', 'a"b,c\n', 'a"b|c'],
  ['text behind a closing quote', '"a"x,b\n', 'ax|b'],
  ['an empty file', ''],
])('RFC 4180: %s, by letters and all at once', (_, text, ...rows) => {
  for (const pieces of [text, [text]]) expect([...csvRows(pieces, ',')].map((row) => row.join('|'))).toEqual(rows)
})

test('header names ignore case, blanks, underscores and a unit in brackets, and say kilometres', () => {
  const names = ['latDeg', 'lonDeg', 'elevM', 'heartRateBpm', 'cadenceRpm', 'powerW', 'temperatureC'] as const
  const long = ['LATITUDE', 'Long', 'Altitude (m)', 'Heart_Rate [bpm]', 'Cadence (rpm)', 'Watts', 'Temp (°C)']
  const cases: [
    header: string[],
    cells: (string | number)[],
    columns: readonly Column[],
    values: (number | undefined)[],
    Separator?,
  ][] = [
    [long, [47.1, 8.2, 400, 150, 85, 250, 18], names, [47.1, 8.2, 400, 150, 85, 250, 18]],
    [
      ['Distance (km)', 'Speed [km/h]'],
      [1.5, 10.8],
      ['distanceM', 'speedMps'],
      [1500, expect.closeTo(3, 12)],
    ],
    [['distance_km', 'speed_kmh'], [1.5, 10.8], ['distanceM'], [1500]],
    [['distance', 'speed'], [1500, 3], ['distanceM'], [1500]],
    [['distance (m)', 'speed (m/s)'], [1500, 3], ['speedMps'], [3]],
    [['lat', 'lon'], ['47,5', '8,25'], ['lonDeg'], [8.25], ';'],
    [['lat', 'lon'], ['47.5', '8.25'], ['latDeg'], [47.5], '\t'],
  ]
  for (const [titles, cells, columns, values, separator = ','] of cases) {
    const rows = [0, 1].map((s) => [`2024-05-01T06:00:0${s}Z`, ...cells])
    const recording = recordingOf(csvFile({ header: ['Time_Stamp', ...titles], rows, separator }))
    expect(columns.map((name) => recording[name][0])).toEqual(values)
  }
})

test('times are ISO, Unix seconds, Unix milliseconds, or a date and a clock', () => {
  const cases: [header: string[], first: (string | number)[], second: (string | number)[]][] = [
    [['time'], ['2024-05-01T08:00:00+02:00'], ['2024-05-01 06:00:10']],
    [['timestamp'], [START / 1000], [START / 1000 + 10]],
    [['datetime'], [START], [START + 10_000]],
    [
      ['date', 'time'],
      ['2024-05-01', '06:00:00'],
      ['2024-05-01', '06:00:10.000'],
    ],
  ]
  for (const [header, ...times] of cases) {
    const rows = times.map((cells, i) => [...cells, i * 30])
    const recording = recordingOf(csvFile({ header: [...header, 'distance'], rows }))
    expect([...recording.timeMs]).toEqual([START, START + 10_000])
  }
})

test('distance alone is enough; rows without a time, with one that no date holds or without a value are dropped', () => {
  const rows = [
    ['2024-05-01T06:00:00Z', 0],
    ['', 10],
    ['9999999999999999999999', 30],
    ['2024-05-01T06:00:10Z', ''],
    ['2024-05-01T06:00:20Z', 60],
  ]
  const bytes = csvFile({ header: ['time', 'distance'], rows, byteOrderMark: true, newline: '\r\n' })
  expect([...recordingOf(bytes).distanceM]).toEqual([0, 60])
  const raw = parse(bytes).activities[0]!.rawGpxData?.() as { trackPoints: object[] }
  expect(raw.trackPoints.slice(0, 3)).toEqual([{ time: '2024-05-01T06:00:00Z' }, {}, {}])
})

test('what is not a table of samples is refused with a sentence', () => {
  const cases: [string, string][] = [
    ['a,b\n1,2\n', 'CSV has no time column'],
    ['time,hr\n2024-05-01T06:00:00Z,120\n', 'CSV has neither latitude and longitude nor a distance column'],
    ['time,lat\n2024-05-01T06:00:00Z,47\n', 'CSV has neither latitude and longitude nor a distance column'],
    ['time,lat,lon\n', 'CSV has no rows with a time and a position or distance'],
    ['time,lat,lon\nnever,47,8\n', 'CSV has no rows with a time and a position or distance'],
    ['time,lat,lon\n2024-05-01T06:00:00Z,47,8\n', 'CSV has only one row with a time and a position or distance'],
    ['time,lat,lon\n"2024-05-01T06:00:00Z,47,8\n', 'The CSV is cut off or damaged: a quote is not closed'],
  ]
  for (const [text, message] of cases) expect(() => parse(bytesOf(text))).toThrow(new FormatError(message))
})
