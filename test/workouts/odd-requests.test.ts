import { expect, test } from 'bun:test'
import { testApp } from '../app.ts'
import { fitFile } from '../fixtures/fit.ts'
import { fitRun, START_MS } from '../fixtures/runs.ts'

const DAY_MS = 86_400_000

// lower case already, and found in every object that is used as a table
test.each(['constructor', '__proto__', 'CONSTRUCTOR'])(
  'sortBy=%s is an unknown sort: the latest first',
  async (sortBy) => {
    await using app = await testApp()
    for (const day of [1, 0, 2]) {
      await app.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun({ startMs: START_MS + day * DAY_MS }) }])
    }
    const plain = await app.call('GET', '/workouts')
    expect(plain.json.items.map((run: { startedAt: string }) => run.startedAt)).toEqual([
      '2025-11-03T07:00:00Z',
      '2025-11-02T07:00:00Z',
      '2025-11-01T07:00:00Z',
    ])
    const { status, json } = await app.call('GET', `/workouts?sortBy=${sortBy}`)
    expect(status).toBe(200)
    expect(json).toEqual(plain.json)
    expect(app.logged).toEqual([])
  },
)

test('a crop never adds calories, even where the samples last longer than the device said', async () => {
  await using app = await testApp()
  const samples = Array.from({ length: 601 }, (_, t) => ({ t, lat: 47 + (t * 3) / 111_170, lon: 8, distanceM: t * 3 }))
  const session = { calories: 100, totalElapsedS: 590, totalTimerS: 590, totalDistanceM: 1800 }
  const file = fitFile({ startMs: START_MS, samples, session })
  const { json } = await app.upload('/workouts/import', [{ name: 'a.fit', bytes: file }])
  expect(json.durationS).toBe(590)
  const whole = await app.call('POST', `/workouts/${json.id}/crop`, { json: { removeFromStartSeconds: 0 } })
  expect(whole.json).toMatchObject({ durationS: 600, calories: 100 })
  const half = await app.call('POST', `/workouts/${json.id}/crop`, { json: { removeFromEndSeconds: 300 } })
  expect(half.json).toMatchObject({ durationS: 300, calories: 50 })
})

test('a crop that is refused names its seconds without the noise of binary fractions', async () => {
  await using app = await testApp()
  const { json } = await app.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun() }])
  const crop = { removeFromStartSeconds: 590.1, removeFromEndSeconds: 5.2 }
  const { status, text } = await app.call('POST', `/workouts/${json.id}/crop`, { json: crop })
  expect(status).toBe(400)
  expect(text).toContain('Cannot crop 595.3 s from a workout of 600 s')
})

test('an edit with half a character is answered as it is stored', async () => {
  await using app = await testApp()
  const { json } = await app.upload('/workouts/import', [{ name: 'a.fit', bytes: fitRun() }])
  const body = String.raw`{"name":"hill\ud83d","notes":"\udc00!"}`
  const headers = { 'content-type': 'application/json' }
  const edited = await app.call('PATCH', `/workouts/${json.id}`, { body, headers })
  const expected = { name: 'hill\ufffd', notes: '\ufffd!' }
  expect(edited.json).toMatchObject(expected)
  expect((await app.call('GET', `/workouts/${json.id}?includeRaw=false`)).json).toMatchObject(expected)
})
