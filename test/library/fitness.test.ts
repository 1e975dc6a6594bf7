import { expect, test } from 'bun:test'
import { RECEIPT_HEADER } from '../../src/http/author.ts'
import { type TestApp, testApp } from '../app.ts'
import { raced, steady } from '../features/training/days-ago.ts'
import { seededRandom } from '../fixtures/knots.ts'
import { fitRun } from '../fixtures/runs.ts'
import { rowsOf, setRows } from './as-stored.ts'

async function fitted({ deps }: TestApp) {
  await deps.loads.refresh()
  return deps.loads.fitness()!
}

/** All that a fit says, to the digit. */
async function said(app: TestApp) {
  const { fit, rows, today } = await fitted(app)
  const days = [today - 30, today - 7, today]
  return [days.map((day) => [fit?.mean(day, null), fit?.sd(day, 5000)]), rows]
}

test('fewer than four runs fit nothing; runs without heart rate are rows of their own', async () => {
  await using app = await testApp()
  expect(await fitted(app)).toMatchObject({ fit: null, rows: [], ids: [] })
  for (const day of [4, 8]) await steady(app, day, { seconds: 2400, speedMps: 3.2, hr: 145 })
  await app.run(fitRun({ startMs: app.clock.nowMs - 12 * 86_400_000, seconds: 2400, hr: 0 }), 'no-pulse.fit')
  const three = await fitted(app)
  expect(three.fit).toBeNull()
  expect(three.rows.filter(({ kind }) => kind !== 'E').map(({ kind }) => kind)).toEqual(['P', 'H', 'H'])
  expect(three.run(0)).toMatchObject({ bpm: null, countedS: 1800, speedCv: 0, mps: expect.closeTo(3, 2) })
  await raced(app, 2, { seconds: 1500, speedMps: 4.2, hr: 180 })
  const four = await fitted(app)
  expect(four.rows.filter(({ kind }) => kind !== 'E').map(({ kind }) => kind)).toEqual(['P', 'H', 'H', 'R'])
  expect(four.fit!.mean(four.today, null)).toBeGreaterThan(Math.log(4.2))
  expect(four.fit!.sd(four.today, null)).toBeLessThan(0.1)
})

test('weather, an edit, a deletion and their undo give the fit of a library that never had them', async () => {
  await using app = await testApp()
  const ids = []
  for (const day of [4, 8, 12, 16, 20]) ids.push(await steady(app, day, { seconds: 2400, speedMps: 3.2, hr: 145 }))
  const before = await said(app)
  const { revision } = app.deps.loads.fitness()!
  setRows(app.deps, 'workout', { weather_temperature_c: 30, weather_humidity: 60 })
  expect(await said(app)).not.toEqual(before)
  setRows(app.deps, 'workout', { weather_temperature_c: null, weather_humidity: null })
  expect(await said(app)).toEqual(before)
  expect(app.deps.loads.fitness()!.revision).toBeGreaterThan(revision)
  await app.ok('PATCH', `/workouts/${ids[0]}`, { excludeFromEstimates: true })
  expect(await said(app)).not.toEqual(before)
  await app.ok('PATCH', `/workouts/${ids[0]}`, { excludeFromEstimates: false })
  expect(await said(app)).toEqual(before)
  const { headers } = await app.call('DELETE', `/workouts/${ids[1]}`)
  expect((await fitted(app)).ids).not.toContain(ids[1]!)
  await app.ok('POST', `/receipts/${headers.get(RECEIPT_HEADER)}/undo`)
  expect(await said(app)).toEqual(before)
})

test('the first race moves no load with heart rate, and loads by pace by little', async () => {
  await using app = await testApp()
  const chance = seededRandom(7)
  for (let day = 60; day > 2; day -= 4) {
    const [effort, scatter] = [chance(), 0.02 * (chance() - 0.5)]
    const hr = Math.round(135 + 25 * effort)
    await steady(app, day, { seconds: 2400, speedMps: (2.7 + 0.6 * effort) * (1 + scatter), hr })
  }
  for (const day of [41, 19]) {
    await app.run(fitRun({ startMs: app.clock.nowMs - day * 86_400_000, seconds: 2400, hr: 0 }), `${day}-no-pulse.fit`)
  }
  const stored = async () => {
    await app.deps.loads.refresh()
    return rowsOf(app.deps, 'workout_load', 'workout_id', 'source', 'load')
  }
  const before = await stored()
  expect(before.map(({ source }) => source).toSorted()).toEqual([...Array(15).fill('heartRate'), 'pace', 'pace'])
  const race = await raced(app, 1, { seconds: 1500, speedMps: 4.4, hr: 182 })
  const after = (await stored()).filter(({ workout_id }) => workout_id !== race)
  for (const [i, { source, load }] of after.entries()) {
    if (source === 'heartRate') expect(load).toBe(before[i]!.load!)
    else expect(Math.abs(Number(load) / Number(before[i]!.load) - 1)).toBeLessThan(0.05)
  }
})
