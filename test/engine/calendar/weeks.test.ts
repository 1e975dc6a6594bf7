import { describe, expect, test } from 'bun:test'
import {
  availablePeriods,
  isoDate,
  localDay,
  mondayOf,
  parseDay,
  periodLabel,
  weekdayOf,
  weekLabel,
  weekWindow,
  windowOf,
  yearBucketOf,
  yearBuckets,
  yearOf,
  yearPeriod,
  yearWindow,
} from '../../../src/engine/calendar/weeks.ts'

const DAY_MS = 86_400_000
const day = (date: string) => parseDay(date)!
const at = (timestamp: string) => Date.parse(timestamp)
const iso = (ms: number) => new Date(ms).toISOString()
const dates = ({ firstDay, lastDay }: { firstDay: number; lastDay: number }) =>
  `${isoDate(firstDay)}..${isoDate(lastDay)}`

describe('days', () => {
  test('agree with the calendar of the runtime from year 1 to 9999', () => {
    const last = day('9999-12-31')
    for (let n = day('0001-01-01'); n <= last; n += 13) {
      const date = new Date(n * DAY_MS)
      expect(isoDate(n)).toBe(date.toISOString().slice(0, 10))
      expect(parseDay(isoDate(n))).toBe(n)
      expect(weekdayOf(n)).toBe((date.getUTCDay() + 6) % 7)
    }
  })

  test('every day of 1896 to 2104 follows the one before', () => {
    for (let n = day('1896-01-01'); n < day('2104-12-31'); n += 1) {
      expect(isoDate(n)).toBe(new Date(n * DAY_MS).toISOString().slice(0, 10))
    }
  })

  for (const text of [
    '2025-02-29',
    '2100-02-29',
    '2025-04-31',
    '2025-13-01',
    '2025-00-10',
    '2025-01-00',
    '2025-1-1',
    '25-01-01',
    '2025-01-01T00:00:00Z',
    ' 2025-01-01',
    '2025-01-01\n',
    '0000-01-01',
    '+2025-01-01',
    '２０２５-01-01',
    '',
  ]) {
    test(`${JSON.stringify(text)} is no date`, () => {
      expect(parseDay(text)).toBeNull()
    })
  }

  test('29 February exists in 2000 and 2024', () => {
    expect(isoDate(day('2000-02-29') + 1)).toBe('2000-03-01')
    expect(isoDate(day('2024-02-29') - 1)).toBe('2024-02-28')
  })

  test('years beyond four digits and before 0 still have a form', () => {
    expect(isoDate(day('9999-12-31') + 1)).toBe('10000-01-01')
    expect(isoDate(day('0001-01-01') - 1)).toBe('0000-12-31')
    expect(isoDate(day('0001-01-01') - 367)).toBe('-0001-12-31')
  })

  test('a local day begins at its own midnight', () => {
    expect(isoDate(localDay(at('2026-03-10T03:30:00Z'), -300))).toBe('2026-03-09')
    expect(isoDate(localDay(at('2026-03-08T23:30:00Z'), 330))).toBe('2026-03-09')
    expect(isoDate(localDay(at('1969-12-31T23:59:59.999Z'), 0))).toBe('1969-12-31')
    expect(iso(windowOf({ firstDay: day('2026-03-09'), lastDay: day('2026-03-09') }, -300).startMs)).toBe(
      '2026-03-09T05:00:00.000Z',
    )
  })
})

describe('weeks', () => {
  for (const [now, offset, firstDate, lastDate, startsAt] of [
    ['2026-03-10T03:30:00Z', -300, '2026-03-09', '2026-03-15', '2026-03-09T05:00:00.000Z'],
    ['2026-03-09T03:30:00Z', -300, '2026-03-02', '2026-03-08', '2026-03-02T05:00:00.000Z'],
    ['2026-03-08T23:30:00Z', 330, '2026-03-09', '2026-03-15', '2026-03-08T18:30:00.000Z'],
    ['2026-01-01T00:00:00Z', 0, '2025-12-29', '2026-01-04', '2025-12-29T00:00:00.000Z'],
    ['2026-02-15T12:00:00-08:00', -480, '2026-02-09', '2026-02-15', '2026-02-09T08:00:00.000Z'],
  ] as const) {
    test(`at ${now} and ${offset} minutes the week is ${firstDate} to ${lastDate}`, () => {
      const week = weekWindow(localDay(at(now), offset), offset)
      expect(dates(week)).toBe(`${firstDate}..${lastDate}`)
      expect(iso(week.startMs)).toBe(startsAt)
      expect(week.endMs - week.startMs).toBe(7 * DAY_MS)
    })
  }

  test('the window is half-open: its last millisecond is 04:59:59.999', () => {
    const week = weekWindow(localDay(at('2026-03-10T03:30:00Z'), -300), -300)
    expect(iso(week.endMs - 1)).toBe('2026-03-16T04:59:59.999Z')
  })

  test('a Monday begins its own week and a Sunday ends it', () => {
    expect(isoDate(mondayOf(day('2025-11-17')))).toBe('2025-11-17')
    expect(isoDate(mondayOf(day('2025-11-23')))).toBe('2025-11-17')
    expect(isoDate(mondayOf(day('1969-12-28')))).toBe('1969-12-22')
  })

  test('labels are English', () => {
    expect(weekLabel(weekWindow(day('2025-11-20'), 0))).toBe('Nov 17 - Nov 23')
    expect(weekLabel(weekWindow(day('2025-10-01'), 0))).toBe('Sep 29 - Oct 5')
    expect(periodLabel(yearPeriod(day('2025-11-20')))).toBe('Nov 21, 2024 - Nov 20, 2025')
  })
})

describe('years', () => {
  test('a run on New Year’s Eve at 23:59:59.999 local counts in its year', () => {
    const year = yearWindow(2025, -300)
    const run = at('2026-01-01T04:59:59.999Z')
    expect(run >= year.startMs && run < year.endMs).toBe(true)
    expect(yearOf(localDay(run, -300))).toBe(2025)
    expect(iso(year.endMs)).toBe('2026-01-01T05:00:00.000Z')
    expect(dates(year)).toBe('2025-01-01..2025-12-31')
  })

  test('a period is one year long, and a year before 29 February is 28 February', () => {
    expect(dates(yearPeriod(day('2025-11-20')))).toBe('2024-11-21..2025-11-20')
    expect(dates(yearPeriod(day('2024-02-29')))).toBe('2023-03-01..2024-02-29')
    expect(dates(yearPeriod(day('2025-02-28')))).toBe('2024-02-29..2025-02-28')
    expect(dates(yearPeriod(day('2024-12-31')))).toBe('2024-01-01..2024-12-31')
  })

  test('periods go back to the one with the first workout', () => {
    expect(availablePeriods(day('2025-11-18'), day('2022-05-01')).map(dates)).toEqual([
      '2024-11-19..2025-11-18',
      '2023-11-19..2024-11-18',
      '2022-11-19..2023-11-18',
      '2021-11-19..2022-11-18',
    ])
    const lengths = availablePeriods(day('2025-11-18'), day('2022-05-01')).map((p) => p.lastDay - p.firstDay + 1)
    expect(lengths).toEqual([365, 366, 365, 365])
    expect(availablePeriods(day('2024-02-29'), day('2022-12-01')).map(dates)).toEqual([
      '2023-03-01..2024-02-29',
      '2022-03-01..2023-02-28',
    ])
  })

  test('the first workout on the first day of a period ends there', () => {
    expect(availablePeriods(day('2025-11-18'), day('2024-11-19')).length).toBe(1)
    expect(availablePeriods(day('2025-11-18'), day('2024-11-18')).length).toBe(2)
  })

  test('never more than 20, and one without workouts or with a future one', () => {
    expect(availablePeriods(day('2025-11-18'), day('1950-01-01')).length).toBe(20)
    expect(availablePeriods(day('2025-11-18'), null).length).toBe(1)
    expect(availablePeriods(day('2025-11-18'), day('2030-01-01')).length).toBe(1)
  })
})

describe('the 52 buckets', () => {
  test('of 365 days: 0-6, 7-13, …, 357-364', () => {
    const period = yearPeriod(day('2025-11-20'))
    const buckets = yearBuckets(period).map((b) => [b.firstDay - period.firstDay, b.lastDay - period.firstDay])
    expect(buckets.length).toBe(52)
    expect([buckets[0], buckets[1], buckets[51]]).toEqual([
      [0, 6],
      [7, 13],
      [357, 364],
    ])
    const bucket = (i: number) => yearBucketOf(period.firstDay + i, period)
    expect([6, 7, 364].map(bucket)).toEqual([0, 1, 51])
  })

  for (const end of ['2025-11-20', '2024-11-20', '2024-02-29', '2025-02-28']) {
    test(`every day of the year to ${end} is in the bucket whose dates contain it, and in no other`, () => {
      const period = yearPeriod(day(end))
      const buckets = yearBuckets(period)
      let expectedDay = period.firstDay
      for (const [k, bucket] of buckets.entries()) {
        expect(bucket.firstDay).toBe(expectedDay)
        for (; expectedDay <= bucket.lastDay; expectedDay += 1) expect(yearBucketOf(expectedDay, period)).toBe(k)
      }
      expect(expectedDay).toBe(period.lastDay + 1)
      const eights = buckets.filter((b) => b.lastDay - b.firstDay + 1 === 8).length
      expect(eights).toBe(period.lastDay - period.firstDay + 1 - 364)
    })
  }

  test('days outside the period are in none', () => {
    const period = yearPeriod(day('2025-11-20'))
    expect(yearBucketOf(period.firstDay - 1, period)).toBeNull()
    expect(yearBucketOf(period.lastDay + 1, period)).toBeNull()
  })
})
