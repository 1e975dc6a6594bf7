import { describe, expect, test } from 'bun:test'
import type { RunWeather } from '../../src/engine/weather.ts'
import { lookupWeather, mergedWeather, wantsLookup } from '../../src/features/weather/merge.ts'
import { servedWeather, storedWeather, weatherColumns } from '../../src/library/weather.ts'

const NOTHING = {
  ...{ source: null, fetchedAt: null, temperature: null, humidity: null, precipitation: null },
  ...{ weatherCode: null, condition: null, windSpeed: null, windDirection: null, pressure: null },
}
const RUN: RunWeather = {
  ...{ temperatureC: 13.04999, humidityPercent: 71.5, dewPointC: 8.66, apparentTemperatureC: 12.2 },
  ...{ precipitationMm: 0.126, weatherCode: 61, windSpeedMps: 4.92403877, windGustMps: 9.5 },
  ...{ windDirectionDeg: 359.98, pressureHpa: 1009.25 },
}
const NOON_MS = Date.parse('2025-06-01T12:00Z')
const LATER_MS = Date.parse('2025-06-09T12:00Z')

test('what is served is an object with ten keys always, others when known, and a whole code', () => {
  for (const stored of [
    null,
    '',
    'rain',
    '"rain"',
    '17',
    'null',
    'true',
    '[]',
    '[{"temperature":1}]',
    '{"temperature":',
  ])
    expect([stored, servedWeather(stored)]).toEqual([stored, null])
  for (const [stored, expected] of [
    ['{}', {}],
    ['{"temperature":7.5,"dewPoint":2,"windGust":null}', { temperature: 7.5, dewPoint: 2 }],
    // what another program wrote beside it
    ['{"station":"EDDB"}', { station: 'EDDB' }],
    ['{"humidity":40,"relativeHumidity":90}', { humidity: 40 }],
    ['{"weatherCode":96}', { weatherCode: 96, condition: 'Thunderstorm with slight hail' }],
    ['{"weatherCode":96,"condition":"Hail"}', { weatherCode: 96, condition: 'Hail' }],
    ['{"weatherCode":61.0}', { weatherCode: 61, condition: 'Slight rain' }],
    ['{"weatherCode":"3"}', { weatherCode: 3, condition: 'Overcast' }],
    ['{"weatherCode":1e300}', {}],
  ] as const)
    expect([stored, servedWeather(stored)]).toEqual([stored, { ...NOTHING, ...expected }])
  for (const [humidity, percent] of [
    ...[[0.65, 65] as const, [0.57, 57] as const, ['0.65', 65] as const, [1, 100] as const, ['1', 100] as const],
    ...[[0, 0] as const, [1.5, 1.5] as const, [65, 65] as const, ['65', 65] as const, [140, 100] as const],
    ...[[-3, 0] as const, [null, null] as const, ['', null] as const, ['damp', null] as const, [{}, null] as const],
  ])
    for (const stored of [{ humidity }, { relativeHumidity: humidity }])
      expect([stored, servedWeather(JSON.stringify(stored))]).toEqual([stored, { ...NOTHING, humidity: percent }])
})

test('weather of a file is stored with the time of the import, and gives the columns that the statistics ask', () => {
  const ofFile = { source: 'fit_import' as const, temperature: 21, humidity: 0.4, weatherCode: 2 }
  const stored = storedWeather(ofFile, NOON_MS)
  const more = { fetchedAt: '2025-06-01T12:00:00Z', humidity: 40, condition: 'Partly cloudy' }
  expect(stored).toEqual({ ...NOTHING, ...ofFile, ...more })
  const columns = weatherColumns(storedWeather({ ...ofFile, weatherCode: 71, windSpeed: 3 }, NOON_MS))
  expect(columns).toEqual({
    ...{ weatherTemperatureC: 21, weatherHumidity: 40, weatherPrecipitationMm: null, weatherWindSpeedMps: 3 },
    ...{ weatherWindDirection: null, weatherCode: 71 },
  })
  expect(new Set(Object.values(weatherColumns(null)))).toEqual(new Set([null]))
})

test('a lookup is rounded for the wire, and north is 0 degrees', () => {
  expect(lookupWeather(RUN, 'final', NOON_MS)).toEqual({
    ...{ source: 'open_meteo', fetchedAt: '2025-06-01T12:00:00Z', temperature: 13, humidity: 72, precipitation: 0.13 },
    ...{ weatherCode: 61, condition: 'Slight rain', windSpeed: 4.924, windDirection: 0, pressure: 1009.3 },
    ...{ apparentTemperature: 12.2, dewPoint: 8.7, windGust: 9.5, quality: 'final' },
  })
})

describe('a lookup beside what is stored', () => {
  const preliminary = lookupWeather(RUN, 'preliminary', NOON_MS)
  const final = lookupWeather({ ...RUN, temperatureC: 9, weatherCode: 3, windGustMps: null }, 'final', LATER_MS)
  const ofFit = { source: 'fit_import' as const, temperature: 21, weatherCode: 0, condition: 'Clear sky' }
  const fit = JSON.stringify(storedWeather(ofFit, NOON_MS))
  const strava = JSON.stringify(storedWeather({ source: 'strava_import', temperature: 5 }, NOON_MS))

  test('is all there is where nothing readable was stored, else it fills what a file lacks, and replaces a preliminary one', () => {
    for (const [stored, expected] of [
      [null, final],
      ['"sunny"', final],
      [fit, { ...ofFit, pressure: 1009.3, windSpeed: 4.924 }],
      // a row of Strava without a code, a code of the file, an old humidity
      [strava, { weatherCode: 3, condition: 'Overcast' }],
      ['{"source":"fit_import","weatherCode":75}', { weatherCode: 75, condition: 'Heavy snow fall' }],
      ['{"source":"strava_import","relativeHumidity":0.5}', { humidity: 50 }],
      // but not by "unknown"
      [JSON.stringify(preliminary), { ...final, windGust: 9.5 }],
    ] as const)
      expect([stored, mergedWeather(stored, final)]).toMatchObject([stored, expected])
  })

  test('replaces in a file’s weather only what the preliminary one had filled', () => {
    const first = mergedWeather(fit, preliminary)
    expect(first).toMatchObject({ temperature: 21, precipitation: 0.13, quality: 'preliminary' })
    const other = lookupWeather({ ...RUN, temperatureC: 9, precipitationMm: 3, weatherCode: 65 }, 'final', LATER_MS)
    const second = mergedWeather(JSON.stringify(first), other)
    expect(second).toMatchObject({ ...ofFit, precipitation: 3 })
    expect([Object.keys(second), Object.keys(servedWeather(JSON.stringify(first))!)]).toEqual([
      expect.not.arrayContaining(['quality']),
      expect.not.arrayContaining(['filled']),
    ])
  })

  test('does not replace a final one, and is wanted unless that is stored or the file has all of it', () => {
    expect(mergedWeather(JSON.stringify(final), preliminary)).toMatchObject({ temperature: 9, weatherCode: 3 })
    for (const stored of [null, '[]', fit, JSON.stringify(preliminary)]) expect(wantsLookup(stored)).toBe(true)
    for (const more of [{}, { windDirection: null }, { source: 'strava_import' }])
      expect(wantsLookup(JSON.stringify({ ...final, ...more }))).toBe(false)
  })
})
