import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { openMeteoClient, WeatherError } from '../../../src/features/weather/client.ts'
import type { WeatherClient, WeatherQuery } from '../../../src/library/deps.ts'
import { DRIZZLE, type OpenMeteoServer, openMeteoServer, refusal, UNKNOWN_HOUR } from '../../fixtures/open-meteo.ts'

const QUERY: WeatherQuery = {
  ...{ endpoint: 'archive', latDeg: 52.5, lonDeg: 13.4, elevationM: 40 },
  ...{ startDate: '2025-06-01', endDate: '2025-06-02' },
}

let server: OpenMeteoServer
let client: WeatherClient

/** Patient, since a busy machine answers late; `timeoutMs` is for the tests of the time limit. */
const clientOf = ({ baseUrl }: OpenMeteoServer, timeoutMs = 30_000) =>
  openMeteoClient({ weatherBaseUrl: baseUrl, weatherArchiveBaseUrl: `${baseUrl}/archive/` }, timeoutMs)

beforeEach(() => {
  server = openMeteoServer()
  client = clientOf(server)
})
afterEach(() => server.stop())

const failure = (query = QUERY, signal?: AbortSignal): Promise<unknown> =>
  client.hours(query, signal).then(
    () => 'no failure',
    (error) => (error instanceof WeatherError ? error : String(error)),
  )

test('the archive is asked for ten variables in hours of UTC and metres per second, the forecast at its own address', async () => {
  await client.hours(QUERY)
  await client.hours({ ...QUERY, endpoint: 'forecast', elevationM: null })
  const days = 'start_date=2025-06-01&end_date=2025-06-02'
  const rest =
    '&hourly=temperature_2m,relative_humidity_2m,dew_point_2m,apparent_temperature,precipitation,weather_code,' +
    'wind_speed_10m,wind_gusts_10m,wind_direction_10m,surface_pressure&timezone=GMT&timeformat=unixtime&wind_speed_unit=ms'
  expect(server.requests.map(({ pathname, search }) => pathname + search)).toEqual([
    `/archive/v1/archive?latitude=52.5&longitude=13.4&elevation=40&${days}${rest}`,
    `/v1/forecast?latitude=52.5&longitude=13.4&${days}${rest}`,
  ])
})

test.each([
  [52.520008, 13.404954, '52.5', '13.4'],
  [-0.04, 0.04999, '0', '0'],
  [-33.86882, 151.20929, '-33.9', '151.2'],
  [89.96, -179.96, '90', '-180'],
])('never more than one decimal of %p, %p is sent', async (latDeg, lonDeg, latitude, longitude) => {
  await client.hours({ ...QUERY, latDeg, lonDeg })
  const { searchParams } = server.requests[0]!
  expect([searchParams.get('latitude'), searchParams.get('longitude')]).toEqual([latitude, longitude])
})

test('the answer is columns by the hour in Unix milliseconds, with nulls; a variable that it lacks is unknown', async () => {
  const fiveMs = Date.parse('2025-06-01T05:00Z')
  server.setHour((ms) => (ms === fiveMs ? UNKNOWN_HOUR : DRIZZLE))
  const hours = await client.hours(QUERY)
  expect([hours.timeMs.length, hours.timeMs[5], hours.temperatureC[4], hours.weatherCode[4]]).toEqual([
    48,
    fiveMs,
    12,
    51,
  ])
  expect(hours.windDirectionDeg.slice(4, 7)).toEqual([245.7, null, 245.7])
  server.setAnswer(() => Response.json({ hourly: { time: [0, 3600], temperature_2m: [1, 2] } }))
  expect(await client.hours(QUERY)).toMatchObject({ temperatureC: [1, 2], pressureHpa: [null, null] })
})

describe('a failure', () => {
  const hourly = (time: unknown[], temperature_2m: unknown[]) => () =>
    Response.json({ hourly: { time, temperature_2m } })
  test.each([
    ['no JSON', () => new Response('<html>')],
    ['an array', () => Response.json([])],
    ['no hours', () => Response.json({ hourly: {} })],
    ['times as text', hourly(['2025-06-01T00:00'], [1])],
    ['columns of unequal length', hourly([0, 3600], [1])],
    ['numbers as text', hourly([0], ['1'])],
    ['two megabytes', () => new Response(' '.repeat(2 ** 21))],
  ])('that is %s is worth another attempt', async (_, answer) => {
    server.setAnswer(answer)
    expect(await failure()).toMatchObject({ retry: true, status: null })
  })

  test.each([400, 401, 404, 429, 500, 503])('of status %d is worth another attempt, but for 400', async (status) => {
    server.setAnswer(() => refusal(status))
    expect(await failure()).toMatchObject({ retry: status !== 400, status })
  })

  test.each([301, 302, 303, 307, 308])('is a redirect of status %d, which is not followed', async (status) => {
    const elsewhere = openMeteoServer()
    server.setAnswer(() => new Response(null, { status, headers: { location: `${elsewhere.baseUrl}/v1/archive` } }))
    expect(await failure()).toMatchObject({ retry: true, status })
    expect([server.requests.length, elsewhere.requests.length]).toEqual([1, 0])
    await elsewhere.stop()
  })

  const endless = async (controller: ReadableStreamDefaultController) => {
    await Bun.sleep(20)
    controller.enqueue(new TextEncoder().encode(' '))
  }
  test.each([
    ['a service that does not answer', () => new Promise<Response>(() => {})],
    ['a body that never ends', () => new Response(new ReadableStream({ pull: endless }))],
  ])('of %s comes after the time limit', async (_, answer) => {
    client = clientOf(server, 100)
    server.setAnswer(answer)
    expect(await failure()).toMatchObject({ retry: true, status: null })
  })
})
