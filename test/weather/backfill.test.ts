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

/** Every tenth was run indoors. */
function library({ deps }: TestApp): void {
  deps.db.transaction(() => {
    for (let k = 0; k < RUNS; k += 1)
      addWorkout(deps, { id: idOf(k), ...(k % 10 === 0 ? {} : { routePreview: ROUTE }) })
  })
}

const outdoors = Array.from({ length: RUNS }, (_, k) => k)
  .filter((k) => k % 10 !== 0)
  .map(idOf)

const queued = ({ deps }: TestApp) => rowsOf(deps, 'weather_job', 'workout_id').map(({ workout_id: id }) => String(id))

describe('runs without weather', () => {
  test('are queued wherever in the library they are', async () => {
    await using app = await testApp()
    library(app)
    await backfillWeather(app.deps, new AbortController().signal)
    expect(queued(app)).toEqual(outdoors)
    for (const k of [1, 199, 201, 401, 1202]) removeRows(app.deps, 'weather_job', { workout_id: idOf(k) })
    await backfillWeather(app.deps, new AbortController().signal)
    expect(queued(app)).toEqual(outdoors)
  })

  test('are looked for a page at a time: requests come in between, and a stop ends it', async () => {
    await using app = await testApp()
    library(app)
    const stop = new AbortController()
    const done = backfillWeather(app.deps, stop.signal)
    await new Promise((resolve) => setImmediate(resolve))
    stop.abort()
    const soFar = queued(app)
    expect(soFar.length).toBeGreaterThan(0)
    expect(soFar.length).toBeLessThan(outdoors.length)
    await done
    expect(queued(app)).toEqual(soFar)
  })

  test('are queued by the start of the process, unless lookups are off', async () => {
    for (const [enabled, expected] of [
      ['true', [idOf(1)]],
      ['false', []],
    ] as [string, string[]][]) {
      await using app = await testApp({ env: { WEATHER_ENABLED: enabled } })
      addWorkout(app.deps, { id: idOf(1), routePreview: ROUTE })
      const jobs = startJobs(app.deps, 0)
      for (let tries = 0; tries < 20 || queued(app).length < expected.length; tries += 1) await Bun.sleep(1)
      await jobs.stop()
      expect(queued(app)).toEqual(expected)
    }
  })

  test('that cannot be queued are one line in the log and end nothing', async () => {
    await using app = await testApp()
    addWorkout(app.deps, { id: idOf(1), routePreview: ROUTE })
    refuse(app.deps, ['INSERT', 'weather_job'])
    await backfillWeather(app.deps, new AbortController().signal)
    expect(app.logged).toEqual([expect.stringContaining('The runs without weather could not be queued')])
  })
})
