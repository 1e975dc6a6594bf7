import { expect, test } from 'bun:test'
import { calendarDayMs, decimal, decimalAt, isoTime } from '../../src/formats/text-values.ts'
import { seededRandom } from '../fixtures/damage.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

test('decimals out of bytes are the doubles that JavaScript reads', () => {
  const random = seededRandom(3)
  const digits = (n: number) => Array.from({ length: n }, () => random() % 10).join('')
  for (let i = 0; i < 20_000; i++) {
    const text = `${random() % 3 === 0 ? '-' : ''}${digits(1 + (random() % 12))}${random() % 4 === 0 ? '' : `.${digits(random() % 30)}`}`
    const bytes = bytesOf(` ${text}\n`)
    expect(decimalAt(bytes, 0, bytes.length)).toBe(Number(text))
  }
  for (const [text, value] of [
    ['1e3', 1000],
    ['+7', 7],
    ['.5', 0.5],
    ['1,5', 1.5],
    ['0', 0],
    ['-0', -0],
    ['5.', 5],
  ] as const) {
    expect(decimal(text)).toBe(value)
    expect(decimalAt(bytesOf(text), 0, text.length)).toBe(value)
  }
  for (const text of ['', ' ', '.', '-', 'NaN', 'Infinity', '1e999', '0x10', '1.2.3', '1,2,3', '12 34', '--1', 'é']) {
    expect(decimalAt(bytesOf(text), 0, bytesOf(text).length)).toBeNaN()
  }
})

test('times out of bytes are those of Date.parse', () => {
  const random = seededRandom(5)
  for (let i = 0; i < 5000; i++) {
    const time = new Date(Date.UTC(1900, 0, 1) + (random() % 200_000) * 1e8 + (random() % 1e8)).toISOString()
    expect(isoTime(time)).toBe(Date.parse(time))
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
    ['2023-02-29T00:00:00Z', null],
    ['1900-02-29T00:00:00Z', null],
    ['2024-13-45T06:00:00Z', null],
    ['2024-04-31T06:00:00Z', null],
    ['2024-01-01T24:00:00Z', null],
    ['2024-01-01T10:60:00Z', null],
    ['2024-01-01T10:00:00X', null],
    ['2024-01-01T10:00:0', null],
    ['2024-01-01', null],
    ['24-01-01T10:00:00Z', null],
    ['', null],
  ]
  for (const [text, iso] of cases) {
    const time = isoTime(text)
    expect([text, Number.isNaN(time) ? null : new Date(time).toISOString()]).toEqual([text, iso])
  }
})

test('the calendar agrees with Date.UTC from 1900 to 2100', () => {
  for (let ms = Date.UTC(1900, 0, 1); ms < Date.UTC(2100, 0, 1); ms += 86_400_000) {
    const date = new Date(ms)
    if (calendarDayMs(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()) !== ms)
      throw new Error(date.toISOString())
  }
})
