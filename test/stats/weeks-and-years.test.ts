import { beforeAll, describe, expect, test } from 'bun:test'
import { statsRoutes } from '../../src/stats/routes.ts'
import { addWorkout, type FeatureApp, featureApp } from '../fixtures/feature-app.ts'
import { OFFSETS, type Run, runId, seededLibrary, storeRuns } from './library.ts'

// What is compared with is computed here from the words of docs/api.md 6, day by day, with nothing of the engine.

const MILE_M = 1609.344
const DAY_MS = 86_400_000
const NOWS = [
  '2024-02-29T12:00:00Z',
  '2024-03-03T23:59:59.999Z',
  '2024-03-04T00:00:00Z',
  '2024-12-31T10:15:00Z',
  '2025-01-01T00:00:00Z',
  '2025-03-01T03:30:00Z',
]
const FRAMES = NOWS.flatMap((now) => OFFSETS.map((offset): [string, number] => [now, offset]))

const runs = seededLibrary()
let app: FeatureApp
beforeAll(() => {
  app = featureApp(statsRoutes)
  storeRuns(app.deps, runs)
})

async function ask<T>(path: string, nowIso: string): Promise<T> {
  app.setNow(Date.parse(nowIso))
  const { status, body } = await app.ask('GET', path)
  expect(status).toBe(200)
  return body as T
}

function localDate(ms: number, offset: number): string {
  return new Date(ms + offset * 60_000).toISOString().slice(0, 10)
}

function shifted(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

function monday(date: string): string {
  const sundayFirst = new Date(`${date}T00:00:00Z`).getUTCDay()
  return shifted(date, sundayFirst === 0 ? -6 : 1 - sundayFirst)
}

function runsOn(date: string, offset: number, among: readonly Run[] = runs): Run[] {
  return among.filter(({ startedAtMs }) => localDate(startedAtMs, offset) === date)
}

function runsOfWeek(firstDate: string, offset: number, among: readonly Run[] = runs): Run[] {
  return [0, 1, 2, 3, 4, 5, 6].flatMap((day) => runsOn(shifted(firstDate, day), offset, among))
}

function sum(values: readonly (number | null)[]): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0)
}

function expectNumbers(found: readonly number[], wanted: readonly number[]): void {
  expect(found).toHaveLength(wanted.length)
  for (const [i, value] of wanted.entries()) expect(found[i]!).toBeCloseTo(value, 6)
}

test('the library has runs at every border it is made for', () => {
  expect(runs).toHaveLength(2000)
  for (const offset of OFFSETS) {
    expect(runs.some(({ startedAtMs }) => startedAtMs + offset * 60_000 === Date.parse('2024-03-04T00:00:00Z'))).toBe(
      true,
    )
    expect(
      runs.some(({ startedAtMs }) => startedAtMs + offset * 60_000 === Date.parse('2024-12-31T00:00:00Z') - 1),
    ).toBe(true)
  }
})

describe('GET /stats/weekly', () => {
  test.each(FRAMES)('at %s with the offset %d every mile is in its day', async (now, offset) => {
    const found = await ask<Record<string, never> & { dailyMiles: number[]; previousWeekDailyMiles: number[] }>(
      `/stats/weekly?timezoneOffsetMinutes=${offset}`,
      now,
    )
    const first = monday(localDate(Date.parse(now), offset))
    const milesOf = (start: string) =>
      [0, 1, 2, 3, 4, 5, 6].map((day) => sum(runsOn(shifted(start, day), offset).map((run) => run.distanceM)) / MILE_M)
    expectNumbers(found.dailyMiles, milesOf(first))
    expectNumbers(found.previousWeekDailyMiles, milesOf(shifted(first, -7)))
    expect(found).toMatchObject({
      weekStart: first,
      weekEnd: shifted(first, 6),
      previousWeekStart: shifted(first, -7),
      previousWeekEnd: shifted(first, -1),
    })
  })

  test('has the labels and the snake-case keys of later clients', async () => {
    const found = await ask<Record<string, unknown>>('/stats/weekly', '2025-11-20T13:05:11Z')
    expect(found).toEqual({
      weekStart: '2025-11-17',
      weekEnd: '2025-11-23',
      dailyMiles: expect.any(Array),
      currentWeekLabel: 'Nov 17 - Nov 23',
      previousWeekStart: '2025-11-10',
      previousWeekEnd: '2025-11-16',
      previousWeekDailyMiles: expect.any(Array),
      previousWeekLabel: 'Nov 10 - Nov 16',
      current_week_label: 'Nov 17 - Nov 23',
      previous_week_start: '2025-11-10',
      previous_week_end: '2025-11-16',
      previous_week_daily_miles: found.previousWeekDailyMiles,
      previous_week_label: 'Nov 10 - Nov 16',
    })
  })

  test('miles are not rounded', async () => {
    const small = featureApp(statsRoutes)
    addWorkout(small.deps, { id: runId(1), startedAt: Date.parse('2025-06-19T06:00:00Z'), distanceM: 5000 })
    const { body } = await small.ask('GET', '/stats/weekly')
    expect((body as { dailyMiles: number[] }).dailyMiles).toEqual([0, 0, 0, 5000 / 1609.344, 0, 0, 0])
  })
})

describe('GET /stats/relative-effort', () => {
  test.each(FRAMES)('at %s with the offset %d', async (now, offset) => {
    const found = await ask<unknown>(`/stats/relative-effort?timezoneOffsetMinutes=${offset}`, now)
    const first = monday(localDate(Date.parse(now), offset))
    const effortOf = (among: readonly Run[]) => sum(among.map((run) => run.relativeEffort))
    const daily = [0, 1, 2, 3, 4, 5, 6].map((day) => effortOf(runsOn(shifted(first, day), offset)))
    const currentWeek = daily.map((_, day) => sum(daily.slice(0, day + 1)))
    const previousWeeks = [-7, -14, -21].map((days) => effortOf(runsOfWeek(shifted(first, days), offset)))
    expect(found).toEqual({
      weekStart: first,
      weekEnd: shifted(first, 6),
      currentWeek,
      previousWeeks,
      threeWeekAverage: Math.round((sum(previousWeeks) * 10) / 3) / 10,
      rangeMin: Math.min(...previousWeeks),
      rangeMax: Math.max(...previousWeeks),
      currentWeekTotal: currentWeek[6]!,
    })
  })

  test('days to come repeat the last total and the average divides by three', async () => {
    const small = featureApp(statsRoutes)
    const add = (n: number, date: string, relativeEffort: number | null) =>
      addWorkout(small.deps, { id: runId(n), startedAt: Date.parse(`${date}T06:00:00Z`), relativeEffort })
    add(1, '2025-11-17', 40)
    add(2, '2025-11-19', 55)
    add(3, '2025-11-19', null)
    add(4, '2025-11-12', 210)
    add(5, '2025-11-05', 180)
    small.setNow(Date.parse('2025-11-20T13:05:11Z'))
    expect((await small.ask('GET', '/stats/relative-effort')).body).toEqual({
      weekStart: '2025-11-17',
      weekEnd: '2025-11-23',
      currentWeek: [40, 40, 95, 95, 95, 95, 95],
      previousWeeks: [210, 180, 0],
      threeWeekAverage: 130,
      rangeMin: 0,
      rangeMax: 210,
      currentWeekTotal: 95,
    })
  })
})

interface Metric {
  readonly current: number
  readonly previous: number
  readonly trailingAvg: number
  readonly deltaVsPrevious: number
}
interface Recap {
  readonly currentWeekIsPartial: boolean
  readonly metrics: Record<string, Metric>
}

function easyHeartRate(week: readonly Run[]): number | null {
  const easy = week.filter((run) => run.runType === 'Easy Run' && run.avgHeartRateBpm !== null && run.durationS > 0)
  if (easy.length === 0) return null
  const seconds = sum(easy.map((run) => run.durationS))
  return Math.round((10 * sum(easy.map((run) => run.avgHeartRateBpm! * run.durationS))) / seconds) / 10
}

describe('GET /stats/weekly-recap', () => {
  const asked = FRAMES.flatMap(([now, offset]) =>
    [undefined, '2024-02-29', '2024-12-30', '2025-03-02', '2026-07-01'].map(
      (date): [string, number, string | undefined] => [now, offset, date],
    ),
  )
  test.each(asked)('at %s with the offset %d for the week of %p', async (now, offset, date) => {
    const query = date === undefined ? '' : `&referenceDate=${date}`
    const found = await ask<Recap>(`/stats/weekly-recap?timezoneOffsetMinutes=${offset}${query}`, now)
    const nowMs = Date.parse(now)
    const today = localDate(nowMs, offset)
    const first = monday(date ?? today)
    const begun = runs.filter(({ startedAtMs }) => startedAtMs <= nowMs)
    const current = runsOfWeek(first, offset, begun)
    const earlier = [-7, -14, -21].map((days) => runsOfWeek(shifted(first, days), offset))
    const values: Record<string, (week: readonly Run[]) => number> = {
      runs: (week) => week.length,
      distanceM: (week) => sum(week.map((run) => run.distanceM)),
      durationS: (week) => sum(week.map((run) => run.durationS)),
      elevationGainM: (week) => sum(week.map((run) => run.elevGainM)),
      relativeEffortSum: (week) => sum(week.map((run) => run.relativeEffort)),
    }
    for (const [name, value] of Object.entries(values)) {
      const { current: sumNow, previous, trailingAvg, deltaVsPrevious } = found.metrics[name]!
      expectNumbers(
        [sumNow, previous, deltaVsPrevious],
        [value(current), value(earlier[0]!), value(current) - value(earlier[0]!)],
      )
      // two decimals: no further than half a hundredth from the mean
      expect(Math.abs(trailingAvg - sum(earlier.map(value)) / 3)).toBeLessThanOrEqual(0.005000001)
      expect(trailingAvg).toBe(Number(trailingAvg.toFixed(2)))
    }
    const rates = earlier.map(easyHeartRate)
    const known = rates.filter((rate) => rate !== null)
    const rateNow = easyHeartRate(current)
    expect(found.metrics.easyRunAvgHeartRateBpm as unknown).toEqual({
      current: rateNow,
      previous: rates[0]!,
      trailingAvg: known.length === 0 ? null : Math.round((10 * sum(known)) / known.length + 1e-6) / 10,
      deltaVsPrevious: rateNow === null || rates[0] === null ? null : Number((rateNow - rates[0]!).toFixed(1)),
    })
    expect(found.currentWeekIsPartial).toBe(monday(today) === first)
    expect(found).toMatchObject({
      weekStart: first,
      weekEnd: shifted(first, 6),
      referenceDate: date ?? today,
      timezoneOffsetMinutes: offset,
      generatedAtUtc: now,
    })
  })

  test('the example of the contract, and null for an offset that was not sent', async () => {
    const small = featureApp(statsRoutes)
    const add = (n: number, start: string, values: Partial<Run> = {}) =>
      addWorkout(small.deps, { id: runId(n), startedAt: Date.parse(start), distanceM: 0.1, durationS: 1200, ...values })
    const easy = { runType: 'Easy Run' as const }
    add(1, '2025-11-17T06:00:00Z', { ...easy, avgHeartRateBpm: 141 })
    add(2, '2025-11-18T06:00:00Z', { ...easy, avgHeartRateBpm: 144, durationS: 923 })
    add(3, '2025-11-20T13:05:11.123Z')
    add(4, '2025-11-20T13:05:11.124Z')
    add(5, '2025-11-12T06:00:00Z', { ...easy, avgHeartRateBpm: 144 })
    add(6, '2025-11-13T06:00:00Z', { ...easy, avgHeartRateBpm: 190, durationS: 0 })
    add(7, '2025-11-14T06:00:00Z', { ...easy })
    add(8, '2025-11-15T06:00:00Z', { runType: 'Race', avgHeartRateBpm: 190 })
    add(9, '2025-10-30T06:00:00Z', { ...easy, avgHeartRateBpm: 143 })
    small.setNow(Date.parse('2025-11-20T13:05:11.123Z'))
    const { body } = await small.ask('GET', '/stats/weekly-recap')
    expect(body).toEqual({
      weekStart: '2025-11-17',
      weekEnd: '2025-11-23',
      referenceDate: '2025-11-20',
      timezoneOffsetMinutes: null,
      currentWeekIsPartial: true,
      generatedAtUtc: '2025-11-20T13:05:11.123Z',
      metrics: {
        runs: { current: 3, previous: 4, trailingAvg: 1.67, deltaVsPrevious: -1 },
        // 3 x 0.1 is 0.30000000000000004 in binary, and 0.3 - 0.4 is -0.10000000000000003
        distanceM: { current: 0.3, previous: 0.4, trailingAvg: 0.17, deltaVsPrevious: -0.1 },
        durationS: { current: 3323, previous: 3600, trailingAvg: 1600, deltaVsPrevious: -277 },
        elevationGainM: { current: 0, previous: 0, trailingAvg: 0, deltaVsPrevious: 0 },
        relativeEffortSum: { current: 0, previous: 0, trailingAvg: 0, deltaVsPrevious: 0 },
        // (141 x 1200 + 144 x 923) / 2123 = 142.304; the week between has no value and the mean is of two
        easyRunAvgHeartRateBpm: { current: 142.3, previous: 144, trailingAvg: 143.5, deltaVsPrevious: -1.7 },
      },
    })
  })

  test('a future week is empty even when runs are dated to it, and not partial', async () => {
    const small = featureApp(statsRoutes)
    addWorkout(small.deps, { id: runId(1), startedAt: Date.parse('2025-06-25T06:00:00Z') })
    const { body } = await small.ask('GET', '/stats/weekly-recap?referenceDate=2025-06-25')
    const { metrics, currentWeekIsPartial } = body as Recap
    expect(currentWeekIsPartial).toBe(false)
    expect(metrics.runs).toEqual({ current: 0, previous: 0, trailingAvg: 0, deltaVsPrevious: 0 })
    expect(metrics.easyRunAvgHeartRateBpm as unknown).toEqual({
      current: null,
      previous: null,
      trailingAvg: null,
      deltaVsPrevious: null,
    })
  })
})

describe('GET /stats/yearly', () => {
  test.each(FRAMES)('at %s with the offset %d', async (now, offset) => {
    const found = await ask<Record<string, number>>(`/stats/yearly?timezoneOffsetMinutes=${offset}`, now)
    const year = Number(localDate(Date.parse(now), offset).slice(0, 4))
    const milesOf = (wanted: number) =>
      sum(
        runs.filter((run) => localDate(run.startedAtMs, offset).startsWith(`${wanted}-`)).map((run) => run.distanceM),
      ) / MILE_M
    expectNumbers([found.currentYear!, found.previousYear!], [milesOf(year), milesOf(year - 1)])
    expect(found).toMatchObject({ currentYearLabel: String(year), previousYearLabel: String(year - 1) })
  })

  test('a run on New Years Eve at 23:59:59.999 local counts in its year', async () => {
    for (const offset of OFFSETS) {
      const small = featureApp(statsRoutes)
      const newYear = Date.parse('2025-01-01T00:00:00Z') - offset * 60_000
      addWorkout(small.deps, { id: runId(1), startedAt: newYear - 1, distanceM: MILE_M })
      addWorkout(small.deps, { id: runId(2), startedAt: newYear, distanceM: 10 * MILE_M })
      small.setNow(newYear)
      const { body } = await small.ask('GET', `/stats/yearly?timezoneOffsetMinutes=${offset}`)
      expect(body).toEqual({ currentYear: 10, previousYear: 1, currentYearLabel: '2025', previousYearLabel: '2024' })
      const years = await small.ask('GET', `/stats/available-years?timezoneOffsetMinutes=${offset}`)
      expect(years.body).toEqual([2025, 2024])
    }
  })
})

interface Buckets {
  readonly weeks: readonly { weekNumber: number; weekStart: string; weekEnd: string; distanceM: number }[]
  readonly dateRangeStart: string
  readonly dateRangeEnd: string
}

describe('GET /stats/yearly-weekly', () => {
  const asked = OFFSETS.flatMap((offset) =>
    ['2024-02-28', '2024-02-29', '2024-03-01', '2024-12-31', '2025-02-28', '2025-11-20'].map(
      (end): [number, string] => [offset, end],
    ),
  )
  test.each(asked)('with the offset %d the year to %s has 52 buckets without gap or overlap', async (offset, end) => {
    const found = await ask<Buckets>(
      `/stats/yearly-weekly?periodEndDate=${end}&timezoneOffsetMinutes=${offset}`,
      '2025-11-20T00:00:00Z',
    )
    expect(found.weeks.map(({ weekNumber }) => weekNumber)).toEqual(Array.from({ length: 52 }, (_, k) => k + 1))
    expect(found.dateRangeEnd).toBe(end)
    expect([found.weeks[0]!.weekStart, found.weeks[51]!.weekEnd]).toEqual([found.dateRangeStart, end])
    for (const [k, { weekStart, weekEnd, distanceM }] of found.weeks.entries()) {
      if (k > 0) expect(weekStart).toBe(shifted(found.weeks[k - 1]!.weekEnd, 1))
      const inside = runs.filter(({ startedAtMs }) => {
        const date = localDate(startedAtMs, offset)
        return date >= weekStart && date <= weekEnd
      })
      expect(distanceM).toBeCloseTo(sum(inside.map((run) => run.distanceM)), 5)
    }
  })

  test.each([
    ['2025-11-20', '2024-11-21', 365],
    ['2024-11-20', '2023-11-21', 366],
    ['2024-02-29', '2023-03-01', 366],
    ['2025-02-28', '2024-02-29', 366],
  ])(
    'on every day of the period to %s a run is counted in the bucket whose dates contain it',
    async (end, start, days) => {
      const small = featureApp(statsRoutes)
      const dates = Array.from({ length: days }, (_, i) => shifted(start, i))
      expect(dates.at(-1)).toBe(end)
      for (const [i, date] of dates.entries()) {
        addWorkout(small.deps, { id: runId(i), startedAt: Date.parse(`${date}T12:00:00Z`), distanceM: 1000 + i })
      }
      const { body } = await small.ask('GET', `/stats/yearly-weekly?periodEndDate=${end}`)
      const { weeks, dateRangeStart } = body as Buckets
      expect(dateRangeStart).toBe(start)
      for (const { weekStart, weekEnd, distanceM } of weeks) {
        const inside = dates.flatMap((date, i) => (date >= weekStart && date <= weekEnd ? [1000 + i] : []))
        expect(distanceM).toBe(sum(inside))
      }
      expect(sum(weeks.map(({ distanceM }) => distanceM))).toBe(sum(dates.map((_, i) => 1000 + i)))
    },
  )

  test('ends today in the offset frame when nothing is asked', async () => {
    const found = await ask<Buckets>('/stats/yearly-weekly?timezoneOffsetMinutes=840', '2024-12-31T10:15:00Z')
    expect([found.dateRangeStart, found.dateRangeEnd]).toEqual(['2024-01-02', '2025-01-01'])
  })
})

describe('GET /stats/available-periods', () => {
  function yearBefore(date: string): string {
    return date.endsWith('-02-29')
      ? `${Number(date.slice(0, 4)) - 1}-02-28`
      : `${Number(date.slice(0, 4)) - 1}${date.slice(4)}`
  }

  test.each(FRAMES)('at %s with the offset %d', async (now, offset) => {
    const found = await ask<{ periodEndDate: string; dateRangeStart: string; dateRangeEnd: string }[]>(
      `/stats/available-periods?timezoneOffsetMinutes=${offset}`,
      now,
    )
    const firstRun = localDate(Math.min(...runs.map((run) => run.startedAtMs)), offset)
    let end = localDate(Date.parse(now), offset)
    for (const [k, period] of found.entries()) {
      const start = shifted(yearBefore(end), 1)
      expect(period).toMatchObject({ periodEndDate: end, dateRangeStart: start, dateRangeEnd: end })
      expect(start <= firstRun).toBe(k === found.length - 1)
      end = shifted(start, -1)
    }
  })

  test('available periods are never 21; with no workouts there is one', async () => {
    const small = featureApp(statsRoutes)
    small.setNow(Date.parse('2025-11-20T13:05:11Z'))
    expect((await small.ask('GET', '/stats/available-periods')).body).toEqual([
      {
        periodEndDate: '2025-11-20',
        dateRangeStart: '2024-11-21',
        dateRangeEnd: '2025-11-20',
        dateRangeLabel: 'Nov 21, 2024 - Nov 20, 2025',
      },
    ])
    for (const [n, first] of ['2005-11-21', '2005-11-20', '1971-01-01', '0001-01-01'].entries()) {
      addWorkout(small.deps, { id: runId(n), startedAt: Date.parse(`${first}T00:00:00Z`) })
      const { body } = await small.ask('GET', '/stats/available-periods')
      expect(body).toHaveLength(20)
    }
  })
})

describe('GET /stats/available-years', () => {
  test('years in UTC, or in the frame asked for, newest first', async () => {
    const yearsOf = (offset: number) =>
      [...new Set(runs.map((run) => Number(localDate(run.startedAtMs, offset).slice(0, 4))))].sort((a, b) => b - a)
    expect(await ask<number[]>('/stats/available-years', NOWS[0]!)).toEqual(yearsOf(0))
    for (const offset of OFFSETS) {
      expect(await ask<number[]>(`/stats/available-years?timezoneOffsetMinutes=${offset}`, NOWS[0]!)).toEqual(
        yearsOf(offset),
      )
    }
    expect((await featureApp(statsRoutes).ask('GET', '/stats/available-years')).body).toEqual([])
  })
})
