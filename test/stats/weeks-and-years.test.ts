import { beforeAll, describe, expect, test } from 'bun:test'
import { statsRoutes } from '../../src/stats/routes.ts'
import { addWorkout, type FeatureApp, featureApp } from '../library/feature-app.ts'
import { localDate, OFFSETS, type Run, runId, seededLibrary, shifted, storeRuns } from './library.ts'

// What is compared with is computed here from the words of docs/api.md 6, day by day, with nothing of the engine.

const MILE_M = 1609.344
const NOWS = [
  ...['2024-02-29T12:00:00Z', '2024-03-03T23:59:59.999Z', '2024-03-04T00:00:00Z', '2024-12-31T10:15:00Z'],
  ...['2025-01-01T00:00:00Z', '2025-03-01T03:30:00Z'],
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

function monday(date: string): string {
  const sundayFirst = new Date(`${date}T00:00:00Z`).getUTCDay()
  return shifted(date, sundayFirst === 0 ? -6 : 1 - sundayFirst)
}

function runsOn(date: string, offset: number, among: readonly Run[] = runs): Run[] {
  return among.filter(({ startedAtMs }) => localDate(startedAtMs, offset) === date)
}

function runsOfWeek(firstDate: string, offset: number, among: readonly Run[] = runs): Run[] {
  const end = shifted(firstDate, 7)
  return among.filter(({ startedAtMs }) => {
    const date = localDate(startedAtMs, offset)
    return date >= firstDate && date < end
  })
}

function sum(values: readonly (number | null)[]): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0)
}

function expectNumbers(found: readonly number[], wanted: readonly number[]): void {
  expect(found).toHaveLength(wanted.length)
  for (const [i, value] of wanted.entries()) expect(found[i]!).toBeCloseTo(value, 6)
}

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
    const previous = { Start: '2025-11-10', End: '2025-11-16', Label: 'Nov 10 - Nov 16' }
    expect(found).toEqual({
      ...{ weekStart: '2025-11-17', weekEnd: '2025-11-23', dailyMiles: expect.any(Array) },
      ...{ currentWeekLabel: 'Nov 17 - Nov 23', current_week_label: 'Nov 17 - Nov 23' },
      ...Object.fromEntries(Object.entries(previous).map(([name, value]) => [`previousWeek${name}`, value])),
      ...Object.fromEntries(
        Object.entries(previous).map(([name, value]) => [`previous_week_${name.toLowerCase()}`, value]),
      ),
      ...{ previousWeekDailyMiles: expect.any(Array), previous_week_daily_miles: found.previousWeekDailyMiles },
    })
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
      ...{ weekStart: first, weekEnd: shifted(first, 6), currentWeek, previousWeeks },
      ...{ threeWeekAverage: Math.round((sum(previousWeeks) * 10) / 3) / 10, rangeMin: Math.min(...previousWeeks) },
      ...{ rangeMax: Math.max(...previousWeeks), currentWeekTotal: currentWeek[6]! },
    })
  })
})

type Metric = Readonly<Record<'current' | 'previous' | 'trailingAvg' | 'deltaVsPrevious', number>>

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
    const asked = { referenceDate: date ?? today, timezoneOffsetMinutes: offset, generatedAtUtc: now }
    expect(found).toMatchObject({ weekStart: first, weekEnd: shifted(first, 6), ...asked })
  })

  test('sums have no noise of binary fractions, and an offset that was not sent is null', async () => {
    const small = featureApp(statsRoutes)
    for (const [n, day] of [16, 17, 18, 10, 11, 12, 13].entries())
      addWorkout(small.deps, { id: runId(n), startedAt: Date.UTC(2025, 5, day, 6), distanceM: 0.1 })
    const { body } = await small.ask('GET', '/stats/weekly-recap')
    expect(body).toMatchObject({ timezoneOffsetMinutes: null })
    // 3 x 0.1 is 0.30000000000000004 in binary, and 0.3 - 0.4 is -0.10000000000000003
    const distanceM = { current: 0.3, previous: 0.4, trailingAvg: 0.13, deltaVsPrevious: -0.1 }
    expect((body as Recap).metrics.distanceM).toEqual(distanceM)
  })

  test('a future week is empty even when runs are dated to it, and not partial', async () => {
    const small = featureApp(statsRoutes)
    addWorkout(small.deps, { id: runId(1), startedAt: Date.parse('2025-06-25T06:00:00Z') })
    const { body } = await small.ask('GET', '/stats/weekly-recap?referenceDate=2025-06-25')
    const { metrics, currentWeekIsPartial } = body as Recap
    expect(currentWeekIsPartial).toBe(false)
    expect(metrics.runs).toEqual({ current: 0, previous: 0, trailingAvg: 0, deltaVsPrevious: 0 })
    const nothing = { current: null, previous: null, trailingAvg: null, deltaVsPrevious: null }
    expect(metrics.easyRunAvgHeartRateBpm as unknown).toEqual(nothing)
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
})

interface Buckets {
  readonly weeks: readonly { weekNumber: number; weekStart: string; weekEnd: string; distanceM: number }[]
  readonly dateRangeStart: string
  readonly dateRangeEnd: string
}

describe('GET /stats/yearly-weekly', () => {
  const asked = OFFSETS.flatMap((offset) =>
    [
      ['2024-02-28', '2023-03-01'],
      ['2024-02-29', '2023-03-01'],
      ['2024-03-01', '2023-03-02'],
      ['2024-12-31', '2024-01-01'],
      ['2025-02-28', '2024-02-29'],
      ['2025-11-20', '2024-11-21'],
    ].map(([end, start]): [number, string, string] => [offset, end!, start!]),
  )
  test.each(asked)('with the offset %d the year to %s has 52 buckets from %s on', async (offset, end, start) => {
    const query = `periodEndDate=${end}&timezoneOffsetMinutes=${offset}`
    const found = await ask<Buckets>(`/stats/yearly-weekly?${query}`, '2025-11-20T00:00:00Z')
    expect(found.weeks.map(({ weekNumber }) => weekNumber)).toEqual(Array.from({ length: 52 }, (_, k) => k + 1))
    expect([found.dateRangeStart, found.dateRangeEnd]).toEqual([start, end])
    expect([found.weeks[0]!.weekStart, found.weeks[51]!.weekEnd]).toEqual([start, end])
    for (const [k, { weekStart, weekEnd, distanceM }] of found.weeks.entries()) {
      if (k > 0) expect(weekStart).toBe(shifted(found.weeks[k - 1]!.weekEnd, 1))
      const inside = runs.filter(({ startedAtMs }) => {
        const date = localDate(startedAtMs, offset)
        return date >= weekStart && date <= weekEnd
      })
      expect(distanceM).toBeCloseTo(sum(inside.map((run) => run.distanceM)), 5)
    }
  })

  test('ends today in the offset frame when nothing is asked, and a run of any day is in its bucket', async () => {
    const found = await ask<Buckets>('/stats/yearly-weekly?timezoneOffsetMinutes=840', '2024-12-31T10:15:00Z')
    expect([found.dateRangeStart, found.dateRangeEnd]).toEqual(['2024-01-02', '2025-01-01'])
    const small = featureApp(statsRoutes)
    const dates = Array.from({ length: 366 }, (_, i) => shifted('2023-03-01', i))
    for (const [i, date] of dates.entries())
      addWorkout(small.deps, { id: runId(i), startedAt: Date.parse(`${date}T12:00:00Z`), distanceM: 1000 + i })
    const { body } = await small.ask('GET', '/stats/yearly-weekly?periodEndDate=2024-02-29')
    for (const { weekStart, weekEnd, distanceM } of (body as Buckets).weeks)
      expect(distanceM).toBe(sum(dates.map((date, i) => (date >= weekStart && date <= weekEnd ? 1000 + i : 0))))
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
    const [from, to] = ['2024-11-21', '2025-11-20']
    expect((await small.ask('GET', '/stats/available-periods')).body).toEqual([
      { periodEndDate: to, dateRangeStart: from, dateRangeEnd: to, dateRangeLabel: 'Nov 21, 2024 - Nov 20, 2025' },
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

describe('days=local', () => {
  // Wednesday noon in Berlin
  const NOW = '2025-11-12T11:00:00Z'
  const FRAME = 'timezoneOffsetMinutes=60&days=local'
  const own = featureApp(statsRoutes)
  const add = (n: number, startedAt: string, utcOffsetMinutes: number | null, distanceM = n * MILE_M) =>
    addWorkout(own.deps, {
      ...{ id: runId(n), startedAt: Date.parse(startedAt), utcOffsetMinutes, distanceM },
      ...{ durationS: 1800, relativeEffort: n, elevGainM: 0, avgHeartRateBpm: null },
    })
  beforeAll(() => {
    // Sunday 23:30 in New York, Monday 5:30 in Berlin
    add(1, '2025-11-10T04:30:00Z', -300)
    // Monday 6:00 in Tokyo, Sunday 22:00 in Berlin
    add(2, '2025-11-09T21:00:00Z', 540)
    // Monday 0:30 in Berlin, of an unknown place
    add(4, '2025-11-09T23:30:00Z', null)
    // Wednesday 19:30 in Tokyo, half an hour ago
    add(8, '2025-11-12T10:30:00Z', 540)
    // 31 December, 23:00, in New York
    add(16, '2025-01-01T04:00:00Z', -300)
    // the first to begin is on 1 January of Tokyo's 2023, the next on New York's 31 December 2022
    add(32, '2022-12-31T16:00:00Z', 540)
    add(64, '2023-01-01T03:00:00Z', -300)
  })
  const asked = async <T>(path: string, frame = FRAME): Promise<T> => {
    own.setNow(Date.parse(NOW))
    const { status, body } = await own.ask('GET', `/stats/${path}${path.includes('?') ? '&' : '?'}${frame}`)
    expect([path, status]).toEqual([path, 200])
    return body as T
  }

  test('counts a run on the date of its own place, else of the asker', async () => {
    const week = await asked<{ dailyMiles: number[]; previousWeekDailyMiles: number[] }>('weekly')
    expectNumbers(week.dailyMiles, [6, 0, 8, 0, 0, 0, 0])
    expectNumbers(week.previousWeekDailyMiles, [0, 0, 0, 0, 0, 0, 1])
    const effort = await asked<{ currentWeek: number[]; previousWeeks: number[] }>('relative-effort')
    expect([effort.currentWeek, effort.previousWeeks]).toEqual([
      [6, 6, 14, 14, 14, 14, 14],
      [1, 0, 0],
    ])
    const { metrics } = await asked<{ metrics: { runs: object } }>('weekly-recap')
    expect(metrics.runs).toMatchObject({ current: 3, previous: 1 })
    const { days } = await asked<{ days: { date: string; runs: number }[] }>('daily?from=2025-11-09&to=2025-11-13')
    expect(days.map(({ date, runs }) => [date, runs])).toEqual([
      ['2025-11-09', 1],
      ['2025-11-10', 2],
      ['2025-11-12', 1],
    ])
  })

  test('in years and periods as well', async () => {
    const { currentYear, previousYear } = await asked<{ currentYear: number; previousYear: number }>('yearly')
    expectNumbers([currentYear, previousYear], [15, 16])
    const year = await asked<{ weeks: { distanceM: number }[] }>('yearly-weekly?periodEndDate=2024-12-31')
    expect(year.weeks.at(-1)!.distanceM).toBeCloseTo(16 * MILE_M, 6)
    const periods = await asked<{ dateRangeStart: string }[]>('available-periods')
    expect(periods).toHaveLength(3)
    // the later one of these is on the earlier day, where it was run
    add(128, '2022-11-12T16:00:00Z', 540)
    add(256, '2022-11-13T03:00:00Z', -300)
    const earlier = await asked<{ dateRangeStart: string }[]>('available-periods')
    expect([earlier.length, earlier.at(-1)!.dateRangeStart]).toEqual([4, '2021-11-13'])
  })

  test('is the only value, and without it all stays in the frame of the asker', async () => {
    expect((await own.ask('GET', '/stats/weekly?days=utc')).status).toBe(400)
    const week = await asked<{ dailyMiles: number[] }>('weekly', 'timezoneOffsetMinutes=60')
    expectNumbers(week.dailyMiles, [5, 0, 8, 0, 0, 0, 0])
  })
})
