import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Db } from '../../src/db/open.ts'
import { createEvents } from '../../src/events/emitter.ts'
import { changeSettings } from '../../src/library/settings.ts'
import { enqueueWeather } from '../../src/library/weather.ts'
import { consoleLog } from '../../src/log.ts'
import { openMeteoClient } from '../../src/weather/client.ts'
import { createWeatherQueue } from '../../src/weather/queue.ts'
import { testApp } from '../app.ts'
import { type OpenMeteoServer, openMeteoServer } from '../fixtures/open-meteo.ts'
import { addWorkout, CONFIG } from '../library/feature-app.ts'
import { memoryDb } from '../library/memory-db.ts'

const NOW_MS = Date.parse('2025-06-20T12:00:00Z')

let server: OpenMeteoServer
let db: Db
beforeEach(() => {
  server = openMeteoServer()
  db = memoryDb()
})
afterEach(async () => {
  db.$client.close()
  await server.stop()
})

test('nothing leaves while the runner wants no weather; what waited is asked for when it is wanted again', async () => {
  const { baseUrl } = server
  const config = { ...CONFIG, weatherEnabled: true, weatherBaseUrl: baseUrl, weatherArchiveBaseUrl: baseUrl }
  const log = consoleLog('error', { write: () => {} })
  const weather = openMeteoClient(config, 200)
  const deps = { db, config, now: () => NOW_MS, weather, log, events: createEvents() }
  const queue = createWeatherQueue(deps)
  const place: [number, number] = [13.4, 52.5]
  addWorkout({ db }, { id: 'old', startedAt: Date.parse('2025-05-10T08:00:00Z'), routePreview: [place, [13.5, 52.5]] })
  enqueueWeather(db, 'old', NOW_MS)
  changeSettings(db, deps, { weatherLookups: false })
  expect(await queue.step()).toBeNull()
  expect(server.requests).toHaveLength(0)
  changeSettings(db, deps, { weatherLookups: true })
  await queue.step()
  expect(server.requests).toHaveLength(1)
})

test('the switch is stored beside the other settings and says when the service itself has none', async () => {
  await using app = await testApp()
  const path = '/settings/weather'
  const available = app.deps.config.weatherEnabled
  expect((await app.call('GET', path)).json).toEqual({ lookups: true, available })
  await app.call('PUT', '/settings/unit-preference', { json: { unitPreference: 'imperial' } })
  expect((await app.call('PUT', path, { json: { lookups: false } })).json).toEqual({ lookups: false, available })
  expect((await app.call('GET', path)).json).toEqual({ lookups: false, available })
  expect((await app.call('GET', '/settings/unit-preference')).json).toEqual({ unitPreference: 'imperial' })
})
