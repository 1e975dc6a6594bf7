// Records that cannot be, and what the runner says of efforts and runs: docs/algorithms.md 18.
import { expect, test } from 'bun:test'
import type { Event } from '../../../src/base/events.ts'
import { type TestApp, testApp } from '../../app.ts'
import { butReceipts } from '../../fixtures/events.ts'
import { fitRun, START_MS } from '../../fixtures/runs.ts'

const DAY_MS = 86_400_000

/** 20 minutes at 9 m/s: nobody runs so. */
const rideOf = (startMs: number) => fitRun({ startMs, seconds: 1200, speedMps: 9 })

const distances = async (app: TestApp): Promise<{ distance: string; workoutId: string }[]> =>
  (await app.ok('GET', '/stats/best-efforts')).distances
const records = async (app: TestApp): Promise<Record<string, string>> =>
  Object.fromEntries((await distances(app)).map(({ distance, workoutId }) => [distance, workoutId]))
const say = (app: TestApp, id: string, metres: number | string, isRecord: unknown) =>
  app.ok('PATCH', `/workouts/${id}/best-efforts/${metres}`, { isRecord })

test('a ride sets no record and says why; counted by the runner it does, and undone it does not', async () => {
  await using app = await testApp()
  const run = await app.run(fitRun({ seconds: 2000 }))
  const ride = await app.run(rideOf(START_MS + DAY_MS))
  expect(new Set(Object.values(await records(app)))).toEqual(new Set([run]))
  const { bestEfforts } = await app.ok('GET', `/workouts/${ride}/samples`)
  expect(bestEfforts).toHaveLength(7)
  expect(bestEfforts[5]).toEqual({
    ...{ distance: '5K', distanceM: 5000, timeS: 556, timeMs: 555_556, startS: 0, endS: 555.556 },
    ...{ isPlausible: false, implausibleReason: 'notOnFoot', isRecord: null, counts: false, isRaceResult: false },
  })

  const stated = { id: ride, distance: '5K', distanceM: 5000, timeS: 556, timeMs: 555_556 }
  const ofWheels = { isPlausible: false, implausibleReason: 'notOnFoot', isRaceResult: false }
  expect(await say(app, ride, 5000, true)).toEqual({ ...stated, ...ofWheels, isRecord: true, counts: true })
  expect(await distances(app)).toContainEqual(expect.objectContaining({ distance: '5K', workoutId: ride, ...ofWheels }))
  expect((await records(app))['1 mile']).toBe(run)

  expect(await say(app, ride, 5000, null)).toEqual({ ...stated, ...ofWheels, isRecord: null, counts: false })
  expect((await records(app))['5K']).toBe(run)
})

test('an effort that is not a record hands it to the next, an empty body changes nothing, and one that is not there is 404', async () => {
  await using app = await testApp()
  const slow = await app.run(fitRun({ seconds: 2000 }))
  const fast = await app.run(fitRun({ startMs: START_MS + DAY_MS, seconds: 1500, speedMps: 4 }))
  expect((await records(app))['1/2 mile']).toBe(fast)
  const stated = { isRecord: false, isPlausible: true, counts: false }
  expect(await say(app, fast, '804.672', false)).toMatchObject(stated)
  expect((await records(app))['1/2 mile']).toBe(slow)
  expect((await records(app))['1K']).toBe(fast)
  const heard: Event[] = []
  app.deps.events.subscribe(butReceipts((event) => heard.push(event)))
  expect(await app.ok('PATCH', `/workouts/${fast}/best-efforts/804.672`, {})).toMatchObject(stated)
  await say(app, fast, '804.672', false)
  expect(heard).toEqual([{ event: 'workout.updated', data: { id: fast } }])
  // a recalculation and a crop leave the word
  await app.ok('POST', '/stats/best-efforts/recalculate')
  await app.ok('POST', `/workouts/${fast}/crop`, { removeFromStartSeconds: 10 })
  expect((await records(app))['1/2 mile']).toBe(slow)
  await say(app, fast, '804.672', null)
  expect((await records(app))['1/2 mile']).toBe(fast)
  for (const distance of ['5K', '401', '4e2', '42195']) {
    const path = `/workouts/${fast}/best-efforts/${distance}`
    const { status, json } = await app.call('PATCH', path, { json: { isRecord: true } })
    expect([status, json.error]).toEqual([404, 'Best effort not found'])
  }
  // the run is looked at first
  expect((await app.call('PATCH', '/workouts/x/best-efforts/401', { json: {} })).json.error).toBe('Workout not found')
})

test('a run that is left out holds no record and counts in no statistic, and stays in the list', async () => {
  await using app = await testApp()
  const kept = await app.run(fitRun({ startMs: app.clock.nowMs - 3 * 3_600_000, seconds: 600 }))
  const left = await app.run(fitRun({ startMs: app.clock.nowMs - 3_600_000, seconds: 1200, speedMps: 4 }))
  const statistics = async () => {
    const get = (path: string) => app.ok('GET', `/stats/${path}`)
    const sum = (all: never[], of: string) => all.reduce((total, one) => total + one[of], 0)
    const [{ metrics }, effort, years] = await Promise.all(['weekly-recap', 'relative-effort', 'yearly'].map(get))
    return {
      ...{ records: new Set(Object.values(await records(app))), recap: metrics.runs.current + metrics.runs.previous },
      ...{ effort: effort.currentWeekTotal + effort.previousWeeks[0], years: years.currentYear + years.previousYear },
      ...{ daily: sum((await get('daily')).days, 'runs'), insights: (await get('insights')).currentWorkouts },
      weeks: sum((await get('yearly-weekly')).weeks, 'distanceM'),
    }
  }
  const both = await statistics()
  expect(both).toMatchObject({ records: new Set([left]), recap: 2, daily: 2, insights: 2 })
  expect(both.weeks).toBeCloseTo(6600, 6)

  expect((await app.ok('PATCH', `/workouts/${left}`, { leftOut: true })).leftOut).toBe(true)
  const one = await statistics()
  expect(one).toMatchObject({ records: new Set([kept]), recap: 1, daily: 1, insights: 1 })
  expect(one.weeks).toBeCloseTo(1800, 6)
  expect(one.years).toBeCloseTo(1800 / 1609.344, 6)
  expect(one.effort).toBeLessThan(both.effort)
  // counted or not, an effort of it holds nothing
  expect(await say(app, left, 400, true)).toMatchObject({ isRecord: true, counts: false })
  expect((await records(app))['400m']).toBe(kept)
  const { items } = await app.ok('GET', '/workouts')
  expect(items).toMatchObject([
    { id: left, leftOut: true },
    { id: kept, leftOut: false },
  ])

  // null clears, other edits leave it, and neither is a word that a later recording would be kept from
  expect((await app.ok('PATCH', `/workouts/${left}`, { rpe: 4 })).leftOut).toBe(true)
  expect((await app.ok('PATCH', `/workouts/${left}`, { leftOut: null })).leftOut).toBe(false)
  expect(await statistics()).toEqual(both)
})
