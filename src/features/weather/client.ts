import type { Config } from '../../base/config.ts'
import type { HourlyWeather, RunWeather } from '../../engine/weather.ts'
import type { WeatherClient, WeatherQuery } from '../../library/deps.ts'

/** A failed lookup. Neither message nor cause contains the address or a coordinate, since both may be logged. */
export class WeatherError extends Error {
  /** Whether another attempt may succeed; false: the same request will be refused again. */
  readonly retry: boolean
  /** HTTP status; null when there was no answer or it could not be read. */
  readonly status: number | null

  constructor(message: string, options: { retry: boolean; status?: number }) {
    super(message)
    this.name = 'WeatherError'
    this.retry = options.retry
    this.status = options.status ?? null
  }
}

type WeatherConfig = Pick<Config, 'weatherBaseUrl' | 'weatherArchiveBaseUrl'>

const TIMEOUT_MS = 10_000
/** 14 days of ten variables have 40 KB. */
const MAX_ANSWER_BYTES = 1_048_576

/** Ten variables, since with an eleventh a lookup would count as more than one call. */
const VARIABLES = {
  temperatureC: 'temperature_2m',
  humidityPercent: 'relative_humidity_2m',
  dewPointC: 'dew_point_2m',
  apparentTemperatureC: 'apparent_temperature',
  precipitationMm: 'precipitation',
  weatherCode: 'weather_code',
  windSpeedMps: 'wind_speed_10m',
  windGustMps: 'wind_gusts_10m',
  windDirectionDeg: 'wind_direction_10m',
  pressureHpa: 'surface_pressure',
} as const satisfies Record<keyof RunWeather, string>

/** Client of Open-Meteo or an own instance. Each call makes one request; pacing and retries are the caller's task. */
export function openMeteoClient(config: WeatherConfig, timeoutMs = TIMEOUT_MS): WeatherClient {
  return {
    hours: async (query, signal) => {
      const timeout = AbortSignal.timeout(timeoutMs)
      const text = await answerText(urlOf(config, query), signal ? AbortSignal.any([signal, timeout]) : timeout)
      return hourlyWeather(text)
    },
  }
}

function urlOf(config: WeatherConfig, query: WeatherQuery): string {
  const isArchive = query.endpoint === 'archive'
  const base = (isArchive ? config.weatherArchiveBaseUrl : config.weatherBaseUrl).replace(/\/+$/, '')
  const parameters = new URLSearchParams({
    // rounded again here, since this is the last step before the network
    latitude: String(coarseDegrees(query.latDeg)),
    longitude: String(coarseDegrees(query.lonDeg)),
    ...(query.elevationM === null ? {} : { elevation: String(query.elevationM) }),
    start_date: query.startDate,
    end_date: query.endDate,
    hourly: Object.values(VARIABLES).join(','),
    timezone: 'GMT',
    timeformat: 'unixtime',
    wind_speed_unit: 'ms',
  })
  // the service documents plain commas
  return `${base}/v1/${query.endpoint}?${parameters.toString().replaceAll('%2C', ',')}`
}

/** Rounds to 0.1 degree, about 11 km: nothing more precise is sent. */
export function coarseDegrees(degrees: number): number {
  return Math.round(degrees * 10) / 10 || 0
}

async function answerText(url: string, signal: AbortSignal): Promise<string> {
  try {
    // a redirect could lead to an address that only this machine can reach
    const response = await fetch(url, { signal, redirect: 'manual', headers: { accept: 'application/json' } })
    if (!response.ok) {
      await response.body?.cancel()
      // 400 means a request that cannot be answered; any other status may come from a proxy, a limit or a wrong address
      throw new WeatherError(`HTTP ${response.status}`, { retry: response.status !== 400, status: response.status })
    }
    return await boundedText(response)
  } catch (error) {
    if (error instanceof WeatherError) throw error
    // errors of fetch have the address in a property, so only their kind is kept
    const { name, code } = error as { name?: unknown; code?: unknown }
    throw new WeatherError(`no answer (${String(typeof code === 'string' ? code : name)})`, { retry: true })
  }
}

async function boundedText(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > MAX_ANSWER_BYTES) throw new WeatherError('answer too long', { retry: true })
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** Validates an answer: ascending times, columns of equal length; a missing variable is unknown at every hour. */
function hourlyWeather(text: string): HourlyWeather {
  const hourly = memberOf(parsed(text), 'hourly')
  const time = memberOf(hourly, 'time')
  if (!Array.isArray(time) || !time.every(isNumber)) throw unreadable('times')
  const timeMs = time.map((seconds) => seconds * 1000)
  if (timeMs.some((ms, i) => i > 0 && ms <= (timeMs[i - 1] ?? 0))) throw unreadable('times')
  const column = (variable: string): readonly (number | null)[] => {
    const values = memberOf(hourly, variable)
    if (values === undefined) return timeMs.map(() => null)
    if (!Array.isArray(values) || values.length !== timeMs.length) throw unreadable(variable)
    if (!values.every((value) => value === null || isNumber(value))) throw unreadable(variable)
    return values
  }
  const columns = Object.entries(VARIABLES).map(([name, variable]) => [name, column(variable)])
  return { timeMs, ...(Object.fromEntries(columns) as Omit<HourlyWeather, 'timeMs'>) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // the text may be a captive portal's page that repeats the address
    throw unreadable('JSON')
  }
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

function unreadable(what: string): WeatherError {
  return new WeatherError(`unreadable answer (${what})`, { retry: true })
}
