import { describe, expect, test } from 'bun:test'
import { statsRoutes } from '../../src/stats/routes.ts'
import { rowsOf } from '../library/as-stored.ts'
import { addWorkout, featureApp } from '../library/feature-app.ts'
import { localDate, OFFSETS, type Run, runId, seededLibrary, shifted, storeRuns } from './library.ts'

// What is compared with is added up here day by day from the words of the route's document, with nothing of the engine.

const WINDOWS = [
  ['2024-02-26', '2024-03-05'],
  ['2023-12-31', '2024-01-01'],
  ['2024-02-29', '2024-03-01'],
  ['2022-06-01', '2025-06-05'],
  ['2008-01-01', '2009-01-01'],
] as const
const FRAMES = WINDOWS.flatMap(([from, to]) => OFFSETS.map((offset): [string, string, number] => [from, to, offset]))

interface Day extends Readonly<Record<'distanceM' | 'durationS' | 'runs' | 'runsWithoutEffort' | 'elevGainM', number>> {
  readonly date: string
  readonly relativeEffort: number | null
  readonly load: number | null
}

interface Answer {
  readonly from: string
  readonly to: string
  readonly days: readonly Day[]
}

const runs = seededLibrary()
const app = featureApp(statsRoutes)
storeRuns(app.deps, runs)

async function ask(query: string, among = app): Promise<Answer> {
  const { status, body } = await among.ask('GET', `/stats/daily?${query}`)
  expect([query, status]).toEqual([query, 200])
  return body as Answer
}

async function refusal(query: string): Promise<string> {
  const { status, body } = await app.ask('GET', `/stats/daily?${query}`)
  expect([query, status]).toEqual([query, 400])
  return (body as { error: string }).error
}

/** Every date of the window in turn, `to` not included, with the runs that began on it. */
function expectedDays(from: string, to: string, offset: number): Omit<Day, 'load'>[] {
  const byDate = Map.groupBy(runs, ({ startedAtMs }) => localDate(startedAtMs, offset))
  const days: Omit<Day, 'load'>[] = []
  for (let date = from; date < to; date = shifted(date, 1)) {
    const ofDay: Run[] = byDate.get(date) ?? []
    if (ofDay.length === 0) continue
    const efforts = ofDay.flatMap(({ relativeEffort }) => (relativeEffort === null ? [] : [relativeEffort]))
    days.push({
      date,
      distanceM: ofDay.reduce((sum, run) => sum + run.distanceM, 0),
      durationS: ofDay.reduce((sum, run) => sum + run.durationS, 0),
      runs: ofDay.length,
      relativeEffort: efforts.length === 0 ? null : efforts.reduce((sum, effort) => sum + effort, 0),
      runsWithoutEffort: ofDay.length - efforts.length,
      elevGainM: ofDay.reduce((sum, run) => sum + (run.elevGainM ?? 0), 0),
    })
  }
  return days
}

/** Of the loads that are beside the runs. */
function loadsByDate(offset: number): Map<string, number> {
  const loads = new Map<string, number>()
  const starts = new Map(runs.map(({ id, startedAtMs }) => [id, startedAtMs]))
  const rows = rowsOf(app.deps, 'workout_load', 'workout_id', 'load').filter(({ load }) => load !== null)
  for (const { workout_id: id, load } of rows) {
    const date = localDate(starts.get(String(id))!, offset)
    loads.set(date, (loads.get(date) ?? 0) + Number(load) / 10)
  }
  return loads
}

describe('GET /stats/daily', () => {
  test.each(FRAMES)('from %s to %s with the offset %d every run is in its day', async (from, to, offset) => {
    const found = await ask(`from=${from}&to=${to}&timezoneOffsetMinutes=${offset}`)
    const wanted = expectedDays(from, to, offset)
    expect([found.from, found.to]).toEqual([from, to])
    const counts = ({ date, runs, relativeEffort, runsWithoutEffort }: Omit<Day, 'load'>) => [
      ...[date, runs, relativeEffort, runsWithoutEffort],
    ]
    expect(found.days.map(counts)).toEqual(wanted.map(counts))
    for (const [index, day] of wanted.entries()) {
      // metres have two decimals, seconds none: what differs below is noise of adding
      expect(found.days[index]?.distanceM).toBeCloseTo(day.distanceM, 6)
      expect(found.days[index]?.durationS).toBe(day.durationS)
      expect(found.days[index]?.elevGainM).toBeCloseTo(day.elevGainM, 6)
    }
    const loads = loadsByDate(offset)
    expect(found.days.length).toBe(wanted.length)
    for (const { date, load } of found.days) {
      const sum = loads.get(date)
      expect(load, date).toBe(sum === undefined ? null : Math.round(10 * sum) / 10)
    }
  })

  test('without dates it is the year up to and including today, where the reader is', async () => {
    app.setNow(Date.parse('2024-12-31T23:30:00Z'))
    expect(await ask('')).toMatchObject({ from: '2024-01-01', to: '2025-01-01' })
    expect(await ask('timezoneOffsetMinutes=60')).toMatchObject({ from: '2024-01-02', to: '2025-01-02' })
    expect(await ask('to=2024-03-01')).toMatchObject({ from: '2023-03-01', to: '2024-03-01' })
    expect(await ask('from=2024-12-31')).toMatchObject({ from: '2024-12-31', to: '2025-01-01' })
  })

  test('a run before 1970 is in its day as well', async () => {
    const old = featureApp(statsRoutes)
    addWorkout(old.deps, { id: runId(1), startedAt: Date.parse('1968-05-06T00:00:00Z'), distanceM: 5000.5 })
    addWorkout(old.deps, { id: runId(2), startedAt: Date.parse('1968-05-05T23:59:59.999Z'), durationS: 60 })
    const lone = { runs: 1, relativeEffort: null, runsWithoutEffort: 1, elevGainM: 0 }
    expect(await ask('from=1968-05-01&to=1968-06-01', old)).toEqual({
      from: '1968-05-01',
      to: '1968-06-01',
      days: [
        { date: '1968-05-05', distanceM: 10_000, durationS: 60, load: 0.8, ...lone },
        { date: '1968-05-06', distanceM: 5000.5, durationS: 3600, load: 50, ...lone },
      ],
    })
  })

  test('sums have no noise of binary fractions', async () => {
    const small = featureApp(statsRoutes)
    for (const [index, distanceM] of [0.1, 0.2].entries()) addWorkout(small.deps, { id: runId(index), distanceM })
    expect((await ask('', small)).days[0]?.distanceM).toBe(0.3)
  })

  test('an empty window and one of more than three years are refused with their dates', async () => {
    expect(await refusal('from=2024-03-01&to=2024-03-01')).toBe('from must be before to, which is 2024-03-01')
    expect(await refusal('from=2024-03-02&to=2024-03-01')).toBe('from must be before to, which is 2024-03-01')
    expect((await ask('from=2023-01-01&to=2026-01-05')).days.length).toBeGreaterThan(0)
    expect(await refusal('from=2023-01-01&to=2026-01-06')).toBe(
      'from and to must be at most 1100 days apart, they are 1101',
    )
  })
})
