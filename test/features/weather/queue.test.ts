import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Event } from '../../../src/base/events.ts'
import { consoleLog } from '../../../src/base/log.ts'
import { startJobs } from '../../../src/commands/jobs.ts'
import { openMeteoClient } from '../../../src/features/weather/client.ts'
import { backfillWeather, createWeatherQueue } from '../../../src/features/weather/queue.ts'
import { changeSettings } from '../../../src/library/settings.ts'
import { conditionText, enqueueWeather } from '../../../src/library/weather.ts'
import { type TestApp, testApp } from '../../app.ts'
import { DRIZZLE, type OpenMeteoServer, openMeteoServer, refusal, UNKNOWN_HOUR } from '../../fixtures/open-meteo.ts'
import { removeRows, rowsOf, setRows } from '../../library/as-stored.ts'
import { addWorkout } from '../../library/feature-app.ts'
import { addRecording } from '../../library/recordings.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const TODAY_MS = Date.parse('2025-06-20T12:00:00Z')
/** Precise enough to be someone's door. */
const HOME: [number, number] = [13.40495, 52.52001]

let server: OpenMeteoServer
let app: TestApp
let logged: string[]
let emitted: Event[]

beforeEach(async () => {
  server = openMeteoServer()
  app = await testApp()
  app.clock.nowMs = TODAY_MS
  ;[logged, emitted] = [[], []]
  app.deps.events.subscribe((event) => event.event === 'workout.updated' && emitted.push(event))
})
afterEach(async () => {
  await app.close()
  await server.stop()
})

const log = consoleLog('debug', { write: (line) => logged.push(line) })

/** A queue as after a start of the process: it knows the database and nothing else. */
function startedQueue({ weatherEnabled = true, requestsADay = 5000, timeoutMs = 10_000 } = {}) {
  const { baseUrl } = server
  const config = { ...app.deps.config, weatherEnabled, weatherBaseUrl: baseUrl, weatherArchiveBaseUrl: baseUrl }
  return createWeatherQueue({ ...app.deps, config, weather: openMeteoClient(config, timeoutMs), log }, requestsADay)
}

/** What a start of the process does. */
const backfill = () => backfillWeather({ ...app.deps, log })

/** Calls the queue whenever it wants to be called, moving the clock, until it is idle or the time is over. */
async function drive(queue = startedQueue(), forMs = 10 * MINUTE_MS): Promise<number | null> {
  const { clock } = app
  const endMs = clock.nowMs + forMs
  for (let calls = 0; calls < 1000; calls++) {
    const nextMs = await queue.step()
    if (nextMs === null || nextMs > endMs) return nextMs
    clock.nowMs = Math.max(clock.nowMs, nextMs)
  }
  throw new Error('the queue never rests')
}

function addRun(values: Partial<Parameters<typeof addWorkout>[1]>, isQueued = true): void {
  const place = { routePreview: [HOME, [13.5, 52.5]], minElevM: 34, maxElevM: 42 }
  const run = { id: 'old', startedAt: Date.parse('2025-05-10T08:00:00Z'), ...place, ...values }
  addWorkout(app.deps, run)
  if (isQueued) enqueueWeather(app.deps.db, run.id, app.clock.nowMs)
}

function weatherOf(id = 'old'): Record<string, unknown> | null {
  const weather = rowsOf(app.deps, 'workout').find((row) => row.id === id)?.weather
  return weather ? JSON.parse(String(weather)) : null
}

const jobs = () => rowsOf(app.deps, 'weather_job', 'workout_id', 'due_at', 'attempts', 'state')
/** Endpoint, first and last day of every request. */
const asked = () =>
  server.requests.map(
    ({ pathname, searchParams: of }) => `${pathname.slice(4)} ${of.get('start_date')} ${of.get('end_date')}`,
  )

describe('a run of six weeks ago', () => {
  test('gets the archive’s weather in object and columns, once, and the client is notified', async () => {
    addRun({})
    expect(await drive()).toBeNull()
    expect(weatherOf()).toEqual({
      ...{ source: 'open_meteo', fetchedAt: '2025-06-20T12:00:00Z', quality: 'final', temperature: 12, humidity: 80 },
      ...{ precipitation: 0.4, weatherCode: 51, condition: conditionText(51), windSpeed: 3.2, windDirection: 245.7 },
      ...{ pressure: 1009.3, apparentTemperature: 10.5, dewPoint: 8.6, windGust: 7.1 },
    })
    expect(rowsOf(app.deps, 'workout')[0]).toMatchObject({
      ...{ weather_temperature_c: 12, weather_humidity: 80, weather_precipitation_mm: 0.4, weather_code: 51 },
      ...{ weather_wind_speed_mps: 3.2, weather_wind_direction: 245.7 },
    })
    // its UTC days, and the first tenth of a degree only
    expect(asked()).toEqual(['archive 2025-05-10 2025-05-10'])
    const place = { latitude: '52.5', longitude: '13.4', elevation: '40' }
    expect(Object.fromEntries(server.requests[0]!.searchParams)).toMatchObject(place)
    expect(emitted).toEqual([{ event: 'workout.updated', data: { id: 'old' } }])
    expect(jobs()).toEqual([])
  })

  test.each([
    ['2025-05-10T23:20:00Z', 1800, '2025-05-10 2025-05-11'],
    ['2025-05-10T00:05:00Z', 1800, '2025-05-10 2025-05-10'],
    ['2025-05-10T22:00:00Z', 3600, '2025-05-10 2025-05-10'],
  ])('started at %s for %d s asks for %s and has weather', async (start, durationS, days) => {
    addRun({ startedAt: Date.parse(start), durationS })
    await drive()
    expect(asked()).toEqual([`archive ${days}`])
    expect(weatherOf()).toMatchObject({ temperature: 12, precipitation: durationS / 9000 })
  })

  test('whose hours are not known yet waits, and has its weather when they are', async () => {
    addRun({})
    server.setHour(() => UNKNOWN_HOUR)
    const queue = startedQueue()
    expect(await drive(queue, SECOND_MS)).toBe(TODAY_MS + MINUTE_MS)
    expect(weatherOf()).toBeNull()
    server.setHour((ms) => (ms % (2 * HOUR_MS) === 0 ? DRIZZLE : UNKNOWN_HOUR))
    expect(await drive(queue)).toBeNull()
    expect(weatherOf()).toMatchObject({ temperature: 12, windDirection: 245.7 })
    expect(server.requests).toHaveLength(2)
  })
})

describe('a run of today', () => {
  const today = { startedAt: TODAY_MS - 2 * HOUR_MS }

  test('gets the forecast’s weather at once and the archive’s after eight days', async () => {
    addRun(today)
    const queue = startedQueue()
    expect(await drive(queue)).toBe(today.startedAt + 8 * DAY_MS)
    expect(weatherOf()).toMatchObject({ temperature: 12, quality: 'preliminary' })
    server.setHour(() => ({ ...DRIZZLE, temperature_2m: 14, wind_gusts_10m: null }))
    expect(await drive(queue, 9 * DAY_MS)).toBeNull()
    expect(weatherOf()).not.toHaveProperty('windGust')
    expect(weatherOf()).toMatchObject({ temperature: 14, quality: 'final', fetchedAt: '2025-06-28T10:00:00Z' })
    expect(asked()).toEqual(['forecast 2025-06-20 2025-06-20', 'archive 2025-06-20 2025-06-20'])
    expect([emitted.length, jobs()]).toEqual([2, []])
  })

  test('keeps what the watch knew through both', async () => {
    const weather = { source: 'fit_import', temperature: 25, weatherCode: 0, condition: 'Clear sky' }
    addRun(today)
    addRecording(app.deps, 'old', { weather: JSON.stringify(weather) })
    const queue = startedQueue()
    await drive(queue)
    expect(weatherOf()).toMatchObject({ ...weather, pressure: 1009.3, quality: 'preliminary' })
    server.setHour(() => ({ ...DRIZZLE, temperature_2m: 14, surface_pressure: 1001, weather_code: 95 }))
    await drive(queue, 9 * DAY_MS)
    expect(weatherOf()).toMatchObject({ ...weather, pressure: 1001 })
    expect(weatherOf()).not.toHaveProperty('quality')
  })

  test('keeps what only its archive says', async () => {
    addRun({ ...today, weather: '{"source":"strava_import","temperature":25}' })
    await drive()
    expect(weatherOf()).toMatchObject({ source: 'strava_import', temperature: 25, pressure: 1009.3 })
  })

  test('is not asked twice in a row when the archive refuses the final lookup', async () => {
    addRun(today)
    const queue = startedQueue()
    await drive(queue)
    server.setAnswer(() => refusal(400))
    expect(await drive(queue, 9 * DAY_MS)).toBeNull()
    expect(weatherOf()).toMatchObject({ temperature: 12, quality: 'preliminary' })
    expect(server.requests).toHaveLength(2)
  })
})

describe('when an endpoint refuses', () => {
  test('the other one is asked a second later', async () => {
    addRun({})
    const hourly = { time: [1_746_864_000, 1_746_867_600], temperature_2m: [8, 9] }
    server.setAnswer(({ pathname }) => (pathname === '/v1/forecast' ? Response.json({ hourly }) : refusal()))
    const queue = startedQueue()
    expect(await queue.step()).toBe(TODAY_MS + SECOND_MS)
    expect(server.requests).toHaveLength(1)
    await drive(queue, SECOND_MS)
    expect(asked()).toEqual(['archive 2025-05-10 2025-05-10', 'forecast 2025-05-10 2025-05-10'])
    expect(weatherOf()).toMatchObject({ temperature: 8.5, quality: 'preliminary' })
    expect(jobs()).toMatchObject([{ state: 'final', attempts: 0 }])
  })

  // anything but 400 may come from a wrong base address
  test.each([
    [400, undefined],
    [404, 12],
  ])('and the other one too, with %d, the run is given up for good only at 400', async (status, temperature) => {
    addRun({})
    server.setAnswer(() => refusal(status))
    await drive()
    const { length } = server.requests
    server.setAnswer(null)
    enqueueWeather(app.deps.db, 'old', app.clock.nowMs)
    backfill()
    expect(await drive(startedQueue(), 30 * DAY_MS)).toBeNull()
    expect([server.requests.length > length, weatherOf()?.temperature]).toEqual([status !== 400, temperature])
  })
})

describe('when the service is away', () => {
  test('retries come after 1, 4, 16 … minutes, at most a day, and weekly after the eighth', async () => {
    addRun({})
    server.setAnswer(() => refusal(500))
    const queue = startedQueue()
    const waits: number[] = []
    for (let attempt = 0; attempt < 10; attempt++) {
      await queue.step()
      const dueAt = Number(jobs()[0]?.due_at)
      waits.push((dueAt - app.clock.nowMs) / MINUTE_MS)
      app.clock.nowMs = dueAt
    }
    expect(waits).toEqual([1, 4, 16, 64, 256, 1024, 1440, 7 * 1440, 7 * 1440, 7 * 1440])
    expect(server.requests).toHaveLength(10)
    server.setAnswer(null)
    expect(await drive(queue)).toBeNull()
    expect(weatherOf()).toMatchObject({ temperature: 12 })
  })

  test('it costs one run an attempt, and all of them have weather once it is back', async () => {
    const ids = ['a', 'b', 'c']
    for (const [k, id] of ids.entries()) addRun({ id, startedAt: Date.parse(`2025-0${k + 3}-01T08:00Z`) })
    server.setAnswer(() => new Promise(() => {}))
    const queue = startedQueue({ timeoutMs: 1000 })
    await drive(queue, 30 * SECOND_MS)
    expect(server.requests).toHaveLength(1)
    expect(jobs().reduce((sum, { attempts }) => sum + Number(attempts), 0)).toBe(1)
    server.setAnswer(null)
    expect(await drive(queue, 2 * HOUR_MS)).toBeNull()
    for (const id of ids) expect(weatherOf(id)).toMatchObject({ temperature: 12 })
  })

  test('a new process continues where the old one was stopped, and tries parked runs at once', async () => {
    addRun({})
    server.setAnswer(() => refusal(503))
    await drive(startedQueue(), SECOND_MS)
    server.setAnswer(null)
    expect(await startedQueue().step()).toBe(TODAY_MS + MINUTE_MS)
    setRows(app.deps, 'weather_job', { attempts: 8, due_at: app.clock.nowMs + 6 * DAY_MS })
    backfill()
    expect(await drive()).toBeNull()
    expect(weatherOf()).toMatchObject({ temperature: 12 })
  })
})

describe('many runs', () => {
  test('from home share a request for a fortnight and the next one, whatever their order', async () => {
    const days = Array.from({ length: 20 }, (_, k) => String(20 - k).padStart(2, '0'))
    for (const day of days) {
      addRun({ id: day, startedAt: Date.parse(`2025-05-${day}T06:00Z`) })
      app.clock.nowMs += SECOND_MS
    }
    await drive()
    expect(asked()).toEqual(['archive 2025-05-01 2025-05-14', 'archive 2025-05-15 2025-05-20'])
    for (const day of days) expect(weatherOf(day)).toMatchObject({ temperature: 12 })
    expect(emitted).toHaveLength(20)
  })

  test('elsewhere, or 500 m higher, are asked on their own, a second apart, however often the queue is called', async () => {
    addRun({ id: 'home' })
    addRun({ id: 'away', routePreview: [[11.58, 48.14]] })
    addRun({ id: 'above', minElevM: 520, maxElevM: 540 })
    const queue = startedQueue()
    expect(await Promise.all([queue.step(), queue.step()])).toEqual([TODAY_MS + SECOND_MS, TODAY_MS + SECOND_MS])
    expect(await queue.step()).toBe(TODAY_MS + SECOND_MS)
    expect(server.requests).toHaveLength(1)
    await drive(queue, SECOND_MS)
    expect(server.requests).toHaveLength(2)
    await drive(queue, SECOND_MS)
    expect(server.requests).toHaveLength(3)
  })

  test('beyond the budget of a day wait for the next one', async () => {
    for (const lon of [1, 2, 3]) addRun({ id: `at ${lon}`, routePreview: [[lon, 48]] })
    const queue = startedQueue({ requestsADay: 2 })
    expect(await drive(queue)).toBe(Date.parse('2025-06-21T00:00:00Z'))
    expect(server.requests).toHaveLength(2)
    expect(await drive(queue, DAY_MS)).toBeNull()
    expect(server.requests).toHaveLength(3)
  })
})

test('nothing is asked when lookups are off for the service or by the runner, and what waited is asked when they are on', async () => {
  addRun({})
  const { db } = app.deps
  expect(await startedQueue({ weatherEnabled: false }).step()).toBeNull()
  changeSettings(db, app.deps, { weatherLookups: false })
  expect(await startedQueue().step()).toBeNull()
  expect(server.requests).toHaveLength(0)
  changeSettings(db, app.deps, { weatherLookups: true })
  await drive()
  expect(server.requests).toHaveLength(1)
})

test('nothing is asked of runs indoors, deleted, or whose file said it all', async () => {
  const air = { temperature: 1, humidity: 50, precipitation: 0, weatherCode: 0, pressure: 1000 }
  const weather = { source: 'strava_import', ...air, windSpeed: 1, windDirection: 10 }
  addRun({ weather: JSON.stringify(weather) })
  addRun({ id: 'indoor', routePreview: null })
  addRun({ id: 'gone' })
  removeRows(app.deps, 'workout', { id: 'gone' })
  expect(await drive()).toBeNull()
  expect([server.requests.length, jobs(), weatherOf()]).toEqual([0, [], weather])
})

test('a workout deleted during its lookup stays deleted', async () => {
  addRun({})
  server.setAnswer(() => {
    removeRows(app.deps, 'workout')
    return Response.json({ hourly: { time: [1_746_864_000], temperature_2m: [8] } })
  })
  expect(await drive()).toBeNull()
  expect([emitted, rowsOf(app.deps, 'workout')]).toEqual([[], []])
})

test('a start queues what has a route and no weather, and restored preliminary weather for the archive', async () => {
  addRun({ id: 'bare' }, false)
  addRun({ id: 'indoor', routePreview: null }, false)
  addRun({ id: 'done', weather: '{"source":"open_meteo","quality":"final"}' }, false)
  const startedAt = TODAY_MS - DAY_MS
  addRun({ id: 'restored', startedAt, weather: '{"source":"open_meteo","quality":"preliminary"}' }, false)
  backfill()
  backfill()
  expect(jobs()).toEqual([
    { workout_id: 'bare', due_at: TODAY_MS, attempts: 0, state: 'first' },
    { workout_id: 'restored', due_at: startedAt + 8 * DAY_MS, attempts: 0, state: 'final' },
  ])
})

test.each([
  ['true', ['old']],
  ['false', []],
])('the start of the process queues runs when lookups are on: %s', async (enabled, expected) => {
  await using own = await testApp({ env: { WEATHER_ENABLED: enabled } })
  addWorkout(own.deps, { id: 'old', routePreview: [HOME, [13.5, 52.5]] })
  const queued = () => rowsOf(own.deps, 'weather_job', 'workout_id').map(({ workout_id: id }) => String(id))
  const started = startJobs(own.deps, 0)
  for (let tries = 0; tries < 20 || queued().length < expected.length; tries += 1) await Bun.sleep(1)
  await started.stop()
  expect(queued()).toEqual(expected)
})

test('no log line contains the place of a run or the request', async () => {
  addRun({})
  const queue = startedQueue()
  for (const answer of [() => refusal(500), () => refusal(404), () => new Response('?'), () => refusal(400)]) {
    server.setAnswer(answer)
    await drive(queue, 2 * DAY_MS)
  }
  await server.stop()
  setRows(app.deps, 'weather_job', { due_at: app.clock.nowMs })
  await drive(startedQueue(), SECOND_MS)
  expect(logged.length).toBeGreaterThan(3)
  // without the time of the line, whose seconds may look like a longitude
  for (const line of logged)
    expect(line.replace(/^\S+ /, '')).not.toMatch(/https?:|v1\/|latitude|52[.,]5|13[.,]4|127\.0/)
})
