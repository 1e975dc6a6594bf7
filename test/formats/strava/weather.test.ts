import { expect, test } from 'bun:test'
import { stravaWeather } from '../../../src/formats/strava/weather.ts'

test('a number that no weather has is none, however large', () => {
  const cells = { temperature: 1e307, apparentTemperature: -1e5, dewpoint: 3.456, pressure: 1013.25 }
  const unknown = { weatherCode: null, condition: null }
  expect(stravaWeather(cells)).toEqual({ source: 'strava_import', dewPoint: 3.46, pressure: 1013.25, ...unknown })
})
