import { describe, expect, test } from 'bun:test'
import { conditionText, servedWeather, storedWeather, weatherColumns } from '../../src/library/weather.ts'
import type { RunWeather } from '../../src/weather/hours.ts'
import { lookupWeather, mergedWeather, wantsLookup } from '../../src/weather/merge.ts'

const NOTHING = {
  ...{ source: null, fetchedAt: null, temperature: null, humidity: null, precipitation: null },
  ...{ weatherCode: null, condition: null, windSpeed: null, windDirection: null, pressure: null },
}

const RUN: RunWeather = {
  temperatureC: 13.04999,
  humidityPercent: 71.5,
  dewPointC: 8.66,
  apparentTemperatureC: 12.2,
  precipitationMm: 0.126,
  weatherCode: 61,
  windSpeedMps: 4.92403877,
  windGustMps: 9.5,
  windDirectionDeg: 359.98,
  pressureHpa: 1009.25,
}
const NOON_MS = Date.parse('2025-06-01T12:00Z')
const LATER_MS = Date.parse('2025-06-09T12:00Z')

describe('served weather', () => {
  test.each([null, '', 'rain', '"rain"', '17', 'null', 'true', '[]', '[{"temperature":1}]', '{"temperature":'])(
    '%p is no weather',
    (stored) => {
      expect(servedWeather(stored)).toBeNull()
    },
  )

  const coded = (weatherCode: number | null, condition: string | null) => ({ ...NOTHING, weatherCode, condition })
  test.each([
    ['has the first ten keys always', '{}', NOTHING],
    [
      'has others when known',
      '{"temperature":7.5,"dewPoint":2,"windGust":null}',
      { ...NOTHING, temperature: 7.5, dewPoint: 2 },
    ],
    ['keeps what another program wrote beside it', '{"station":"EDDB"}', { ...NOTHING, station: 'EDDB' }],
    ['prefers humidity to its old name', '{"humidity":40,"relativeHumidity":90}', { ...NOTHING, humidity: 40 }],
    ['has the text of its code', '{"weatherCode":96}', coded(96, 'Thunderstorm with slight hail')],
    ['has its own text', '{"weatherCode":96,"condition":"Hail"}', coded(96, 'Hail')],
    ['has a whole code', '{"weatherCode":61.0}', coded(61, 'Slight rain')],
    ['has a code that is a text', '{"weatherCode":"3"}', coded(3, 'Overcast')],
    ['has no endless code', '{"weatherCode":1e300}', NOTHING],
  ])('%s', (_, stored, expected) => {
    expect(servedWeather(stored)).toEqual(expected)
  })

  test.each([
    [0.65, 65],
    [0.57, 57],
    ['0.65', 65],
    [1, 100],
    ['1', 100],
    [0, 0],
    [1.5, 1.5],
    [65, 65],
    ['65', 65],
    [140, 100],
    [-3, 0],
    [null, null],
    ['', null],
    ['damp', null],
    [{}, null],
  ])('humidity %p is %p', (humidity, expected) => {
    expect(servedWeather(JSON.stringify({ humidity }))?.humidity).toBe(expected)
    expect(servedWeather(JSON.stringify({ relativeHumidity: humidity }))).toEqual({ ...NOTHING, humidity: expected })
  })
})

test('the texts of the codes are those of the contract', () => {
  expect([0, 1, 2, 3, 45, 48, 51, 53, 55].map(conditionText)).toEqual([
    'Clear sky',
    'Mainly clear',
    'Partly cloudy',
    'Overcast',
    'Foggy',
    'Depositing rime fog',
    'Light drizzle',
    'Moderate drizzle',
    'Dense drizzle',
  ])
  expect([4, -1, 100, 1.5].map(conditionText)).toEqual(['Unknown', 'Unknown', 'Unknown', 'Unknown'])
})

describe('weather of a file', () => {
  test('is stored with the time of the import', () => {
    expect(storedWeather({ source: 'fit_import', temperature: 21, humidity: 0.4, weatherCode: 2 }, NOON_MS)).toEqual({
      ...NOTHING,
      source: 'fit_import',
      fetchedAt: '2025-06-01T12:00:00Z',
      temperature: 21,
      humidity: 40,
      weatherCode: 2,
      condition: 'Partly cloudy',
    })
  })

  test('gives the columns that the statistics ask', () => {
    const weather = storedWeather({ source: 'strava_import', temperature: -2, weatherCode: 71, windSpeed: 3 }, NOON_MS)
    expect(weatherColumns(weather)).toEqual({
      weatherTemperatureC: -2,
      weatherHumidity: null,
      weatherPrecipitationMm: null,
      weatherWindSpeedMps: 3,
      weatherWindDirection: null,
      weatherCode: 71,
    })
    expect(new Set(Object.values(weatherColumns(null)))).toEqual(new Set([null]))
  })
})

test('a lookup is rounded for the wire, and north is 0 degrees', () => {
  expect(lookupWeather(RUN, 'final', NOON_MS)).toEqual({
    source: 'open_meteo',
    fetchedAt: '2025-06-01T12:00:00Z',
    temperature: 13,
    humidity: 72,
    precipitation: 0.13,
    weatherCode: 61,
    condition: 'Slight rain',
    windSpeed: 4.924,
    windDirection: 0,
    pressure: 1009.3,
    apparentTemperature: 12.2,
    dewPoint: 8.7,
    windGust: 9.5,
    quality: 'final',
  })
})

describe('a lookup beside what is stored', () => {
  const preliminary = lookupWeather(RUN, 'preliminary', NOON_MS)
  const final = lookupWeather({ ...RUN, temperatureC: 9, weatherCode: 3, windGustMps: null }, 'final', LATER_MS)
  const fit = JSON.stringify(
    storedWeather({ source: 'fit_import', temperature: 21, weatherCode: 0, condition: 'Clear sky' }, NOON_MS),
  )

  test('is all there is when nothing was stored, or nothing readable', () => {
    expect(mergedWeather(null, final)).toEqual(final)
    expect(mergedWeather('"sunny"', final)).toEqual(final)
  })

  test('fills the keys a file lacks and leaves its own', () => {
    const merged = mergedWeather(fit, final)
    expect(merged).toMatchObject({
      source: 'fit_import',
      fetchedAt: '2025-06-01T12:00:00Z',
      temperature: 21,
      weatherCode: 0,
      condition: 'Clear sky',
      pressure: 1009.3,
      windSpeed: 4.924,
    })
    expect(merged).not.toHaveProperty('quality')
    expect(merged).not.toHaveProperty('filled')
  })

  test('gives a Strava row without code its code and text', () => {
    const strava = JSON.stringify(
      storedWeather({ source: 'strava_import', temperature: 5, weatherCode: null, condition: null }, NOON_MS),
    )
    expect(mergedWeather(strava, final)).toMatchObject({ temperature: 5, weatherCode: 3, condition: 'Overcast' })
  })

  test('does not put its text beside a code of the file', () => {
    const coded = JSON.stringify({ source: 'fit_import', weatherCode: 75 })
    expect(mergedWeather(coded, final)).toMatchObject({ weatherCode: 75, condition: 'Heavy snow fall' })
  })

  test('takes an old humidity for one', () => {
    expect(mergedWeather('{"source":"strava_import","relativeHumidity":0.5}', final).humidity).toBe(50)
  })

  test('replaces a preliminary one, but not by "unknown"', () => {
    const merged = mergedWeather(JSON.stringify(preliminary), final)
    expect(merged).toEqual({ ...final, windGust: 9.5 })
    expect(merged.fetchedAt).toBe('2025-06-09T12:00:00Z')
  })

  test('replaces in a file’s weather only what the preliminary one had filled', () => {
    const first = mergedWeather(fit, preliminary)
    expect(first).toMatchObject({ temperature: 21, precipitation: 0.13, quality: 'preliminary' })
    const other = lookupWeather({ ...RUN, temperatureC: 9, precipitationMm: 3, weatherCode: 65 }, 'final', LATER_MS)
    const second = mergedWeather(JSON.stringify(first), other)
    expect(second).toMatchObject({ temperature: 21, weatherCode: 0, condition: 'Clear sky', precipitation: 3 })
    expect(second).not.toHaveProperty('quality')
    expect(servedWeather(JSON.stringify(first))).not.toHaveProperty('filled')
  })

  test('a final one is not replaced', () => {
    expect(mergedWeather(JSON.stringify(final), preliminary)).toMatchObject({ temperature: 9, weatherCode: 3 })
  })

  test('is wanted unless the file has all of it or a final one was stored', () => {
    expect(wantsLookup(null)).toBe(true)
    expect(wantsLookup('[]')).toBe(true)
    expect(wantsLookup(fit)).toBe(true)
    expect(wantsLookup(JSON.stringify(preliminary))).toBe(true)
    expect(wantsLookup(JSON.stringify(final))).toBe(false)
    expect(wantsLookup(JSON.stringify({ ...final, windDirection: null }))).toBe(false)
    expect(wantsLookup(JSON.stringify({ ...final, source: 'strava_import' }))).toBe(false)
  })
})
