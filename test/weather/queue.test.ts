import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Db } from '../../src/db/open.ts'
import { cleanRecording } from '../../src/engine/run/samples.ts'
import { createEvents, type Event } from '../../src/events/emitter.ts'
import { enqueueWeather } from '../../src/library/weather.ts'
import { consoleLog } from '../../src/log.ts'
import { backfillWeather } from '../../src/weather/backfill.ts'
import { openMeteoClient } from '../../src/weather/client.ts'
import { createWeatherQueue } from '../../src/weather/queue.ts'
import { packTrack } from '../../src/workers/pack.ts'
import { DRIZZLE, type OpenMeteoServer, openMeteoServer, refusal, UNKNOWN_HOUR } from '../fixtures/open-meteo.ts'
import { recordingOf } from '../fixtures/recording.ts'
import { lose, removeRows, rowsOf, setRows } from '../library/as-stored.ts'
import { addWorkout, CONFIG } from '../library/feature-app.ts'
import { memoryDb } from '../library/memory-db.ts'
import { addRecording } from '../library/recordings.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const TODAY_MS = Date.parse('2025-06-20T12:00:00Z')
/** Precise enough to be someone's door. */
const HOME: [number, number] = [13.40495, 52.52001]

let server: OpenMeteoServer
let db: Db
let nowMs: number
let isEnabled: boolean
let requestsADay: number
const logged: string[] = []
const emitted: Event[] = []

beforeEach(() => {
  server = openMeteoServer()
  db = memoryDb()
  nowMs = TODAY_MS
  isEnabled = true
  requestsADay = 5000
  logged.length = 0
  emitted.length = 0
})
afterEach(async () => {
  db.$client.close()
  await server.stop()
})

/** A queue as after a start of the process: it knows the database and nothing else. */
function startedQueue() {
  const events = createEvents()
  events.subscribe((event) => emitted.push(event))
  const { baseUrl } = server
  const config = { ...CONFIG, weatherEnabled: isEnabled, weatherBaseUrl: baseUrl, weatherArchiveBaseUrl: baseUrl }
  const weather = openMeteoClient(config, 200)
  const log = consoleLog('debug', { write: (line) => logged.push(line) })
  return createWeatherQueue({ db, config, now: () => nowMs, weather, log, events }, requestsADay)
}

/** What a start of the process does. */
async function backfill(): Promise<void> {
  const log = consoleLog('debug', { write: (line) => logged.push(line) })
  await backfillWeather({ db, now: () => nowMs, log }, new AbortController().signal)
}

/** Calls the queue whenever it wants to be called, moving the clock, until it is idle or the time is over. */
async function drive(queue: ReturnType<typeof startedQueue>, forMs = 10 * MINUTE_MS): Promise<number | null> {
  const endMs = nowMs + forMs
  for (let calls = 0; calls < 1000; calls++) {
    const nextMs = await queue.step()
    if (nextMs === null || nextMs > endMs) return nextMs
    nowMs = Math.max(nowMs, nextMs)
  }
  throw new Error('the queue never rests')
}

function addRun(values: Parameters<typeof addWorkout>[1], isQueued = true): void {
  const place = { routePreview: [HOME, [13.5, 52.5]], minElevM: 34, maxElevM: 42 }
  addWorkout({ db }, { startedAt: Date.parse('2025-05-10T08:00:00Z'), ...place, ...values })
  if (isQueued) enqueueWeather(db, values.id, nowMs)
}

function weatherOf(id: string): Record<string, unknown> | null {
  const weather = rowsOf({ db }, 'workout').find((row) => row.id === id)?.weather
  return weather ? JSON.parse(String(weather)) : null
}

const jobs = () => rowsOf({ db }, 'weather_job', 'workout_id', 'due_at', 'attempts', 'state')

describe('a run of six weeks ago', () => {
  test('gets the archive’s weather in object and columns, once, and the client is notified', async () => {
    addRun({ id: 'old' })
    expect(await drive(startedQueue())).toBeNull()
    expect(weatherOf('old')).toEqual({
      ...{ source: 'open_meteo', fetchedAt: '2025-06-20T12:00:00Z', quality: 'final', temperature: 12, humidity: 80 },
      ...{ precipitation: 0.4, weatherCode: 51, condition: 'Light drizzle', windSpeed: 3.2, windDirection: 245.7 },
      ...{ pressure: 1009.3, apparentTemperature: 10.5, dewPoint: 8.6, windGust: 7.1 },
    })
    expect(rowsOf({ db }, 'workout')[0]).toMatchObject({
      ...{ weather_temperature_c: 12, weather_humidity: 80, weather_precipitation_mm: 0.4, weather_code: 51 },
      ...{ weather_wind_speed_mps: 3.2, weather_wind_direction: 245.7 },
    })
    expect(server.requests.map((url) => url.pathname)).toEqual(['/v1/archive'])
    // its UTC days, and the first tenth of a degree only
    const place = { latitude: '52.5', longitude: '13.4', elevation: '40' }
    const asked = { ...place, start_date: '2025-05-10', end_date: '2025-05-10' }
    expect(Object.fromEntries(server.requests[0]?.searchParams ?? [])).toMatchObject(asked)
    expect(emitted).toEqual([{ event: 'workout.updated', data: { id: 'old' } }])
    expect(jobs()).toEqual([])
  })

  test('is asked at the median of its altitudes, in tens of metres', async () => {
    addRun({ id: 'hilly', minElevM: 100, maxElevM: 900 })
    const elevM = [100, 212, Number.NaN, 216, 900]
    const packed = packTrack(cleanRecording(recordingOf([0, 60, 120, 180, 240], { elevM }))!)
    addRecording({ db, now: () => TODAY_MS }, 'hilly', { samples: packed })
    await drive(startedQueue())
    expect(server.requests[0]?.searchParams.get('elevation')).toBe('220')
  })

  test.each([
    ['2025-05-10T23:20:00Z', 1800, '2025-05-10', '2025-05-11'],
    ['2025-05-10T00:05:00Z', 1800, '2025-05-10', '2025-05-10'],
    ['2025-05-10T22:00:00Z', 3600, '2025-05-10', '2025-05-10'],
  ])('started at %s for %d s asks from %s to %s and has weather', async (start, durationS, startDate, endDate) => {
    addRun({ id: 'late', startedAt: Date.parse(start), durationS })
    await drive(startedQueue())
    expect(server.requests[0]?.searchParams.get('start_date')).toBe(startDate)
    expect(server.requests[0]?.searchParams.get('end_date')).toBe(endDate)
    expect(weatherOf('late')).toMatchObject({ temperature: 12, precipitation: durationS / 9000 })
  })

  test('whose hours are not known yet waits, and has its weather when they are', async () => {
    addRun({ id: 'edge' })
    server.setHour(() => UNKNOWN_HOUR)
    const queue = startedQueue()
    expect(await drive(queue, SECOND_MS)).toBe(TODAY_MS + MINUTE_MS)
    expect(weatherOf('edge')).toBeNull()
    server.setHour((ms) => (ms % (2 * HOUR_MS) === 0 ? DRIZZLE : UNKNOWN_HOUR))
    expect(await drive(queue)).toBeNull()
    expect(weatherOf('edge')).toMatchObject({ temperature: 12, windDirection: 245.7 })
    expect(server.requests).toHaveLength(2)
  })
})

describe('a run of today', () => {
  const today = { id: 'today', startedAt: TODAY_MS - 2 * HOUR_MS }

  test('gets the forecast’s weather at once and the archive’s after eight days', async () => {
    addRun(today)
    const queue = startedQueue()
    expect(await drive(queue)).toBe(today.startedAt + 8 * DAY_MS)
    expect(weatherOf('today')).toMatchObject({ temperature: 12, quality: 'preliminary' })
    server.setHour(() => ({ ...DRIZZLE, temperature_2m: 14 }))
    expect(await drive(queue, 9 * DAY_MS)).toBeNull()
    expect(weatherOf('today')).toMatchObject({ temperature: 14, quality: 'final', fetchedAt: '2025-06-28T10:00:00Z' })
    expect(server.requests.map((url) => url.pathname)).toEqual(['/v1/forecast', '/v1/archive'])
    expect(emitted).toHaveLength(2)
    expect(jobs()).toEqual([])
  })

  test('keeps what the watch knew through both', async () => {
    const weather = { source: 'fit_import', temperature: 25, weatherCode: 0, condition: 'Clear sky' }
    addRun({ ...today, weather: JSON.stringify(weather) })
    const queue = startedQueue()
    await drive(queue)
    expect(weatherOf('today')).toMatchObject({ ...weather, pressure: 1009.3, quality: 'preliminary' })
    server.setHour(() => ({ ...DRIZZLE, temperature_2m: 14, surface_pressure: 1001, weather_code: 95 }))
    await drive(queue, 9 * DAY_MS)
    expect(weatherOf('today')).toMatchObject({ ...weather, pressure: 1001 })
    expect(weatherOf('today')).not.toHaveProperty('quality')
  })

  test('is not asked twice in a row when the archive refuses the final lookup', async () => {
    addRun(today)
    const queue = startedQueue()
    await drive(queue)
    server.setAnswer(() => refusal(400))
    expect(await drive(queue, 9 * DAY_MS)).toBeNull()
    expect(weatherOf('today')).toMatchObject({ temperature: 12, quality: 'preliminary' })
    expect(server.requests).toHaveLength(2)
  })
})

describe('when an endpoint refuses', () => {
  const onlyAt = (path: string) => (url: URL) =>
    url.pathname === path
      ? Response.json({ hourly: { time: [1_746_864_000, 1_746_867_600], temperature_2m: [8, 9] } })
      : refusal()

  test('the other one is asked a second later', async () => {
    addRun({ id: 'old' })
    server.setAnswer(onlyAt('/v1/forecast'))
    const queue = startedQueue()
    expect(await queue.step()).toBe(TODAY_MS + SECOND_MS)
    expect(server.requests).toHaveLength(1)
    await drive(queue, SECOND_MS)
    expect(server.requests.map((url) => url.pathname)).toEqual(['/v1/archive', '/v1/forecast'])
    expect(weatherOf('old')).toMatchObject({ temperature: 8.5, quality: 'preliminary' })
    expect(jobs()).toMatchObject([{ state: 'final', attempts: 0 }])
  })

  test('and the other one too, the run is given up and never queued again', async () => {
    addRun({ id: 'old' })
    server.setAnswer(() => refusal(400))
    const queue = startedQueue()
    expect(await drive(queue, 30 * DAY_MS)).toBeNull()
    expect(server.requests).toHaveLength(2)
    enqueueWeather(db, 'old', nowMs)
    await backfill()
    expect(await drive(startedQueue(), 30 * DAY_MS)).toBeNull()
    expect(server.requests).toHaveLength(2)
    expect(weatherOf('old')).toBeNull()
  })

  test('with anything but 400 the run is tried again: the base address may be wrong', async () => {
    addRun({ id: 'old' })
    server.setAnswer(() => refusal(404))
    const queue = startedQueue()
    await drive(queue)
    expect(jobs()).toMatchObject([{ workout_id: 'old' }])
    server.setAnswer(null)
    expect(await drive(queue, DAY_MS)).toBeNull()
    expect(weatherOf('old')).toMatchObject({ temperature: 12 })
  })
})

describe('when the service is away', () => {
  test('retries come after 1, 4, 16 … minutes, at most a day, and weekly after the eighth', async () => {
    addRun({ id: 'old' })
    server.setAnswer(() => refusal(500))
    const queue = startedQueue()
    const waits: number[] = []
    for (let attempt = 0; attempt < 10; attempt++) {
      await queue.step()
      const dueAt = Number(jobs()[0]?.due_at)
      waits.push((dueAt - nowMs) / MINUTE_MS)
      nowMs = dueAt
    }
    expect(waits).toEqual([1, 4, 16, 64, 256, 1024, 1440, 7 * 1440, 7 * 1440, 7 * 1440])
    expect(server.requests).toHaveLength(10)
    server.setAnswer(null)
    expect(await drive(queue)).toBeNull()
    expect(weatherOf('old')).toMatchObject({ temperature: 12 })
  })

  test.each([
    ['500', () => refusal(500)],
    ['429', () => refusal(429)],
    ['garbage', () => new Response('<html>')],
    ['silence', () => new Promise<Response>(() => {})],
  ])('%s costs one run an attempt, and all of them have weather once it is back', async (_name, answer) => {
    for (const id of ['a', 'b', 'c']) addRun({ id, startedAt: Date.parse(`2025-0${id.charCodeAt(0) - 94}-01T08:00Z`) })
    server.setAnswer(answer)
    const queue = startedQueue()
    await drive(queue, 30 * SECOND_MS)
    expect(server.requests).toHaveLength(1)
    const attempts = jobs().map((job) => job.attempts)
    expect(attempts.toSorted()).toEqual([0, 0, 1])
    server.setAnswer(null)
    expect(await drive(queue, 2 * HOUR_MS)).toBeNull()
    for (const id of ['a', 'b', 'c']) expect(weatherOf(id)).toMatchObject({ temperature: 12 })
  })

  test('a new process continues where the old one was stopped, and tries parked runs at once', async () => {
    addRun({ id: 'old' })
    server.setAnswer(() => refusal(503))
    await drive(startedQueue(), SECOND_MS)
    server.setAnswer(null)
    expect(await startedQueue().step()).toBe(TODAY_MS + MINUTE_MS)
    setRows({ db }, 'weather_job', { attempts: 8, due_at: nowMs + 6 * DAY_MS })
    await backfill()
    expect(await drive(startedQueue())).toBeNull()
    expect(weatherOf('old')).toMatchObject({ temperature: 12 })
  })

  test('a stop in the middle of a lookup is not an attempt', async () => {
    addRun({ id: 'old' })
    server.setAnswer(() => new Promise(() => {}))
    const stop = new AbortController()
    const step = startedQueue().step(stop.signal)
    stop.abort()
    expect(await step).toBeNull()
    expect(jobs()).toMatchObject([{ attempts: 0, due_at: TODAY_MS }])
  })
})

describe('many runs', () => {
  test.each([
    ['a fortnight and the next one', 'first to last', ['2025-05-07 2025-05-20', '2025-05-01 2025-05-06']],
    ['a fortnight and the next one', 'last to first', ['2025-05-01 2025-05-14', '2025-05-15 2025-05-20']],
  ])('home runs share a request for %s, imported %s', async (_, order, asked) => {
    const days = Array.from({ length: 20 }, (_, k) => (order === 'first to last' ? k + 1 : 20 - k))
    for (const day of days) {
      addRun({ id: `run ${day}`, startedAt: Date.parse(`2025-05-${String(day).padStart(2, '0')}T06:00Z`) })
      nowMs += SECOND_MS
    }
    await drive(startedQueue())
    const dates = server.requests.map(({ searchParams: of }) => `${of.get('start_date')} ${of.get('end_date')}`)
    expect(dates).toEqual(asked)
    for (const day of days) expect(weatherOf(`run ${day}`)).toMatchObject({ temperature: 12 })
    expect(emitted).toHaveLength(20)
  })

  test('of this week share one request to the forecast, apart from older ones', async () => {
    for (let day = 5; day <= 20; day++) {
      const startedAt = Date.parse(`2025-06-${String(day).padStart(2, '0')}T06:00Z`)
      addRun({ id: `run ${day}`, startedAt })
    }
    await drive(startedQueue(), MINUTE_MS)
    const asked = server.requests.map(({ pathname, searchParams }) => [
      ...[pathname, searchParams.get('start_date'), searchParams.get('end_date')],
    ])
    expect(asked.toSorted()).toEqual([
      ['/v1/archive', '2025-06-05', '2025-06-13'],
      ['/v1/forecast', '2025-06-14', '2025-06-20'],
    ])
    for (let day = 5; day <= 20; day++) expect(weatherOf(`run ${day}`)).toMatchObject({ temperature: 12 })
  })

  test('elsewhere, or 500 m higher, are asked on their own', async () => {
    addRun({ id: 'home' })
    addRun({ id: 'away', routePreview: [[11.58, 48.14]] })
    addRun({ id: 'above', minElevM: 520, maxElevM: 540 })
    await drive(startedQueue())
    expect(server.requests).toHaveLength(3)
  })

  test('are a second apart, however often the queue is called', async () => {
    addRun({ id: 'home' })
    addRun({ id: 'away', routePreview: [[11.58, 48.14]] })
    const queue = startedQueue()
    expect(await Promise.all([queue.step(), queue.step()])).toEqual([TODAY_MS + SECOND_MS, TODAY_MS + SECOND_MS])
    expect(await queue.step()).toBe(TODAY_MS + SECOND_MS)
    expect(server.requests).toHaveLength(1)
    nowMs += SECOND_MS
    await queue.step()
    expect(server.requests).toHaveLength(2)
  })

  test('beyond the budget of a day wait for the next one', async () => {
    requestsADay = 2
    for (const lon of [1, 2, 3]) addRun({ id: `at ${lon}`, routePreview: [[lon, 48]] })
    const queue = startedQueue()
    expect(await drive(queue)).toBe(Date.parse('2025-06-21T00:00:00Z'))
    expect(server.requests).toHaveLength(2)
    expect(await drive(queue, DAY_MS)).toBeNull()
    expect(server.requests).toHaveLength(3)
  })

  test('the newest in the queue is the first', async () => {
    addRun({ id: 'imported' })
    nowMs += MINUTE_MS
    addRun({ id: 'today', startedAt: nowMs - HOUR_MS })
    await startedQueue().step()
    expect(weatherOf('today')).not.toBeNull()
    expect(weatherOf('imported')).toBeNull()
  })
})

test('nothing is asked when lookups are off, nor of runs indoors, deleted, or whose file said it all', async () => {
  const air = { temperature: 1, humidity: 50, precipitation: 0, weatherCode: 0, pressure: 1000 }
  const weather = { source: 'strava_import', ...air, windSpeed: 1, windDirection: 10 }
  addRun({ id: 'old', weather: JSON.stringify(weather) })
  addRun({ id: 'indoor', routePreview: null })
  addRun({ id: 'gone' })
  isEnabled = false
  expect(await startedQueue().step()).toBeNull()
  removeRows({ db }, 'workout', { id: 'gone' })
  isEnabled = true
  expect(await drive(startedQueue())).toBeNull()
  expect([server.requests.length, jobs(), weatherOf('old')]).toEqual([0, [], weather])
})

test('a database that fails is logged, and the queue asks to be called again in a minute', async () => {
  addRun({ id: 'old' })
  const queue = startedQueue()
  const mend = lose({ db }, 'weather_job')
  expect(await queue.step()).toBe(TODAY_MS + MINUTE_MS)
  expect(logged.join()).toContain('error The weather queue failed')
  mend()
  expect(await drive(queue)).toBeNull()
  expect(weatherOf('old')).toMatchObject({ temperature: 12 })
})

test('a workout deleted during its lookup stays deleted', async () => {
  addRun({ id: 'gone' })
  server.setAnswer(() => {
    removeRows({ db }, 'workout')
    return Response.json({ hourly: { time: [1_746_864_000], temperature_2m: [8] } })
  })
  expect(await drive(startedQueue())).toBeNull()
  expect(emitted).toEqual([])
  expect(rowsOf({ db }, 'workout')).toEqual([])
})

test('a start queues what has a route and no weather, and restored preliminary weather for the archive', async () => {
  addRun({ id: 'bare' }, false)
  addRun({ id: 'indoor', routePreview: null }, false)
  addRun({ id: 'done', weather: '{"source":"open_meteo","quality":"final"}' }, false)
  const startedAt = TODAY_MS - DAY_MS
  addRun({ id: 'restored', startedAt, weather: '{"source":"open_meteo","quality":"preliminary"}' }, false)
  await backfill()
  await backfill()
  expect(jobs()).toEqual([
    { workout_id: 'bare', due_at: TODAY_MS, attempts: 0, state: 'first' },
    { workout_id: 'restored', due_at: startedAt + 8 * DAY_MS, attempts: 0, state: 'final' },
  ])
})

test('no log line contains the place of a run or the request', async () => {
  addRun({ id: 'old' })
  const queue = startedQueue()
  for (const answer of [() => refusal(500), () => refusal(404), () => new Response('?'), () => refusal(400)]) {
    server.setAnswer(answer)
    await drive(queue, 2 * DAY_MS)
  }
  await server.stop()
  setRows({ db }, 'weather_job', { due_at: nowMs })
  await drive(startedQueue(), SECOND_MS)
  expect(logged.length).toBeGreaterThan(3)
  // without the time of the line, whose seconds may look like a longitude
  for (const line of logged)
    expect(line.replace(/^\S+ /, '')).not.toMatch(/https?:|v1\/|latitude|52[.,]5|13[.,]4|127\.0/)
})
