import { describe, expect, test } from 'bun:test'
import { startJobs } from '../../src/jobs.ts'
import { backfillWeather } from '../../src/weather/backfill.ts'
import { type TestApp, testApp } from '../app.ts'
import { pairs } from '../fixtures/pairs.ts'
import { refuse, removeRows, rowsOf } from '../library/as-stored.ts'
import { addWorkout } from '../library/feature-app.ts'

const RUNS = 1203
const ROUTE = pairs('8,47 8,47.01')
const idOf = (k: number) => `0198a000-0000-7000-8000-${k.toString(16).padStart(12, '0')}`
const isOutdoors = (k: number) => k % 10 !== 0
const outdoors = [...Array(RUNS).keys()].filter(isOutdoors).map(idOf)

async function library(): Promise<TestApp> {
  const app = await testApp()
  const { deps } = app
  const addAll = (k: number) => addWorkout(deps, { id: idOf(k), ...(isOutdoors(k) ? { routePreview: ROUTE } : {}) })
  deps.db.transaction(() => [...Array(RUNS).keys()].forEach(addAll))
  return app
}

const queued = ({ deps }: TestApp) => rowsOf(deps, 'weather_job', 'workout_id').map(({ workout_id: id }) => String(id))

describe('runs without weather', () => {
  test('are queued wherever in the library they are', async () => {
    await using app = await library()
    await backfillWeather(app.deps, new AbortController().signal)
    expect(queued(app)).toEqual(outdoors)
    for (const k of [1, 199, 201, 401, 1202]) removeRows(app.deps, 'weather_job', { workout_id: idOf(k) })
    await backfillWeather(app.deps, new AbortController().signal)
    expect(queued(app)).toEqual(outdoors)
  })

  test('are looked for a page at a time: requests come in between, and a stop ends it', async () => {
    await using app = await library()
    const stop = new AbortController()
    const done = backfillWeather(app.deps, stop.signal)
    await new Promise((resolve) => setImmediate(resolve))
    stop.abort()
    const soFar = queued(app)
    expect(soFar.length).toBeWithin(1, outdoors.length)
    await done
    expect(queued(app)).toEqual(soFar)
  })

  test.each([
    ['true', [idOf(1)]],
    ['false', []],
  ])('are queued by the start of the process when lookups are on: %s', async (enabled, expected) => {
    await using app = await testApp({ env: { WEATHER_ENABLED: enabled } })
    addWorkout(app.deps, { id: idOf(1), routePreview: ROUTE })
    const jobs = startJobs(app.deps, 0)
    for (let tries = 0; tries < 20 || queued(app).length < expected.length; tries += 1) await Bun.sleep(1)
    await jobs.stop()
    expect(queued(app)).toEqual(expected)
  })

  test('that cannot be queued are one line in the log and end nothing', async () => {
    await using app = await testApp()
    addWorkout(app.deps, { id: idOf(1), routePreview: ROUTE })
    refuse(app.deps, ['INSERT', 'weather_job'])
    await backfillWeather(app.deps, new AbortController().signal)
    expect(app.logged).toEqual([expect.stringContaining('The runs without weather could not be queued')])
  })
})

test('the switch of lookups is stored beside the other settings, and says when the service itself has none', async () => {
  await using app = await testApp()
  const available = app.deps.config.weatherEnabled
  expect(await app.ok('GET', '/settings/weather')).toEqual({ lookups: true, available })
  await app.ok('PUT', '/settings/unit-preference', { unitPreference: 'imperial' })
  expect(await app.ok('PUT', '/settings/weather', { lookups: false })).toEqual({ lookups: false, available })
  expect(await app.ok('GET', '/settings/unit-preference')).toEqual({ unitPreference: 'imperial' })
})
