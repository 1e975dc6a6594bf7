import { describe, expect, test } from 'bun:test'
import { statsRoutes } from '../../src/stats/routes.ts'
import { addWorkout, featureApp } from '../library/feature-app.ts'
import { OFFSETS, runId, seededLibrary, storeRuns } from './library.ts'

interface Month extends Readonly<Record<'runs' | 'distanceM' | 'durationS' | 'elevGainM', number>> {
  readonly month: string
}

async function monthsOf(app: ReturnType<typeof featureApp>, query = ''): Promise<readonly Month[]> {
  const { status, body } = await app.ask('GET', `/stats/monthly${query}`)
  expect([query, status]).toEqual([query, 200])
  return (body as { months: readonly Month[] }).months
}

describe('GET /stats/monthly', () => {
  const runs = seededLibrary()
  const app = featureApp(statsRoutes)
  storeRuns(app.deps, runs)

  test.each(OFFSETS)('with the offset %d every run is in its month', async (offset) => {
    const byMonth = Map.groupBy(runs, ({ startedAtMs }) =>
      new Date(startedAtMs + offset * 60_000).toISOString().slice(0, 7),
    )
    const wanted = [...byMonth].toSorted(([a], [b]) => (a < b ? -1 : 1))
    const found = await monthsOf(app, `?timezoneOffsetMinutes=${offset}`)
    expect(found.map(({ month, runs }) => [month, runs])).toEqual(wanted.map(([month, of]) => [month, of.length]))
    for (const [index, [, of]] of wanted.entries()) {
      const sum = (value: (run: (typeof runs)[number]) => number) => of.reduce((total, run) => total + value(run), 0)
      expect(found[index]?.distanceM).toBeCloseTo(
        sum(({ distanceM }) => distanceM),
        6,
      )
      expect(found[index]?.durationS).toBe(sum(({ durationS }) => durationS))
      expect(found[index]?.elevGainM).toBeCloseTo(
        sum(({ elevGainM }) => elevGainM ?? 0),
        6,
      )
    }
  })

  test('is empty without runs, leaves out what the runner left out, and knows months before 1970', async () => {
    const few = featureApp(statsRoutes)
    expect(await monthsOf(few)).toEqual([])
    for (const [n, start, distanceM, leftOut] of [
      [1, '2025-03-31T23:59:59.999Z', 5000, false],
      [2, '2025-03-02T00:00:00Z', 9000, true],
      [3, '1969-11-30T23:59:59.500Z', 1000, false],
    ] as const) {
      addWorkout(few.deps, { id: runId(n), startedAt: Date.parse(start), distanceM, leftOut })
    }
    expect((await monthsOf(few)).map(({ month, runs, distanceM }) => [month, runs, distanceM])).toEqual([
      ['1969-11', 1, 1000],
      ['2025-03', 1, 5000],
    ])
  })
})

describe('GET /stats/highest-heart-rate', () => {
  test('is that of the last run that had it, of runs that count, and no slip of a strap', async () => {
    const app = featureApp(statsRoutes)
    const ask = async () => (await app.ask('GET', '/stats/highest-heart-rate')).body
    expect(await ask()).toEqual({ highest: null })
    const at = (day: number) => Date.parse(`2025-03-0${day}T07:00:00Z`)
    addWorkout(app.deps, { id: runId(4), startedAt: at(1), maxHeartRateBpm: 191 })
    addWorkout(app.deps, { id: runId(5), startedAt: at(2), maxHeartRateBpm: 191, name: 'Track' })
    addWorkout(app.deps, { id: runId(6), startedAt: at(3), maxHeartRateBpm: null })
    addWorkout(app.deps, { id: runId(7), startedAt: at(4), maxHeartRateBpm: 231 })
    addWorkout(app.deps, { id: runId(8), startedAt: at(5), maxHeartRateBpm: 199, leftOut: true })
    expect(await ask()).toEqual({
      highest: { heartRateBpm: 191, workoutId: runId(5), workoutName: 'Track', date: '2025-03-02T07:00:00Z' },
    })
  })
})
