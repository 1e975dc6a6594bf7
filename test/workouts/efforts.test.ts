// Records that cannot be, and what the runner says of efforts and runs: docs/algorithms.md 18.
import { expect, test } from 'bun:test'
import type { Event } from '../../src/events/emitter.ts'
import { type TestApp, testApp } from '../app.ts'
import { exported, restored } from '../archive/archives.ts'
import { butReceipts } from '../fixtures/events.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'
import { withRun } from '../with-run.ts'

const DAY_MS = 86_400_000
const NOBODY = '0b9e3b57-6f0a-4a39-9a3a-3f1d6f1f2c11'

/** 20 minutes at 9 m/s: nobody runs so. */
const rideOf = (startMs: number) => fitRun({ startMs, seconds: 1200, speedMps: 9 })

async function records(app: TestApp): Promise<Record<string, string>> {
  const { json } = await app.call('GET', '/stats/best-efforts')
  const rows: { distance: string; workoutId: string }[] = json.distances
  return Object.fromEntries(rows.map(({ distance, workoutId }) => [distance, workoutId]))
}

async function say(app: TestApp, id: string, metres: number | string, isRecord: unknown) {
  return await app.call('PATCH', `/workouts/${id}/best-efforts/${metres}`, { json: { isRecord } })
}

test('a ride sets no record and says why; counted by the runner it does, and undone it does not', async () => {
  await using app = await testApp()
  const run = await app.run(fitRun({ seconds: 2000 }))
  const ride = await app.run(rideOf(START_MS + DAY_MS))
  expect(new Set(Object.values(await records(app)))).toEqual(new Set([run]))
  const { json } = await app.call('GET', `/workouts/${ride}/samples`)
  expect(json.bestEfforts).toHaveLength(7)
  expect(json.bestEfforts[5]).toEqual({
    ...{ distance: '5K', distanceM: 5000, timeS: 556, timeMs: 555_556, startS: 0, endS: 555.556 },
    ...{ isPlausible: false, implausibleReason: 'notOnFoot', isRecord: null, counts: false },
  })

  const stated = { id: ride, distance: '5K', distanceM: 5000, timeS: 556, timeMs: 555_556 }
  const ofWheels = { isPlausible: false, implausibleReason: 'notOnFoot' }
  const counted = await say(app, ride, 5000, true)
  expect([counted.status, counted.json]).toEqual([200, { ...stated, ...ofWheels, isRecord: true, counts: true }])
  const all = (await app.call('GET', '/stats/best-efforts')).json.distances
  expect(all.find((row: { distance: string }) => row.distance === '5K')).toMatchObject({ workoutId: ride, ...ofWheels })
  expect((await records(app))['1 mile']).toBe(run)

  expect((await say(app, ride, 5000, null)).json).toEqual({ ...stated, ...ofWheels, isRecord: null, counts: false })
  expect((await records(app))['5K']).toBe(run)
})

test('an effort that is not a record hands it to the next, and an empty body changes nothing', async () => {
  await using app = await testApp()
  const slow = await app.run(fitRun({ seconds: 2000 }))
  const fast = await app.run(fitRun({ startMs: START_MS + DAY_MS, seconds: 1500, speedMps: 4 }))
  expect((await records(app))['1/2 mile']).toBe(fast)
  expect((await say(app, fast, '804.672', false)).json).toMatchObject({
    isRecord: false,
    isPlausible: true,
    counts: false,
  })
  expect((await records(app))['1/2 mile']).toBe(slow)
  expect((await records(app))['1K']).toBe(fast)
  const unchanged = await app.call('PATCH', `/workouts/${fast}/best-efforts/804.672`, { json: {} })
  expect([unchanged.status, unchanged.json.isRecord]).toEqual([200, false])
  const heard: Event[] = []
  app.deps.events.subscribe(butReceipts((event) => heard.push(event)))
  await app.call('PATCH', `/workouts/${fast}/best-efforts/804.672`, { json: {} })
  await say(app, fast, '804.672', false)
  expect(heard).toEqual([{ event: 'workout.updated', data: { id: fast } }])
  // a recalculation and a crop leave the word
  expect((await app.call('POST', '/stats/best-efforts/recalculate')).status).toBe(200)
  await app.call('POST', `/workouts/${fast}/crop`, { json: { removeFromStartSeconds: 10 } })
  expect((await records(app))['1/2 mile']).toBe(slow)
  await say(app, fast, '804.672', null)
  expect((await records(app))['1/2 mile']).toBe(fast)
})

test('refusals: unknown workouts, distances and efforts are 404, anything but a boolean is 400', async () => {
  const { app, id } = await withRun(fitRun())
  const asked = async (path: string, isRecord: unknown) => {
    const { status, json } = await app.call('PATCH', path, { json: { isRecord } })
    return [status, json.error]
  }
  expect(await asked(`/workouts/x/best-efforts/400`, true)).toEqual([404, 'Workout not found'])
  expect(await asked(`/workouts/${NOBODY}/best-efforts/400`, true)).toEqual([404, 'Workout not found'])
  for (const distance of ['5K', '401', '4e2', '42195']) {
    expect(await asked(`/workouts/${id}/best-efforts/${distance}`, true)).toEqual([404, 'Best effort not found'])
  }
  for (const word of ['true', 1, []]) {
    const [status, error] = await asked(`/workouts/${id}/best-efforts/400`, word)
    expect([status, String(error)]).toEqual([400, expect.stringContaining('isRecord')])
  }
  expect((await app.call('PATCH', `/workouts/${id}/best-efforts/400`, { token: null })).status).toBe(401)
})

test('a run that is left out holds no record and counts in no statistic, and stays in the list', async () => {
  await using app = await testApp()
  const kept = await app.run(fitRun({ startMs: app.clock.nowMs - 3 * 3_600_000, seconds: 600 }))
  const left = await app.run(fitRun({ startMs: app.clock.nowMs - 3_600_000, seconds: 1200, speedMps: 4 }))
  const statistics = async () => {
    const get = async (path: string) => (await app.call('GET', `/stats/${path}`)).json
    return {
      records: new Set(Object.values(await records(app))),
      recap: (await get('weekly-recap')).metrics.runs.current + (await get('weekly-recap')).metrics.runs.previous,
      effort: (await get('relative-effort')).currentWeekTotal + (await get('relative-effort')).previousWeeks[0],
      daily: (await get('daily')).days.reduce((sum: number, day: { runs: number }) => sum + day.runs, 0),
      years: (await get('yearly')).currentYear + (await get('yearly')).previousYear,
      weeks: (await get('yearly-weekly')).weeks.reduce(
        (sum: number, { distanceM }: { distanceM: number }) => sum + distanceM,
        0,
      ),
      insights: (await get('insights')).currentWorkouts,
    }
  }
  const both = await statistics()
  expect(both).toMatchObject({ records: new Set([left]), recap: 2, daily: 2, insights: 2 })
  expect(both.weeks).toBeCloseTo(6600, 6)

  const answer = await app.call('PATCH', `/workouts/${left}`, { json: { leftOut: true } })
  expect([answer.status, answer.json.leftOut]).toEqual([200, true])
  const one = await statistics()
  expect(one).toMatchObject({ records: new Set([kept]), recap: 1, daily: 1, insights: 1 })
  expect(one.weeks).toBeCloseTo(1800, 6)
  expect(one.years).toBeCloseTo(1800 / 1609.344, 6)
  expect(one.effort).toBeLessThan(both.effort)
  // counted or not, an effort of it holds nothing
  expect((await say(app, left, 400, true)).json).toMatchObject({ isRecord: true, counts: false })
  expect((await records(app))['400m']).toBe(kept)
  const { items } = (await app.call('GET', '/workouts')).json
  expect(items.map(({ id, leftOut }: { id: string; leftOut: boolean }) => [id, leftOut])).toEqual([
    [left, true],
    [kept, false],
  ])
  expect((await app.call('GET', `/workouts/${left}`)).json.leftOut).toBe(true)

  // null clears, other edits leave it, and neither is a word that a later recording would be kept from
  await app.call('PATCH', `/workouts/${left}`, { json: { rpe: 4 } })
  expect((await app.call('GET', `/workouts/${left}`)).json.leftOut).toBe(true)
  expect((await app.call('PATCH', `/workouts/${left}`, { json: { leftOut: null } })).json.leftOut).toBe(false)
  expect(await statistics()).toEqual(both)
  expect((await app.call('PATCH', `/workouts/${left}`, { json: { leftOut: 'yes' } })).status).toBe(400)
})

test('years and periods begin with the first run that counts', async () => {
  await using app = await testApp()
  const old = await app.run(fitRun({ startMs: Date.UTC(2019, 4, 1) }))
  await app.run(fitRun({ startMs: Date.UTC(2025, 4, 1) }))
  const asked = async () => [
    (await app.call('GET', '/stats/available-years')).json,
    (await app.call('GET', '/stats/available-periods')).json.length,
  ]
  const [years, periods] = await asked()
  expect(years).toEqual([2025, 2019])
  await app.call('PATCH', `/workouts/${old}`, { json: { leftOut: true } })
  expect(await asked()).toEqual([[2025], (periods as number) - 6])
})

test('archives carry the word on efforts and runs that are left out', async () => {
  await using source = await testApp()
  const run = await source.run(fitRun({ seconds: 2000 }))
  const ride = await source.run(rideOf(START_MS + DAY_MS))
  const left = await source.run(fitRun({ startMs: START_MS + 2 * DAY_MS, seconds: 900, speedMps: 4 }))
  await say(source, ride, 5000, true)
  await say(source, run, 400, false)
  await source.call('PATCH', `/workouts/${left}`, { json: { leftOut: true } })
  const before = await records(source)
  expect(before).toMatchObject({ '5K': ride, '1K': run })
  expect(before['400m']).toBeUndefined()

  await using target = await testApp()
  const answer = await restored(target, await exported(source))
  expect(answer.json).toMatchObject({ success: true, warnings: [], errors: [] })
  expect(await records(target)).toEqual(before)
  expect((await target.call('GET', `/workouts/${left}`)).json.leftOut).toBe(true)
  for (const id of [run, ride]) {
    const path = `/workouts/${id}/samples`
    expect((await target.call('GET', path)).json.bestEfforts).toEqual((await source.call('GET', path)).json.bestEfforts)
  }
})
