import { describe, expect, test } from 'bun:test'
import { statsRoutes } from '../../../src/features/stats/routes.ts'
import { rowsOf } from '../../library/as-stored.ts'
import { addWorkout, type FeatureApp, featureApp } from '../../library/feature-app.ts'
import { each, said } from '../../rows.ts'
import { localDate, OFFSETS, type Run, runId, seededLibrary, shifted, storeRuns } from './library.ts'

// What is compared with is computed here from the words of docs/api.md 6, day by day, with nothing of the engine.

const MILE_M = 1609.344
const NOWS = [
  ...['2024-02-29T12:00:00Z', '2024-03-03T23:59:59.999Z', '2024-03-04T00:00:00Z', '2024-12-31T10:15:00Z'],
  ...['2025-01-01T00:00:00Z', '2025-03-01T03:30:00Z'],
]
const FRAMES = NOWS.flatMap((now) => OFFSETS.map((offset): [string, number] => [now, offset]))

const runs = seededLibrary()
const app = featureApp(statsRoutes)
storeRuns(app.deps, runs)
const small = () => featureApp(statsRoutes)

async function asked(path: string, of: FeatureApp = app) {
  const { status, body } = await of.ask('GET', `/stats/${path}`)
  expect([path, status]).toEqual([path, 200])
  // biome-ignore lint/suspicious/noExplicitAny: members of answers are compared
  return body as any
}

function monday(date: string): string {
  const sundayFirst = new Date(`${date}T00:00:00Z`).getUTCDay()
  return shifted(date, sundayFirst === 0 ? -6 : 1 - sundayFirst)
}

const byDates = new Map(
  OFFSETS.map((offset) => [offset, Map.groupBy(runs, (run) => localDate(run.startedAtMs, offset))]),
)

/** Runs of the dates from one to another, the last one not among them. */
function within(from: string, to: string, offset: number): Run[] {
  const dates = byDates.get(offset as 0)!
  return [...dates].flatMap(([date, ofDay]) => (date >= from && date < to ? ofDay : []))
}

type Summed = 'distanceM' | 'durationS' | 'elevGainM' | 'relativeEffort'
const sum = (values: readonly (number | null)[]) => values.reduce<number>((total, value) => total + (value ?? 0), 0)
const sumOf = (of: readonly Run[], name: Summed) => sum(of.map((run) => run[name]))

/** Metres have two decimals: what differs below is noise of adding. */
function expectNumbers(found: readonly number[], wanted: readonly number[]): void {
  expect(found).toHaveLength(wanted.length)
  for (const [i, value] of wanted.entries()) expect(found[i]!).toBeCloseTo(value, 6)
}

/** Loads of all runs, in tenths. */
const loads = () => new Map(rowsOf(app.deps, 'workout_load').map((row) => [row.workout_id, row.load]))
const loadOf = (of: readonly Run[], known: ReturnType<typeof loads>) => {
  const found = of.map(({ id }) => known.get(id) ?? null).filter((load) => load !== null)
  return found.length === 0 ? null : sum(found.map(Number)) / 10
}

function easyHeartRate(week: readonly Run[]): number | null {
  const easy = week.filter((run) => run.runType === 'Easy Run' && run.avgHeartRateBpm !== null && run.durationS > 0)
  if (easy.length === 0) return null
  const beats = sum(easy.map((run) => run.avgHeartRateBpm! * run.durationS))
  return Math.round((10 * beats) / sumOf(easy, 'durationS')) / 10
}

describe.each(FRAMES)('at %s with the offset %d', (now, offset) => {
  const [nowMs, today] = [Date.parse(now), localDate(Date.parse(now), offset)]
  const frame = `timezoneOffsetMinutes=${offset}`
  const first = monday(today)
  const days = (start: string) => Array.from({ length: 7 }, (_, day) => shifted(start, day))
  const onDay = (date: string) => within(date, shifted(date, 1), offset)
  const weekFrom = (date: string) => within(date, shifted(date, 7), offset)
  const atNow = (path: string) => {
    app.setNow(nowMs)
    return asked(path)
  }

  test('a week has the miles and the effort of its days', async () => {
    const found = await atNow(`weekly?${frame}`)
    const milesOf = (start: string) => days(start).map((date) => sumOf(onDay(date), 'distanceM') / MILE_M)
    const before = shifted(first, -7)
    expectNumbers(found.dailyMiles, milesOf(first))
    expectNumbers(found.previousWeekDailyMiles, milesOf(before))
    const week = { weekStart: first, weekEnd: shifted(first, 6) }
    expect(found).toMatchObject({ ...week, previousWeekStart: before, previousWeekEnd: shifted(first, -1) })

    const daily = days(first).map((date) => sumOf(onDay(date), 'relativeEffort'))
    const currentWeek = daily.map((_, day) => sum(daily.slice(0, day + 1)))
    const previousWeeks = [-7, -14, -21].map((back) => sumOf(weekFrom(shifted(first, back)), 'relativeEffort'))
    expect(await atNow(`relative-effort?${frame}`)).toEqual({
      ...{ ...week, currentWeek, previousWeeks, currentWeekTotal: currentWeek[6]! },
      ...{ threeWeekAverage: Math.round((sum(previousWeeks) * 10) / 3) / 10 },
      ...{ rangeMin: Math.min(...previousWeeks), rangeMax: Math.max(...previousWeeks) },
    })
  })

  test('a recap has the sums of the week, of the one before and of three', async () => {
    for (const date of [undefined, '2024-02-29', '2024-12-30', '2025-03-02', '2026-07-01']) {
      const found = await atNow(`weekly-recap?${frame}${date === undefined ? '' : `&referenceDate=${date}`}`)
      const start = monday(date ?? today)
      const current = weekFrom(start).filter(({ startedAtMs }) => startedAtMs <= nowMs)
      const earlier = [-7, -14, -21].map((back) => weekFrom(shifted(start, back)))
      for (const [name, value] of Object.entries({
        runs: (week: readonly Run[]) => week.length,
        distanceM: (week: readonly Run[]) => sumOf(week, 'distanceM'),
        durationS: (week: readonly Run[]) => sumOf(week, 'durationS'),
        elevationGainM: (week: readonly Run[]) => sumOf(week, 'elevGainM'),
        relativeEffortSum: (week: readonly Run[]) => sumOf(week, 'relativeEffort'),
      })) {
        const metric = found.metrics[name]
        const [is, was] = [value(current), value(earlier[0]!)]
        expectNumbers([metric.current, metric.previous, metric.deltaVsPrevious], [is, was, is - was])
        // two decimals: no further than half a hundredth from the mean
        expect(Math.abs(metric.trailingAvg - sum(earlier.map(value)) / 3)).toBeLessThanOrEqual(0.005000001)
        expect(metric.trailingAvg).toBe(Number(metric.trailingAvg.toFixed(2)))
      }
      const rates = earlier.map(easyHeartRate)
      const known = rates.filter((rate) => rate !== null)
      const [is, was] = [easyHeartRate(current), rates[0]!]
      expect(found.metrics.easyRunAvgHeartRateBpm).toEqual({
        ...{ current: is, previous: was },
        trailingAvg: known.length === 0 ? null : Math.round((10 * sum(known)) / known.length + 1e-6) / 10,
        deltaVsPrevious: is === null || was === null ? null : Number((is - was).toFixed(1)),
      })
      expect(found).toMatchObject({
        ...{ weekStart: start, weekEnd: shifted(start, 6), currentWeekIsPartial: start === first },
        ...{ referenceDate: date ?? today, timezoneOffsetMinutes: offset, generatedAtUtc: now },
      })
    }
  })

  test('a year has its miles, and periods of a year follow each other to the first run', async () => {
    const found = await atNow(`yearly?${frame}`)
    const year = Number(today.slice(0, 4))
    const miles = [year, year - 1].map((of) => sumOf(within(`${of}-01-01`, `${of + 1}-01-01`, offset), 'distanceM'))
    expectNumbers(
      [found.currentYear, found.previousYear],
      miles.map((metres) => metres / MILE_M),
    )
    expect(found).toMatchObject({ currentYearLabel: String(year), previousYearLabel: String(year - 1) })

    const firstRun = [...byDates.get(offset as 0)!.keys()].toSorted()[0]!
    const periods = await atNow(`available-periods?${frame}`)
    let end = today
    for (const [k, period] of periods.entries()) {
      const yearBefore = `${Number(end.slice(0, 4)) - 1}${end.slice(4).replace('-02-29', '-02-28')}`
      const start = shifted(yearBefore, 1)
      expect(period).toMatchObject({ periodEndDate: end, dateRangeStart: start, dateRangeEnd: end })
      expect(start <= firstRun).toBe(k === periods.length - 1)
      end = shifted(start, -1)
    }
  })
})

describe.each(OFFSETS)('with the offset %d', (offset) => {
  const frame = `timezoneOffsetMinutes=${offset}`

  test.each([
    ['2024-02-26', '2024-03-05'],
    ['2023-12-31', '2024-01-01'],
    ['2024-02-29', '2024-03-01'],
    ['2022-06-01', '2025-06-05'],
    ['2008-01-01', '2009-01-01'],
  ])('from %s to %s every run is in its day', async (from, to) => {
    const found = await asked(`daily?from=${from}&to=${to}&${frame}`)
    expect([found.from, found.to]).toEqual([from, to])
    const wanted = [...Map.groupBy(within(from, to, offset), (run) => localDate(run.startedAtMs, offset))].toSorted()
    const counts = wanted.map(([date, of]) => {
      const known = of.filter(({ relativeEffort }) => relativeEffort !== null)
      const effort = known.length === 0 ? null : sumOf(known, 'relativeEffort')
      return [date, of.length, effort, of.length - known.length, sumOf(of, 'durationS')]
    })
    expect(said(found.days, 'date', 'runs', 'relativeEffort', 'runsWithoutEffort', 'durationS')).toEqual(counts)
    for (const name of ['distanceM', 'elevGainM'] as const)
      expectNumbers(
        each(found.days, name),
        wanted.map(([, of]) => sumOf(of, name)),
      )
    const known = loads()
    expect(each(found.days, 'load')).toEqual(wanted.map(([, of]) => loadOf(of, known)))
  })

  test('every run is in its month, and years are those of runs', async () => {
    const byMonth = Map.groupBy(runs, ({ startedAtMs }) => localDate(startedAtMs, offset).slice(0, 7))
    const wanted = [...byMonth].toSorted(([a], [b]) => (a < b ? -1 : 1))
    const { months } = await asked(`monthly?${frame}`)
    expect(said(months, 'month', 'runs')).toEqual(wanted.map(([month, of]) => [month, of.length]))
    for (const name of ['distanceM', 'durationS', 'elevGainM'] as const)
      expectNumbers(
        each(months, name),
        wanted.map(([, of]) => sumOf(of, name)),
      )
    const known = loads()
    expect(each(months, 'load')).toEqual(wanted.map(([, of]) => loadOf(of, known)))
    const years = [...new Set(wanted.map(([month]) => Number(month.slice(0, 4))))].toReversed()
    expect(await asked(`available-years?${frame}`)).toEqual(years)
    if (offset === 0) expect(await asked('available-years')).toEqual(years)
  })

  test.each([
    ['2024-02-28', '2023-03-01'],
    ['2024-02-29', '2023-03-01'],
    ['2024-03-01', '2023-03-02'],
    ['2024-12-31', '2024-01-01'],
    ['2025-02-28', '2024-02-29'],
    ['2025-11-20', '2024-11-21'],
  ])('the year to %s has 52 buckets from %s on', async (end, start) => {
    const found = await asked(`yearly-weekly?periodEndDate=${end}&${frame}`)
    expect(each(found.weeks, 'weekNumber')).toEqual(Array.from({ length: 52 }, (_, k) => k + 1))
    expect([found.dateRangeStart, found.dateRangeEnd]).toEqual([start, end])
    const nexts = each(found.weeks, 'weekEnd').map((date) => shifted(date, 1))
    expect([start, ...nexts]).toEqual([...each(found.weeks, 'weekStart'), shifted(end, 1)])
    expectNumbers(
      each(found.weeks, 'distanceM'),
      found.weeks.map(({ weekStart }: { weekStart: string }, k: number) =>
        sumOf(within(weekStart, nexts[k]!, offset), 'distanceM'),
      ),
    )
  })
})

test('weeks have the labels and the snake-case keys of later clients', async () => {
  app.setNow(Date.parse('2025-11-20T13:05:11Z'))
  const found = await asked('weekly')
  expect(found).toEqual({
    ...{ weekStart: '2025-11-17', weekEnd: '2025-11-23', dailyMiles: expect.any(Array) },
    ...{ currentWeekLabel: 'Nov 17 - Nov 23', current_week_label: 'Nov 17 - Nov 23' },
    ...{ previousWeekStart: '2025-11-10', previousWeekEnd: '2025-11-16', previousWeekLabel: 'Nov 10 - Nov 16' },
    ...{ previous_week_start: '2025-11-10', previous_week_end: '2025-11-16', previous_week_label: 'Nov 10 - Nov 16' },
    ...{ previousWeekDailyMiles: expect.any(Array), previous_week_daily_miles: found.previousWeekDailyMiles },
  })
})

test('what is asked without dates ends today, where the reader is; empty and long windows are refused', async () => {
  app.setNow(Date.parse('2024-12-31T23:30:00Z'))
  for (const [query, from, to] of [
    ['', '2024-01-01', '2025-01-01'],
    ['timezoneOffsetMinutes=60', '2024-01-02', '2025-01-02'],
    ['to=2024-03-01', '2023-03-01', '2024-03-01'],
    ['from=2024-12-31', '2024-12-31', '2025-01-01'],
    ['from=2023-01-01&to=2026-01-05', '2023-01-01', '2026-01-05'],
  ])
    expect(await asked(`daily?${query}`)).toMatchObject({ from, to })
  const year = { dateRangeStart: '2024-01-02', dateRangeEnd: '2025-01-01' }
  expect(await asked('yearly-weekly?timezoneOffsetMinutes=840')).toMatchObject(year)
  for (const [from, to, error] of [
    ['2024-03-01', '2024-03-01', 'from must be before to, which is 2024-03-01'],
    ['2023-01-01', '2026-01-06', 'from and to must be at most 1100 days apart, they are 1101'],
  ])
    expect(await app.ask('GET', `/stats/daily?from=${from}&to=${to}`)).toEqual({
      status: 400,
      body: expect.objectContaining({ error }),
    })
})

test('days=local counts a run on the date of its own place, else of the asker, in weeks, years and periods', async () => {
  const own = small()
  // Wednesday noon in Berlin
  own.setNow(Date.parse('2025-11-12T11:00:00Z'))
  for (const [n, start, utcOffsetMinutes] of [
    // Sunday 23:30 in New York, Monday 5:30 in Berlin
    [1, '2025-11-10T04:30:00Z', -300],
    // Monday 6:00 in Tokyo, Sunday 22:00 in Berlin
    [2, '2025-11-09T21:00:00Z', 540],
    // Monday 0:30 in Berlin, of an unknown place
    [4, '2025-11-09T23:30:00Z', null],
    // 31 December, 23:00, in New York
    [16, '2025-01-01T04:00:00Z', -300],
    // 1 January, 1:00, in Tokyo
    [32, '2023-12-31T16:00:00Z', 540],
    // left out
    [64, '2025-11-10T12:00:00Z', 60],
    // the later one of these is on the earlier day, where it was run
    [128, '2022-11-12T16:00:00Z', 540],
    [256, '2022-11-13T03:00:00Z', -300],
  ] as const) {
    const of = { utcOffsetMinutes, distanceM: n * MILE_M, relativeEffort: n, leftOut: n === 64 }
    addWorkout(own.deps, { id: runId(n), startedAt: Date.parse(start), ...of })
  }
  const local = (path: string) => asked(`${path}?timezoneOffsetMinutes=60&days=local`, own)
  const week = await local('weekly')
  expectNumbers(week.dailyMiles, [6, 0, 0, 0, 0, 0, 0])
  expectNumbers(week.previousWeekDailyMiles, [0, 0, 0, 0, 0, 0, 1])
  expect(await local('relative-effort')).toMatchObject({ currentWeekTotal: 6, previousWeeks: [1, 0, 0] })
  const { currentYear, previousYear } = await local('yearly')
  expectNumbers([currentYear, previousYear], [7, 48])
  const bars = await asked('yearly-weekly?timezoneOffsetMinutes=60&days=local&periodEndDate=2024-12-31', own)
  expect(bars.weeks.at(-1)!.distanceM).toBeCloseTo(16 * MILE_M, 6)
  const periods = await local('available-periods')
  expect([periods.length, periods.at(-1)!.dateRangeStart]).toEqual([4, '2021-11-13'])
  // without it all stays in the frame of the asker
  expectNumbers((await asked('weekly?timezoneOffsetMinutes=60', own)).dailyMiles, [5, 0, 0, 0, 0, 0, 0])
})

test('with days=local a day has the runs of both edges of the world', async () => {
  const own = small()
  for (const [n, start, utcOffsetMinutes] of [
    [1, '2024-01-09T10:30:00Z', 840],
    [2, '2024-01-11T11:30:00Z', -720],
    [4, '2024-01-11T12:30:00Z', -720],
  ] as const)
    addWorkout(own.deps, { id: runId(n), startedAt: Date.parse(start), utcOffsetMinutes, distanceM: 1000 * n })
  for (const offset of [-840, 0, 840]) {
    const { days } = await asked(`daily?from=2024-01-10&to=2024-01-11&days=local&timezoneOffsetMinutes=${offset}`, own)
    expect([offset, each(days, 'distanceM')]).toEqual([offset, [3000]])
  }
})
