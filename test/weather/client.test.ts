import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { openMeteoClient, type WeatherClient, WeatherError, type WeatherQuery } from '../../src/weather/client.ts'
import { DRIZZLE, type OpenMeteoServer, openMeteoServer, refusal, UNKNOWN_HOUR } from '../fixtures/open-meteo.ts'

const QUERY: WeatherQuery = {
  ...{ endpoint: 'archive', latDeg: 52.5, lonDeg: 13.4, elevationM: 40 },
  ...{ startDate: '2025-06-01', endDate: '2025-06-02' },
}

let server: OpenMeteoServer
let client: WeatherClient

/** Patient, since a busy machine answers late; `timeoutMs` is for the tests of the time limit. */
function clientOf({ baseUrl }: typeof server, timeoutMs = 30_000) {
  return openMeteoClient({ weatherBaseUrl: baseUrl, weatherArchiveBaseUrl: `${baseUrl}/archive/` }, timeoutMs)
}

beforeEach(() => {
  server = openMeteoServer()
  client = clientOf(server)
})
afterEach(() => server.stop())

async function failure(query = QUERY, signal?: AbortSignal): Promise<WeatherError> {
  try {
    await client.hours(query, signal)
  } catch (error) {
    if (error instanceof WeatherError) return error
    throw error
  }
  throw new Error('the lookup did not fail')
}

describe('the request', () => {
  test('asks the archive for ten variables in hours of UTC and metres per second', async () => {
    await client.hours(QUERY)
    const [url] = server.requests
    expect(url?.pathname).toBe('/archive/v1/archive')
    expect(url?.search).toBe(
      '?latitude=52.5&longitude=13.4&elevation=40&start_date=2025-06-01&end_date=2025-06-02' +
        '&hourly=temperature_2m,relative_humidity_2m,dew_point_2m,apparent_temperature,precipitation,weather_code,' +
        'wind_speed_10m,wind_gusts_10m,wind_direction_10m,surface_pressure' +
        '&timezone=GMT&timeformat=unixtime&wind_speed_unit=ms',
    )
  })

  test('asks the forecast at the other address, without an elevation it does not know', async () => {
    await client.hours({ ...QUERY, endpoint: 'forecast', elevationM: null })
    const [url] = server.requests
    expect(url?.pathname).toBe('/v1/forecast')
    expect(url?.searchParams.has('elevation')).toBe(false)
  })

  test.each([
    [52.520008, 13.404954, '52.5', '13.4'],
    [-0.04, 0.04999, '0', '0'],
    [-33.86882, 151.20929, '-33.9', '151.2'],
    [89.96, -179.96, '90', '-180'],
  ])('never sends more than one decimal of %p, %p', async (latDeg, lonDeg, latitude, longitude) => {
    await client.hours({ ...QUERY, latDeg, lonDeg })
    expect(server.requests[0]?.searchParams.get('latitude')).toBe(latitude)
    expect(server.requests[0]?.searchParams.get('longitude')).toBe(longitude)
  })
})

describe('the answer', () => {
  test('is columns by the hour in Unix milliseconds, decimal directions and nulls included', async () => {
    server.setHour((ms) => (ms === Date.parse('2025-06-01T05:00Z') ? UNKNOWN_HOUR : DRIZZLE))
    const hours = await client.hours(QUERY)
    expect(hours.timeMs).toHaveLength(48)
    expect(hours.timeMs[5]).toBe(Date.parse('2025-06-01T05:00Z'))
    expect(hours.windDirectionDeg.slice(4, 7)).toEqual([245.7, null, 245.7])
    expect(hours.temperatureC[4]).toBe(12)
    expect(hours.weatherCode[4]).toBe(51)
  })

  test('may lack a variable: it is unknown at every hour', async () => {
    server.setAnswer(() => Response.json({ hourly: { time: [0, 3600], temperature_2m: [1, 2] } }))
    const hours = await client.hours(QUERY)
    expect(hours.temperatureC).toEqual([1, 2])
    expect(hours.pressureHpa).toEqual([null, null])
  })

  test.each([
    ['no JSON', () => new Response('<html>')],
    ['an empty body', () => new Response('')],
    ['null', () => Response.json(null)],
    ['an array', () => Response.json([])],
    ['no hours', () => Response.json({ hourly: {} })],
    ['times as text', () => Response.json({ hourly: { time: ['2025-06-01T00:00'], temperature_2m: [1] } })],
    ['times that go back', () => Response.json({ hourly: { time: [3600, 0], temperature_2m: [1, 2] } })],
    ['columns of unequal length', () => Response.json({ hourly: { time: [0, 3600], temperature_2m: [1] } })],
    ['numbers as text', () => Response.json({ hourly: { time: [0], temperature_2m: ['1'] } })],
    ['two megabytes', () => new Response(' '.repeat(2 ** 21))],
  ])('%s is a failure worth another attempt', async (_name, answer) => {
    server.setAnswer(answer)
    expect(await failure()).toMatchObject({ retry: true, status: null })
  })
})

describe('a failure', () => {
  test.each([
    [400, false],
    [401, true],
    [404, true],
    [429, true],
    [500, true],
    [503, true],
  ])('of status %d has retry %p', async (status, retry) => {
    server.setAnswer(() => refusal(status))
    expect(await failure()).toMatchObject({ retry, status })
  })

  test.each([301, 302, 303, 307, 308])('redirects of status %d are failures, and are not followed', async (status) => {
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
  ])('of %s comes after the time limit', async (_name, answer) => {
    client = clientOf(server, 100)
    server.setAnswer(answer)
    expect(await failure()).toMatchObject({ retry: true, status: null })
  })

  test('of a closed port is one like any other', async () => {
    await server.stop()
    expect(await failure()).toMatchObject({ retry: true, status: null })
  })

  test('comes at once when the caller goes', async () => {
    server.setAnswer(() => new Promise(() => {}))
    expect(await failure(QUERY, AbortSignal.abort())).toMatchObject({ retry: true })
  })
})
