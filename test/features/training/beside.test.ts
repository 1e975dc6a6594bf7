import { expect, test } from 'bun:test'
import { keepCurrent } from '../../../src/features/training/load-watch.ts'
import { type TestApp, testApp } from '../../app.ts'
import { fitRun } from '../../fixtures/runs.ts'
import { countOf } from '../../library/as-stored.ts'
import { madeRuns, storeRuns } from '../../library/made-library.ts'
import { each, rowWith, said } from '../../rows.ts'
import { addRun, profileOf } from './days-ago.ts'

const DAY_MS = 86_400_000

const patch = (app: TestApp, id: string, json: object) => app.ok('PATCH', `/workouts/${id}`, json)
const lasting = (app: TestApp, day: number, s = 3600) => addRun(app, day, { durationS: s, movingTimeS: s })

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

test('an import, an edit, the deletion of a run and a setting announce new loads without a request, many runs by one event', async () => {
  await using app = await testApp()
  keepCurrent(app.deps, () => app.deps.loads.refresh())
  let count = 0
  app.deps.events.subscribe(({ event }) => {
    if (event === 'training.updated') count += 1
  })
  const settled = async (wanted: number) => {
    app.pass(300)
    for (let turns = 0; count < wanted && turns < 10_000; turns += 1) await Bun.sleep(2)
    expect(count).toBe(wanted)
  }
  const ids: string[] = []
  for (const day of [1, 2, 3]) ids.push(await app.run(fitRun({ startMs: app.clock.nowMs - day * DAY_MS })))
  expect(count).toBe(0)
  // who looks at one has its load at once, and takes the news from nobody
  expect((await app.ok('GET', `/workouts/${ids[0]}`)).load).toBeGreaterThan(0)
  expect(count).toBe(0)
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
  expect(count).toBe(4)
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
