// How the library is filled: calls that have to succeed, minutes that pass, and weather.
import type { WeatherClient } from '../../../../src/weather/client.ts'
import { createWeatherQueue } from '../../../../src/weather/queue.ts'
import type { Answer, TestApp, TestFile } from '../../../app.ts'
import { hourlyOf } from '../../../fixtures/open-meteo.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** Seven in the morning of a day before the last; the fraction of a day moves it. */
const LAST_MS = Date.UTC(2025, 10, 19, 7)
export const daysBefore = (days: number) => LAST_MS - Math.round(days * DAY_MS)

export const BEGUN_MS = Date.UTC(2025, 10, 2, 8)

export type Json = Readonly<Record<string, unknown>>

/** Weather that is another one each hour and the same each time. */
export const hourlyWeather: WeatherClient = {
  hours: async ({ startDate, endDate }) => {
    const fromMs = Date.parse(`${startDate}T00:00Z`)
    const hours = (Date.parse(`${endDate}T00:00Z`) + DAY_MS - fromMs) / HOUR_MS
    const timeMs = Array.from({ length: Math.max(0, hours) }, (_, hour) => fromMs + hour * HOUR_MS)
    return hourlyOf(timeMs, (ms) => {
      const turn = Math.sin(ms / DAY_MS)
      return {
        ...{ temperature_2m: 10 + 8 * turn, relative_humidity_2m: 70, dew_point_2m: 6, apparent_temperature: 9 },
        ...{ precipitation: turn > 0.5 ? 0.6 : 0, weather_code: turn > 0.5 ? 61 : 2, wind_speed_10m: 3 + turn },
        ...{ wind_gusts_10m: 7, wind_direction_10m: 200, surface_pressure: 1000 },
      }
    })
  },
}

export interface Filling {
  readonly app: TestApp
  /** A call that has to succeed; minutes pass after it. @returns its body, and its receipt */
  // biome-ignore lint/suspicious/noExplicitAny: members of answers are read
  call(method: string, path: string, json?: unknown): Promise<any>
  /** One file, one run. @returns its id */
  file(name: string, bytes: Uint8Array): Promise<string>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  upload(path: string, files: readonly TestFile[]): Promise<any>
  /** The receipt of the latest call. */
  receipt(): string
  pass(minutes: number): void
}

export function filling(app: TestApp): Filling {
  let receipt: string | null = null
  const answered = (what: string, { status, text, json, headers }: Answer) => {
    if (status >= 300) throw new Error(`${what} answered ${status}: ${text}`)
    receipt = headers.get('harrier-receipt') ?? json?.receiptId ?? null
    app.clock.nowMs += 7 * MINUTE_MS
    return json
  }
  const upload: Filling['upload'] = async (path, files) => answered(`POST ${path}`, await app.upload(path, files))
  return {
    app,
    upload,
    call: async (method, path, json) =>
      answered(`${method} ${path}`, await app.call(method, path, json === undefined ? {} : { json })),
    file: async (name, bytes) => (await upload('/workouts/import', [{ name, bytes }])).id,
    receipt: () => {
      if (receipt === null) throw new Error('The latest call left no receipt')
      return receipt
    },
    pass: (minutes) => {
      app.clock.nowMs += minutes * MINUTE_MS
    },
  }
}

/** The queue, until nothing more is due. */
export async function weatherOf(app: TestApp): Promise<void> {
  const queue = createWeatherQueue(app.deps)
  for (let steps = 0; steps < 1000; steps += 1) {
    const nextMs = await queue.step()
    if (nextMs === null || nextMs > app.clock.nowMs + 30_000) return
    app.clock.nowMs = Math.max(app.clock.nowMs, nextMs)
  }
}
