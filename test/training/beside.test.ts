import { describe, expect, test } from 'bun:test'
import { openReceipt } from '../../src/library/receipts/record.ts'
import { keepCurrent } from '../../src/training/load-watch.ts'
import { type TestApp, testApp } from '../app.ts'
import { BY } from '../fixtures/by.ts'
import { fitRun } from '../fixtures/runs.ts'
import { countOf, rowsOf, setRows } from '../library/as-stored.ts'
import { madeRuns, storeRuns } from '../library/made-library.ts'
import { each, rowWith, said } from '../rows.ts'
import { addRun, profileOf, raced, steady } from './days-ago.ts'

const DAY_MS = 86_400_000

describe('loads beside the runs', () => {
  const patch = (app: TestApp, id: string, json: object) => app.ok('PATCH', `/workouts/${id}`, json)
  const lasting = (app: TestApp, day: number, s = 3600) => addRun(app, day, { durationS: s, movingTimeS: s })
  const until = async (isTrue: () => boolean | Promise<boolean>) => {
    for (let turns = 0; !(await isTrue()) && turns < 10_000; turns += 1) await Bun.sleep(2)
    expect(await isTrue()).toBe(true)
  }
  /** How many times new loads were announced. */
  const announced = (app: TestApp) => {
    let count = 0
    app.deps.events.subscribe(({ event }) => {
      if (event === 'training.updated') count += 1
    })
    return () => count
  }

  test('lists show them and sort by them; those without come last', async () => {
    await using app = await testApp()
    const [hour, half, none, out] = [3600, 1800, 0, 3600].map((s, day) => lasting(app, day, s))
    await patch(app, half!, { loadManual: 70.5 })
    await patch(app, out!, { leftOut: true })
    const list = async (query: string) =>
      said((await app.ok('GET', `/workouts?${query}`)).items, 'id', 'load', 'loadSource')
    const without = [none, out].map((id) => [id, null, null])
    const rising = [[hour, 50, 'duration'], [half, 70.5, 'manual'], ...without]
    expect(await list('sortBy=load')).toEqual(rising)
    expect(await list('sortBy=Load&sortOrder=desc')).toEqual([rising[1]!, rising[0]!, ...without])
    const between = { previousId: hour, nextId: none, position: 2 }
    expect(await app.ok('GET', `/workouts/${half}/neighbours?sortBy=load`)).toMatchObject(between)
    expect(await app.ok('GET', `/workouts/${half}`)).toMatchObject({ load: 70.5, loadSource: 'manual' })
    expect(said((await app.ok('GET', '/stats/daily')).days, 'date', 'load')).toEqual([
      ['2025-11-18', null],
      ['2025-11-19', 70.5],
      ['2025-11-20', 50],
    ])
    expect(each((await app.ok('GET', '/training/load')).days, 'load')).toEqual([0, 70.5, 50])
  })

  test('lists do not wait for them while an import is under way, and an edit of many runs has the processor to itself', async () => {
    await using app = await testApp()
    const id = lasting(app, 1)
    const load = async () => each((await app.ok('GET', '/workouts')).items, 'load')
    const deps = { ...app.deps, by: BY }
    const receipt = openReceipt(deps, { kind: 'import', title: 'many runs' })
    expect(await load()).toEqual([null])
    receipt?.finish()
    expect(await load()).toEqual([50])
    expect((await app.ok('GET', `/workouts/${id}`)).load).toBe(50)

    const kept = () => Number(rowsOf(app.deps, 'workout_load')[0]?.load) / 10
    const edit = openReceipt(deps, { kind: 'bulk_edit', title: 'Edited 10,000 runs' })
    await patch(app, id, { loadManual: 12 })
    const computed = app.deps.loads.refresh()
    await Bun.sleep(100)
    expect(kept()).toBe(50)
    edit?.finish()
    await computed
    expect(kept()).toBe(12)
    expect(await app.ok('GET', '/training/today')).toMatchObject({ recomputing: false })
  })

  test('in a library of more than 1,000 runs a change is answered before them: form is that of before, goals and calendar are not', async () => {
    await using app = await testApp()
    await app.ok('POST', '/training/goals', { metric: 'runs', period: 'week', target: 5 })
    const [id] = Array.from({ length: 1001 }, (_, day) => lasting(app, day + 1))
    await app.deps.loads.refresh()
    const today = () => app.ok('GET', '/training/today')
    const counts = async () => {
      const [{ progress }] = await app.ok('GET', '/training/goals')
      return [progress.done, (await app.ok('GET', '/training/calendar')).days.length]
    }
    const before = await today()
    expect(before).toMatchObject({ load: 0, recomputing: false })
    const [done, days] = await counts()
    lasting(app, 0)
    expect(await today()).toEqual({ ...before, recomputing: true })
    expect(await counts()).toEqual([done + 1, days + 1])
    await app.deps.loads.refresh()
    const after = await today()
    expect(after).toMatchObject({ load: 50, recomputing: false, goals: [{ progress: { done: done + 1 } }] })
    expect(await counts()).toEqual([done + 1, days + 1])

    keepCurrent(app.deps, () => app.deps.loads.refresh())
    const load = async () => (await app.ok('GET', `/workouts/${id}`)).load
    expect(await load()).toBe(50)
    await patch(app, id!, { loadManual: 12 })
    expect(await load()).toBe(50)
    app.pass(300)
    await until(async () => (await load()) === 12)
  })

  test('an import, an edit, the deletion of a run and a setting announce new loads without a request, many runs by one event', async () => {
    await using app = await testApp()
    keepCurrent(app.deps, () => app.deps.loads.refresh())
    const count = announced(app)
    const settled = async (wanted: number) => {
      app.pass(300)
      await until(() => count() >= wanted)
      expect(count()).toBe(wanted)
    }
    const ids: string[] = []
    for (const day of [1, 2, 3]) ids.push(await app.run(fitRun({ startMs: app.clock.nowMs - day * DAY_MS })))
    expect(count()).toBe(0)
    // who looks at one has its load at once, and takes the news from nobody
    expect((await app.ok('GET', `/workouts/${ids[0]}`)).load).toBeGreaterThan(0)
    expect(count()).toBe(0)
    await settled(1)
    expect(countOf(app.deps, 'workout_load')).toBe(3)
    await patch(app, ids[0]!, { loadManual: 12 })
    await settled(2)
    await app.call('DELETE', `/workouts/${ids[1]}`)
    await settled(3)
    await profileOf(app, { maxHeartRateBpm: 175 })
    await settled(4)
    // what loads are not made of says nothing
    await patch(app, ids[2]!, { notes: 'windy' })
    app.pass(300)
    await Bun.sleep(20)
    expect(count()).toBe(4)
  })

  test('of an import without end they are computed every ten seconds', async () => {
    await using app = await testApp()
    const end = keepCurrent(app.deps, () => app.deps.loads.refresh())
    const count = announced(app)
    for (let i = 0; i < 60; i += 1) {
      app.deps.events.emit({ event: 'workout.created', data: { id: addRun(app, i) } })
      app.pass(200)
      await Bun.sleep(1)
    }
    await until(() => count() > 0)
    for (const last of [() => {}, end]) {
      last()
      if (last === end) app.pass(20_000)
      await Bun.sleep(20)
      expect(count()).toBe(1)
    }
  })
})

test('the cost of warmth is that of the one fit where it is sure, else from published measurements', async () => {
  await using app = await testApp()
  const warm = { weatherTemperatureC: 27, weatherHumidity: 55, durationS: 3600, utcOffsetMinutes: 0 }
  const hot = addRun(app, 0, warm)
  const conditions = async (id: string) => (await app.ok('GET', `/workouts/${id}/training`)).conditions
  expect((await conditions(hot)).heatCostPct).toMatchObject({ own: false })
  const ids = storeRuns(app, madeRuns({ heat: [0.006, 0.004, 0.004] }))
  expect(ids.length).toBeGreaterThan(300)
  await app.deps.loads.refresh()
  const { heat: curve } = await app.ok('GET', '/truth/conditions')
  const { heatCostPct: own, wbgtC } = await conditions(hot)
  expect(own.own).toBe(true)
  // at a WBGT of 26.7, between two points of the curve; both are rounded to tenths
  const [below, above] = [26, 28].map((at) => rowWith(curve, 'wbgtC', at).cost)
  for (const [end, name] of Object.entries({ low: 'low', mid: 'value', high: 'high' })) {
    const between = below[name] + ((wbgtC - 26) / 2) * (above[name] - below[name])
    expect(Math.abs(own[end] - between), end).toBeLessThan(0.16)
  }
  // no cost of cold, and none of what is short
  const cold = await conditions(addRun(app, 0, { ...warm, weatherTemperatureC: 4 }))
  expect(cold.heatCostPct).toEqual({ low: 0, mid: 0, high: 0, own: false })
  expect((await conditions(addRun(app, 0, { ...warm, durationS: 1500 }))).heatCostPct).toBeNull()
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
  const { low, mid, high } = conditions.windCostPct
  expect(low < mid && mid < high).toBe(true)
})

test('a race of years ago is in the weeks of then with its time', async () => {
  await using app = await testApp()
  for (const day of [510, 506, 503, 497]) await steady(app, day, { seconds: 2400, speedMps: 3.2, hr: 145 })
  const id = await raced(app, 500, { seconds: 1500, speedMps: 4, hr: 170 })
  const { points, vdot } = await app.ok('GET', '/training/vo2max?weeks=104')
  const race = rowWith(points, 'workoutId', id)
  expect(race).toMatchObject({ source: 'race', used: true })
  expect(race.value).toBeGreaterThan(40)
  // too old to say what could be raced today
  expect(vdot).toMatchObject({ value: null, reasons: expect.arrayContaining(['uncertain', 'stale', 'noRace']) })
  expect((await app.ok('GET', '/training/vo2max')).points).toEqual([])
})
