import { describe, expect, test } from 'bun:test'
import { type RunWeather, weatherDuring } from '../../src/weather/hours.ts'
import { type CannedHour, DRIZZLE, hourlyOf, UNKNOWN_HOUR } from '../fixtures/open-meteo.ts'

const at = (time: string) => Date.parse(`2025-06-01T${time}Z`)

/** Full hours from `time` on, each given as what differs from a drizzle. */
function hoursFrom(time: string, ...hours: Partial<CannedHour>[]) {
  const timeMs = hours.map((_, i) => at(time) + i * 3_600_000)
  return hourlyOf(timeMs, (ms) => ({ ...DRIZZLE, ...hours[timeMs.indexOf(ms)] }))
}

function during(hours: ReturnType<typeof hoursFrom>, start: string, end: string): RunWeather {
  const weather = weatherDuring(hours, { startMs: at(start), endMs: at(end) })
  if (weather === null) throw new Error('no weather')
  return weather
}

describe('temperature, and what is averaged like it', () => {
  test('an instant at 08:20 between 12 and 15 degrees has 13', () => {
    const hours = hoursFrom('08:00', { temperature_2m: 12 }, { temperature_2m: 15 })
    expect(during(hours, '08:20', '08:20').temperatureC).toBeCloseTo(13, 10)
  })

  // Trapezoids by hand: 0.5 h of (13.5+15)/2 and 0.25 h of (15+12)/2, over 0.75 h: (7.125 + 3.375) / 0.75.
  test('a run over a full hour gets the exact time-average of both slopes', () => {
    const hours = hoursFrom('08:00', { temperature_2m: 12 }, { temperature_2m: 15 }, { temperature_2m: 3 })
    expect(during(hours, '08:30', '09:15').temperatureC).toBeCloseTo((14.25 * 0.5 + 13.5 * 0.25) / 0.75, 10)
  })

  test('an unknown hour is bridged by its neighbours', () => {
    const hours = hoursFrom('08:00', { temperature_2m: 10 }, { temperature_2m: null }, { temperature_2m: 14 })
    expect(during(hours, '08:30', '09:30').temperatureC).toBeCloseTo(12, 10)
  })

  test('a variable that is unknown at every hour is unknown, the others are not', () => {
    const weather = during(hoursFrom('08:00', { surface_pressure: null }, { surface_pressure: null }), '08:10', '08:50')
    expect(weather.pressureHpa).toBeNull()
    expect(weather.temperatureC).toBeCloseTo(12, 10)
    expect(weather.dewPointC).toBeCloseTo(8.6, 10)
    expect(weather.windGustMps).toBeCloseTo(7.1, 10)
  })

  test('known hours more than three hours away are not used for the run', () => {
    const hours = hoursFrom('04:00', {}, {})
    expect(weatherDuring(hours, { startMs: at('08:30'), endMs: at('09:00') })).toBeNull()
    expect(weatherDuring(hours, { startMs: at('07:30'), endMs: at('08:00') })?.temperatureC).toBe(12)
  })

  test('only unknown hours are not weather, and neither are no hours', () => {
    const run = { startMs: at('08:00'), endMs: at('09:00') }
    for (const hours of [[UNKNOWN_HOUR, UNKNOWN_HOUR], []]) {
      expect(weatherDuring(hoursFrom('08:00', ...hours), run)).toBeNull()
    }
  })
})

describe('wind', () => {
  const wind = (mps: number, deg: number) => ({ wind_speed_10m: mps, wind_direction_10m: deg })

  test('5 m/s from 350 and 5 m/s from 10 degrees are 4.9240 m/s from north', () => {
    const hours = hoursFrom('08:00', wind(5, 350), wind(5, 10))
    const { windSpeedMps, windDirectionDeg } = during(hours, '08:00', '09:00')
    expect(windSpeedMps).toBeCloseTo(4.924, 4)
    // North may come out a rounding error below 360.
    expect(Math.cos(((windDirectionDeg ?? 90) * Math.PI) / 180)).toBeCloseTo(1, 12)
    expect(windDirectionDeg).toBeLessThan(360)
  })

  test('decimal directions are kept', () => {
    expect(during(hoursFrom('08:00', {}, {}), '08:00', '09:00').windDirectionDeg).toBeCloseTo(245.7, 9)
  })

  test('opposite winds cancel: no speed, no direction', () => {
    const hours = hoursFrom('08:00', wind(4, 90), wind(4, 270))
    expect(during(hours, '08:00', '09:00')).toMatchObject({ windSpeedMps: 0, windDirectionDeg: null })
  })

  test('a speed without direction is not a vector', () => {
    const hours = hoursFrom('08:00', { wind_direction_10m: null }, { wind_direction_10m: null })
    expect(during(hours, '08:00', '09:00')).toMatchObject({ windSpeedMps: null, windDirectionDeg: null })
  })
})

describe('precipitation', () => {
  // 09:00 holds what fell from 08:00 to 09:00: half of 2 mm and a quarter of 4 mm.
  test('counts each hour by the share that was run in', () => {
    const hours = hoursFrom('08:00', { precipitation: 9 }, { precipitation: 2 }, { precipitation: 4 })
    expect(during(hours, '08:30', '09:15').precipitationMm).toBeCloseTo(2, 10)
  })

  test('an unknown hour rains like the known ones', () => {
    const hours = hoursFrom('08:00', { precipitation: 9 }, { precipitation: 2 }, { precipitation: null })
    expect(during(hours, '08:00', '10:00').precipitationMm).toBeCloseTo(4, 10)
  })

  test('nothing known is null, nothing fallen is 0', () => {
    const unknown = hoursFrom('08:00', { precipitation: 1 }, { precipitation: null })
    expect(during(unknown, '08:00', '09:00').precipitationMm).toBeNull()
    expect(during(hoursFrom('08:00', {}, { precipitation: 0 }), '08:00', '09:00').precipitationMm).toBe(0)
    expect(during(hoursFrom('08:00', {}, {}), '08:20', '08:20').precipitationMm).toBe(0)
  })
})

describe('weather code', () => {
  test('is the one of the longest share, added up over its hours', () => {
    const hours = hoursFrom('08:00', ...[0, 3, 61, 3].map((code) => ({ weather_code: code })))
    expect(during(hours, '08:20', '10:30').weatherCode).toBe(3)
    expect(during(hours, '08:50', '10:10').weatherCode).toBe(61)
  })

  test('of equal shares the more severe one', () => {
    const clearing = hoursFrom('08:00', {}, { weather_code: 61 }, { weather_code: 3 })
    expect(during(clearing, '08:30', '09:30').weatherCode).toBe(61)
    const worsening = hoursFrom('08:00', {}, { weather_code: 3 }, { weather_code: 61 })
    expect(during(worsening, '08:30', '09:30').weatherCode).toBe(61)
  })

  test('an unknown hour does not hide a known one', () => {
    const hours = hoursFrom('08:00', {}, { weather_code: null }, { weather_code: 45 })
    expect(during(hours, '08:00', '09:05').weatherCode).toBe(45)
  })
})

test('a run over midnight uses the hours of both days', () => {
  const hours = hourlyOf(
    [Date.parse('2025-06-01T23:00Z'), Date.parse('2025-06-02T00:00Z'), Date.parse('2025-06-02T01:00Z')],
    (ms) => ({ ...DRIZZLE, temperature_2m: ms === Date.parse('2025-06-02T00:00Z') ? 10 : 14 }),
  )
  const run = { startMs: Date.parse('2025-06-01T23:30Z'), endMs: Date.parse('2025-06-02T00:30Z') }
  expect(weatherDuring(hours, run)?.temperatureC).toBeCloseTo(11, 10)
})
