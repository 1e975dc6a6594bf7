import { expect, test } from 'bun:test'
import { fileTime, isoTime, isoTimeWriter, parseTimestamp } from '../../../src/engine/calendar/timestamp.ts'
import { seededRandom } from '../../fixtures/damage.ts'

test('times of files are those of Date.parse', () => {
  const random = seededRandom(5)
  for (let i = 0; i < 5000; i++) {
    const time = new Date(Date.UTC(1900, 0, 1) + (random() % 200_000) * 1e8 + (random() % 1e8)).toISOString()
    expect(fileTime(time)).toBe(Date.parse(time))
  }
  const cases: [string, string | null][] = [
    ['2010-04-02T10:26:48.524+02:00', '2010-04-02T08:26:48.524Z'],
    ['2021-01-07T21:51:59.179+01:15', '2021-01-07T20:36:59.179Z'],
    ['2020-08-16T10:06:00.150000Z', '2020-08-16T10:06:00.150Z'],
    ['2020-08-16T10:06:00.9999999-0330', '2020-08-16T13:36:00.999Z'],
    ['2020-08-16 10:06:00', '2020-08-16T10:06:00.000Z'],
    ['2020-08-16T10:06+02', '2020-08-16T08:06:00.000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['2024-02-29t00:00:00z', '2024-02-29T00:00:00.000Z'],
    ...[
      ...['2023-02-29T00:00:00Z', '1900-02-29T00:00:00Z', '2024-13-45T06:00:00Z', '2024-04-31T06:00:00Z'],
      ...['2024-01-01T24:00:00Z', '2024-01-01T10:60:00Z', '2024-01-01T10:00:00X', '2024-01-01T10:00:0', '2024-01-01'],
      ...['24-01-01T10:00:00Z', ''],
    ].map((text): [string, null] => [text, null]),
  ]
  for (const [text, iso] of cases) {
    const time = fileTime(text)
    expect([text, Number.isNaN(time) ? null : new Date(time).toISOString()]).toEqual([text, iso])
  }
})

test('times are written as Date writes them, without a fraction of zeros', () => {
  const random = seededRandom(7)
  const written = isoTimeWriter()
  for (let i = 0; i < 5000; i++) {
    const ms = Date.UTC(1900, 0, 1) + (random() % 200_000) * 1e8 + (random() % 3 === 0 ? 0 : random() % 1e8)
    const iso = (at: number) => new Date(at).toISOString().replace('.000Z', 'Z')
    expect([isoTime(ms), written(ms), isoTime(ms + 0.4)]).toEqual([iso(ms), iso(ms), iso(ms + 0.4)])
  }
  expect(isoTime(-1.5)).toBe('1969-12-31T23:59:59.999Z')
  expect(() => isoTime(Number.NaN)).toThrow(RangeError)
})

test.each<[text: string, wire: string | null, file: string | null]>([
  ['2016-12-31T23:59:60Z', null, '2017-01-01T00:00:00Z'],
  ['2024-05-01T06:00:00+15:00', null, '2024-04-30T15:00:00Z'],
  ['2024-05-01T06:00:00+14:00', '2024-04-30T16:00:00Z', '2024-04-30T16:00:00Z'],
  ['2024-05-01T06:00:00+02', null, '2024-05-01T04:00:00Z'],
  ['2024-05-01T06:00:00.Z', null, '2024-05-01T06:00:00Z'],
  ['2024-05-01T06:00:00 02:00', '2024-05-01T04:00:00Z', null],
  ['2024-05-01T06:00:00  02:00', '2024-05-01T04:00:00Z', null],
  ['2024-05-01T06:00:00\t02:00', null, null],
  ['2024-05-01T06:00:00 Z', '2024-05-01T06:00:00Z', null],
  ['2024-05-01T06:00:00\u00a0\t-02:00', '2024-05-01T08:00:00Z', null],
  ['\u00a02024-05-01T06:00Z\u00a0', '2024-05-01T06:00:00Z', null],
  ['2024-05-01\u00a006:00:00', null, null],
  ['0099-05-01T06:00:00Z', null, '0099-05-01T06:00:00Z'],
  ['0100-05-01T06:00:00Z', '0100-05-01T06:00:00Z', '0100-05-01T06:00:00Z'],
])('%j is %p on the wire and %p in a file', (text, wire, file) => {
  const written = (ms: number | null) => (ms === null || Number.isNaN(ms) ? null : isoTime(ms))
  expect([written(parseTimestamp(text)), written(fileTime(text))]).toEqual([wire, file])
})
