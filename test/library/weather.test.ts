import { expect, test } from 'bun:test'
import type { RunWeather } from '../../src/engine/weather.ts'
import { wantsLookup } from '../../src/features/weather/lookup.ts'
import { filledWeather, lookupWeather } from '../../src/features/weather/save.ts'
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

test('a lookup fills what a file lacks, is all there is without one, and is wanted unless it is final or not needed', () => {
  const found = lookupWeather({ ...RUN, windGustMps: null }, 'final', LATER_MS)
  for (const [stated, expected] of [
    [null, found],
    ['"sunny"', found],
    ['{"source":"fit_import","temperature":21,"weatherCode":75}', { temperature: 21, condition: 'Heavy snow fall' }],
    // a row of Strava without a code, an old humidity
    ['{"source":"strava_import","relativeHumidity":0.5}', { humidity: 50, weatherCode: 61, condition: 'Slight rain' }],
  ] as const) {
    expect([stated, filledWeather(stated, found)]).toMatchObject([stated, expected])
    if (stated !== null) expect([stated, wantsLookup(stated)]).toEqual([stated, true])
  }
  for (const more of [{}, { windDirection: null }, { source: 'strava_import' }])
    expect(wantsLookup(JSON.stringify({ ...found, ...more }))).toBe(false)
  expect(wantsLookup(JSON.stringify({ ...found, quality: 'preliminary' }))).toBe(true)
})
