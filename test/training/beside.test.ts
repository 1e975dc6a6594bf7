import { describe, expect, test } from 'bun:test'
import { openReceipt } from '../../src/library/receipts/record.ts'
import { keepCurrent } from '../../src/training/load-watch.ts'
import { type TestApp, testApp } from '../app.ts'
import { BY } from '../fixtures/by.ts'
import { fitRun } from '../fixtures/runs.ts'
import { countOf, rowsOf, setRows } from '../library/as-stored.ts'
import { madeRuns, storeRuns } from '../library/made-library.ts'
import { addRun, steady } from './days-ago.ts'

const DAY_MS = 86_400_000

describe('loads beside the runs', () => {
  const bySource = (app: TestApp, id: string, json: object) => app.call('PATCH', `/workouts/${id}`, { json })

  test('lists show them and sort by them; those without come last', async () => {
    await using app = await testApp()
    const [hour, half, none, out] = [3600, 1800, 0, 3600].map((durationS, day) => {
      return addRun(app, day, { durationS, movingTimeS: durationS })
    })
    await bySource(app, half!, { loadManual: 70.5 })
    await bySource(app, out!, { leftOut: true })
    const list = async (query: string) =>
      (await app.ok('GET', `/workouts?${query}`)).items.map(({ id, load, loadSource }: Record<string, unknown>) => [
        ...[id, load, loadSource],
      ])
    const without = [
      [none, null, null],
      [out, null, null],
    ]
    const rising = [[hour, 50, 'duration'], [half, 70.5, 'manual'], ...without]
    expect(await list('sortBy=load')).toEqual(rising)
    expect(await list('sortBy=Load&sortOrder=desc')).toEqual([rising[1]!, rising[0]!, ...without])
    const { previousId, nextId, position } = await app.ok('GET', `/workouts/${half}/neighbours?sortBy=load`)
    expect([previousId, nextId, position]).toEqual([hour, none, 2])
    expect(await app.ok('GET', `/workouts/${half}`)).toMatchObject({ load: 70.5, loadSource: 'manual' })
    const { days } = await app.ok('GET', '/stats/daily')
    expect(days.map(({ date, load }: Record<string, unknown>) => [date, load])).toEqual([
      ['2025-11-18', null],
      ['2025-11-19', 70.5],
      ['2025-11-20', 50],
    ])
    expect((await app.ok('GET', '/training/load')).days.map(({ load }: { load: number }) => load)).toEqual([
      0, 70.5, 50,
    ])
  })

  test('a list does not wait for loads while an import is under way, and has them when it is done', async () => {
    await using app = await testApp()
    const id = addRun(app, 1, { durationS: 3600, movingTimeS: 3600 })
    const deps = { ...app.deps, by: BY }
    const receipt = openReceipt(deps, { kind: 'import', title: 'many runs' })
    const load = async () => (await app.ok('GET', '/workouts')).items.map((item: { load: unknown }) => item.load)
    expect(await load()).toEqual([null])
    receipt?.finish()
    expect(await load()).toEqual([50])
    expect((await app.ok('GET', `/workouts/${id}`)).load).toBe(50)
  })

  test('an edit of many runs has the processor to itself: loads are computed when it is done', async () => {
    await using app = await testApp()
    const id = addRun(app, 1, { durationS: 3600, movingTimeS: 3600 })
    await app.deps.loads.refresh()
    const load = () => Number(rowsOf(app.deps, 'workout_load')[0]?.load) / 10
    const receipt = openReceipt({ ...app.deps, by: BY }, { kind: 'bulk_edit', title: 'Edited 10,000 runs' })
    await bySource(app, id, { loadManual: 12 })
    const computed = app.deps.loads.refresh()
    await Bun.sleep(100)
    expect(load()).toBe(50)
    receipt?.finish()
    await computed
    expect(load()).toBe(12)
    expect(await app.ok('GET', '/training/today')).toMatchObject({ recomputing: false })
  })

  test('in a library of more than 1,000 runs a change is answered before the loads are computed again', async () => {
    await using app = await testApp()
    keepCurrent(app.deps, () => app.deps.loads.refresh())
    const [id] = Array.from({ length: 1001 }, (_, day) => addRun(app, day, { durationS: 3600, movingTimeS: 3600 }))
    const load = async () => (await app.ok('GET', `/workouts/${id}`)).load
    expect(await load()).toBe(50)
    expect((await bySource(app, id!, { loadManual: 12 })).status).toBe(200)
    expect(await load()).toBe(50)
    app.pass(300)
    for (let turns = 0; (await load()) !== 12 && turns < 10_000; turns += 1) await Bun.sleep(2)
    expect(await load()).toBe(12)
  })

  test('until then the form is that of before, while goals and calendar have the run that was added', async () => {
    await using app = await testApp()
    await app.ok('POST', '/training/goals', { metric: 'runs', period: 'week', target: 5 })
    for (let day = 1; day <= 1001; day += 1) addRun(app, day, { durationS: 3600, movingTimeS: 3600 })
    await app.deps.loads.refresh()
    const today = () => app.ok('GET', '/training/today')
    const counts = async () => {
      const [goals, { days }] = [await app.ok('GET', '/training/goals'), await app.ok('GET', '/training/calendar')]
      return [goals[0].progress.done, days.length]
    }
    const before = await today()
    expect(before).toMatchObject({ load: 0, recomputing: false })
    const [done, days] = await counts()
    addRun(app, 0, { durationS: 3600, movingTimeS: 3600 })
    expect(await today()).toEqual({ ...before, recomputing: true })
    expect(await counts()).toEqual([done + 1, days + 1])
    await app.deps.loads.refresh()
    const after = await today()
    expect(after).toMatchObject({ load: 50, recomputing: false })
    expect(after.goals[0].progress.done).toBe(done + 1)
    expect(await counts()).toEqual([done + 1, days + 1])
  })

  test('an import, an edit and the deletion of a run announce new loads without a request, many runs by one event', async () => {
    await using app = await testApp()
    keepCurrent(app.deps, () => app.deps.loads.refresh())
    const stated: string[] = []
    app.deps.events.subscribe(({ event }) => stated.push(event))
    const count = () => stated.filter((event) => event === 'training.updated').length
    const settled = async (wanted: number) => {
      app.pass(300)
      for (let turns = 0; count() < wanted && turns < 10_000; turns += 1) await Bun.sleep(2)
      expect(count()).toBe(wanted)
    }
    const ids: string[] = []
    for (const day of [1, 2, 3]) {
      ids.push(await app.run(fitRun({ startMs: app.clock.nowMs - day * DAY_MS }), `${day}.fit`))
    }
    expect(count()).toBe(0)
    // who looks at one has its load at once, and takes the news from nobody
    expect((await app.ok('GET', `/workouts/${ids[0]}`)).load).toBeGreaterThan(0)
    expect(count()).toBe(0)
    await settled(1)
    expect(countOf(app.deps, 'workout_load')).toBe(3)
    await bySource(app, ids[0]!, { loadManual: 12 })
    await settled(2)
    await app.call('DELETE', `/workouts/${ids[1]}`)
    await settled(3)
    // what loads are not made of says nothing
    await bySource(app, ids[2]!, { notes: 'windy' })
    app.pass(300)
    await Bun.sleep(20)
    expect(count()).toBe(3)
  })

  test('of an import without end they are computed every ten seconds', async () => {
    await using app = await testApp()
    const end = keepCurrent(app.deps, () => app.deps.loads.refresh())
    let stated = 0
    app.deps.events.subscribe(({ event }) => {
      if (event === 'training.updated') stated += 1
    })
    for (let i = 0; i < 60; i += 1) {
      const id = addRun(app, i)
      app.deps.events.emit({ event: 'workout.created', data: { id } })
      app.pass(200)
      await Bun.sleep(1)
    }
    for (let turns = 0; stated < 1 && turns < 10_000; turns += 1) await Bun.sleep(2)
    await Bun.sleep(20)
    expect(stated).toBe(1)
    end()
    app.pass(20_000)
    await Bun.sleep(20)
    expect(stated).toBe(1)
  })
})

test('the cost of warmth is that of the one fit where it is sure, else from published measurements', async () => {
  await using app = await testApp()
  const warm = { weatherTemperatureC: 27, weatherHumidity: 55, durationS: 3600, utcOffsetMinutes: 0 }
  const hot = addRun(app, 0, warm)
  const heat = async (id: string) => (await app.ok('GET', `/workouts/${id}/training`)).conditions.heatCostPct
  expect(await heat(hot)).toMatchObject({ own: false })
  const ids = storeRuns(app, madeRuns({ heat: [0.006, 0.004, 0.004] }))
  await app.deps.loads.refresh()
  const { heat: curve } = await app.ok('GET', '/truth/conditions')
  const own = await heat(hot)
  expect(own).toMatchObject({ own: true })
  // at a WBGT of 26.7, between two points of the curve
  const { wbgtC } = (await app.ok('GET', `/workouts/${hot}/training`)).conditions
  const [below, above] = [26, 28].map((at) => curve.find((point: { wbgtC: number }) => point.wbgtC === at).cost)
  const share = (wbgtC - 26) / 2
  // both are rounded to tenths
  for (const [end, name] of [
    ['low', 'low'],
    ['mid', 'value'],
    ['high', 'high'],
  ] as const) {
    expect(Math.abs(own[end] - (below[name] + share * (above[name] - below[name])))).toBeLessThan(0.16)
  }
  // no cost of cold, and none of what is short
  expect(await heat(addRun(app, 0, { ...warm, weatherTemperatureC: 4 }))).toEqual({
    low: 0,
    mid: 0,
    high: 0,
    own: false,
  })
  expect(await heat(addRun(app, 0, { ...warm, durationS: 1500 }))).toBeNull()
  expect(ids.length).toBeGreaterThan(300)
})

test('its conditions are ranges, and wind is felt by the way that was run', async () => {
  await using app = await testApp()
  const id = await app.run(fitRun({ seconds: 2400 }))
  expect((await app.ok('GET', `/workouts/${id}/training`)).conditions).toBeNull()
  const wind = { weather_wind_speed_mps: 5, weather_wind_direction: 0 }
  setRows(app.deps, 'workout', { weather_temperature_c: 25, weather_humidity: 60, ...wind })
  const { conditions } = await app.ok('GET', `/workouts/${id}/training`)
  expect(conditions).toMatchObject({ wbgtC: 25.6, dewPointC: 16.7, headWindMps: 5 })
  expect(conditions.heatCostPct).toEqual({ low: 1.6, mid: 3.7, high: 9, own: false })
  expect(conditions.windCostPct.low).toBeLessThan(conditions.windCostPct.mid)
  expect(conditions.windCostPct.mid).toBeLessThan(conditions.windCostPct.high)
})

test('a race of years ago is in the weeks of then with its time', async () => {
  await using app = await testApp()
  const startMs = app.clock.nowMs - 500 * DAY_MS
  for (const day of [510, 506, 503, 497]) await steady(app, day, { seconds: 2400, speedMps: 3.2, hr: 145 })
  const id = await app.run(fitRun({ startMs, seconds: 1500, speedMps: 4, hr: 170 }), 'old.fit')
  await app.call('PATCH', `/workouts/${id}`, { json: { runType: 'Race' } })
  const { points, vdot } = await app.ok('GET', '/training/vo2max?weeks=104')
  const race = points.find(({ workoutId }: { workoutId: string }) => workoutId === id)
  expect(race).toMatchObject({ source: 'race', used: true })
  expect(race.value).toBeGreaterThan(40)
  // too old to say what could be raced today
  expect(vdot).toMatchObject({ value: null, reasons: expect.arrayContaining(['uncertain', 'stale', 'noRace']) })
  expect((await app.ok('GET', '/training/vo2max')).points).toEqual([])
})
