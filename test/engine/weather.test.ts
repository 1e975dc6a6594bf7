import { expect, test } from 'bun:test'
import { type RunWeather, weatherDuring } from '../../src/engine/weather.ts'
import { type CannedHour, DRIZZLE, hourlyOf } from '../fixtures/open-meteo.ts'

const HOUR_MS = 3_600_000
const at = (time: string) => Date.parse(`2025-06-01T${time}Z`)

/** Full hours from `time` on, each given as what differs from wet weather of 12 degrees. */
function hoursFrom(time: string, ...hours: readonly Partial<CannedHour>[]) {
  const timeMs = hours.map((_, i) => at(time) + i * HOUR_MS)
  return hourlyOf(timeMs, (ms) => ({ ...DRIZZLE, ...hours[timeMs.indexOf(ms)] }))
}

const during = (hours: ReturnType<typeof hoursFrom>, start: string, end: string): RunWeather | null =>
  weatherDuring(hours, { startMs: at(start), endMs: at(end) })

/** Values of variables of Open-Meteo's by the hour from 08:00 on; - is unknown. */
type Stated = Partial<Readonly<Record<keyof CannedHour, string>>>

function stated(values: Stated): Partial<CannedHour>[] {
  const columns = Object.entries(values).map(([name, text]) => [name, text.split(' ')] as const)
  const numberOf = (text: string) => (text === '-' ? null : Number(text))
  return columns[0]![1].map((_, i) => Object.fromEntries(columns.map(([name, all]) => [name, numberOf(all[i]!)])))
}

const wind = (wind_speed_10m: string, wind_direction_10m: string) => ({ wind_speed_10m, wind_direction_10m })

test.each<[why: string, Stated, from: string, to: string, Partial<Readonly<Record<keyof RunWeather, number | null>>>]>([
  ['an instant lies between its hours', { temperature_2m: '12 15' }, '08:20', '08:20', { temperatureC: 13 }],
  // trapezoids by hand: 0.5 h of (13.5+15)/2 and 0.25 h of (15+12)/2, over 0.75 h
  ['both slopes of a full hour count', { temperature_2m: '12 15 3' }, '08:30', '09:15', { temperatureC: 10.5 / 0.75 }],
  ['neighbours bridge an unknown hour', { temperature_2m: '10 - 14' }, '08:30', '09:30', { temperatureC: 12 }],
  ['what is never known is null', { surface_pressure: '- -' }, '08:10', '08:50', { pressureHpa: null, dewPointC: 8.6 }],
  ['opposite winds cancel', wind('4 4', '90 270'), '08:00', '09:00', { windSpeedMps: 0, windDirectionDeg: null }],
  ['a speed needs its direction', wind('4 4', '- -'), '08:00', '09:00', { windSpeedMps: null, windDirectionDeg: null }],
  // 09:00 holds what fell from 08:00 to 09:00: half of 2 mm and a quarter of 4 mm
  ['rain counts by the share of an hour', { precipitation: '9 2 4' }, '08:30', '09:15', { precipitationMm: 2 }],
  ['rain that nobody knows is unknown', { precipitation: '1 -' }, '08:00', '09:00', { precipitationMm: null }],
  ['nothing falls in an instant', { precipitation: '1 1' }, '08:20', '08:20', { precipitationMm: 0 }],
  ['the longest share of codes counts', { weather_code: '0 3 61 3' }, '08:20', '10:30', { weatherCode: 3 }],
  ['of equal shares the worse after', { weather_code: '51 3 61' }, '08:30', '09:30', { weatherCode: 61 }],
  ['an unknown code hides none', { weather_code: '51 - 45' }, '08:00', '09:05', { weatherCode: 45 }],
])('%s: %j from %s to %s', (_, values, from, to, has) => {
  const numbers = Object.entries(has).map(([name, value]) => [name, value === null ? null : expect.closeTo(value, 9)])
  const found = weatherDuring(hoursFrom('08:00', ...stated(values)), { startMs: at(from), endMs: at(to) })
  expect(found).toMatchObject(Object.fromEntries(numbers))
})

test('5 m/s from 350 and 5 m/s from 10 degrees are 4.9240 m/s from north, which is below 360', () => {
  const { windSpeedMps, windDirectionDeg } = during(
    hoursFrom('08:00', ...stated(wind('5 5', '350 10'))),
    '08:00',
    '09:00',
  )!
  expect(windSpeedMps).toBeCloseTo(4.924, 4)
  expect(Math.cos((windDirectionDeg! * Math.PI) / 180)).toBeCloseTo(1, 12)
  expect(windDirectionDeg).toBeLessThan(360)
})

test('hours more than three hours away, hours without a value, and none are no weather', () => {
  expect(during(hoursFrom('04:00', {}, {}), '08:30', '09:00')).toBeNull()
  expect(during(hoursFrom('04:00', {}, {}), '07:30', '08:00')?.temperatureC).toBe(12)
  const unknown = Object.fromEntries(Object.keys(DRIZZLE).map((name) => [name, null]))
  for (const hours of [[unknown, unknown], []])
    expect(during(hoursFrom('08:00', ...hours), '08:00', '09:00')).toBeNull()
})
