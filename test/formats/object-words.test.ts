import { expect, test } from 'bun:test'
import { parseFile } from '../../src/formats/registry.ts'
import { isOtherSport, otherSportError } from '../../src/formats/sport.ts'
import { stravaWeather } from '../../src/formats/strava/weather.ts'
import { START_MS } from '../fixtures/runs.ts'

// every object of JavaScript has these without anybody having put them there
const WORDS = ['constructor', 'toString', 'valueOf', '__proto__', 'hasOwnProperty']

test.each(WORDS)('%s is a word like any other in a sport, a weather and the header of a table', (word) => {
  expect(isOtherSport(word)).toBe(false)
  expect(otherSportError(word).message).toContain(word.replaceAll('_', ' '))
  expect(stravaWeather({ temperature: 10, condition: word })).toMatchObject({ condition: word, weatherCode: null })
  const rows = [0, 10, 20].map((s) => `${new Date(START_MS + s * 1000).toISOString()},${47 + s / 10_000},8,1`)
  const table = [`time,lat,lon,${word}`, ...rows].join('\n')
  const parsed = parseFile(new TextEncoder().encode(table), { filename: 'a.csv', nowMs: START_MS + 1e9 })
  expect(parsed.activities[0]?.recording?.n).toBe(3)
})
