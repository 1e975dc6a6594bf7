import { describe, expect, test } from 'bun:test'
import { NO_TOTALS } from '../../../src/engine/numbers.ts'
import { FormatError } from '../../../src/formats/format.ts'
import type { StravaRow } from '../../../src/formats/strava/rows.ts'
import { csvFormat } from '../../../src/formats/table/csv.ts'
import { stravaCsv, stravaRows } from '../../fixtures/csv.ts'

const parse = (bytes: Uint8Array) => csvFormat.parse(bytes, { filename: 'activities.csv' })
const RUN = {
  ...{ 'Activity ID': 1, 'Activity Date': 'Jul 12, 2016, 5:13:58 PM', 'Activity Type': 'Run' },
  ...{ 'Elapsed Time': 1800, Distance: '5.00' },
}
const rowOf = (row: Record<string, string | number>): StravaRow =>
  [...stravaRows([stravaCsv([{ ...RUN, ...row }])])][0]!

describe('a row', () => {
  test('has its summary in SI units, whole where the workout is', () => {
    const { totals } = rowOf({
      ...{ 'Distance#2': '5001.4', 'Elapsed Time#2': '1801.0', 'Moving Time': '1790.0', 'Max Heart Rate': '170.6' },
      ...{ 'Max Heart Rate#2': '171.4', 'Average Heart Rate': '150.5', 'Average Cadence': '83.195' },
      ...{ 'Max Cadence': '180', 'Average Watts': '0.0', Calories: '344.7', 'Elevation Gain': '10.62' },
      ...{ 'Elevation Low': '-3.5', 'Average Speed': '2.779' },
    })
    expect(totals).toEqual({
      ...NO_TOTALS,
      ...{ distanceM: 5001.4, elapsedS: 1801, movingS: 1790, avgHeartRateBpm: 151, maxHeartRateBpm: 171 },
      ...{ avgCadenceRpm: 83, maxCadenceRpm: 90, caloriesKcal: 345, elevGainM: 10.62, minElevM: -3.5 },
      avgSpeedMps: 2.779,
    })
  })
  test('falls back on the first of two columns, kilometres as displayed', () => {
    expect(rowOf({ Distance: '9,72', 'Distance#2': '' }).totals).toMatchObject({ distanceM: 9720, elapsedS: 1800 })
    expect(rowOf({ Distance: '5.00', 'Distance#2': 'n/a' }).totals.distanceM).toBe(5000)
  })
  test('knows words, races, long runs, effort, gear, file and media', () => {
    for (const [cells, row] of [
      [{ 'Activity Description': ' a\nb ', 'Activity Private Note': 'knee' }, { notes: 'a\nb\n\nknee' }],
      [{ 'Activity Private Note': 'knee' }, { notes: 'knee' }],
      [{ 'Activity Name': 'Über\nden Berg' }, { name: 'Über\nden Berg' }],
      [{ Competition: '1.0', 'Long Run': '1.0' }, { runType: 'Race' }],
      [{ 'Long Run': 'true' }, { runType: 'Long Run' }],
      [{ Competition: '0.0', 'Long Run': 'false' }, { runType: null }],
      [{ 'Perceived Exertion': '6.5' }, { rpe: 7 }],
      [{ 'Perceived Exertion': '0.0' }, { rpe: null }],
      [{ 'Perceived Exertion': '11' }, { rpe: null }],
      [{ 'Activity Gear': 'Brooks Ghost 7', Gear: '27116017.0' }, { gear: 'Brooks Ghost 7' }],
      [{ Filename: 'activities/1.fit.gz' }, { filename: 'activities/1.fit.gz' }],
      [{ Media: 'media/a.jpg|media/b.mp4, c.heic|' }, { media: ['media/a.jpg', 'media/b.mp4', 'c.heic'] }],
      [{}, { notes: null, filename: null, weather: null, rpe: null, runType: null, media: [] }],
    ] as const)
      expect([cells, rowOf(cells)]).toMatchObject([cells, row])
  })
  test('is a run in every language, and no other kind of run is', () => {
    const western = ['Run', 'RUN', 'Lauf', 'Course à pied', 'Course a\u0300 pied', 'Carrera', 'Corsa', 'Corrida']
    const isRun = (type: string) => rowOf({ 'Activity Type': type }).isRun
    for (const type of [...western, 'Hardloopsessie', '跑步']) expect(isRun(type), type).toBe(true)
    for (const type of ['Trail Run', 'Virtual Run', 'Ride', 'Walk', 'Workout', ''])
      expect(isRun(type), type).toBe(false)
  })
  test('has weather with percentages, and numeric codes are not WMO codes', () => {
    const cells = {
      ...{ 'Weather Condition': '3.0', 'Weather Temperature': '12.3100004196167', Dewpoint: '8.199999809265137' },
      ...{ 'Apparent Temperature': '11.670000076293945', Humidity: '0.7599999904632568' },
      ...{ 'Weather Pressure': '1030.75', 'Wind Speed': '0.800000011920929', 'Wind Gust': '3.640000104904175' },
      ...{ 'Wind Bearing': '162.0', 'Precipitation Intensity': '0.0', 'Cloud Cover': '0.6600000262260437' },
      'Precipitation Probability': '0.10000000149011612',
    }
    expect(rowOf(cells).weather).toEqual({
      ...{ source: 'strava_import', temperature: 12.31, apparentTemperature: 11.67, dewPoint: 8.2, humidity: 76 },
      ...{ pressure: 1030.75, windSpeed: 0.8, windGust: 3.64, windDirection: 162, precipitation: 0 },
      ...{ precipitationProbability: 10, cloudCover: 66, weatherCode: null, condition: null },
    })
    const named = (condition: string) => rowOf({ 'Weather Condition': condition }).weather
    const source = 'strava_import'
    expect(named('Partly Cloudy')).toEqual({ source, weatherCode: 2, condition: 'Partly cloudy' })
    expect(named('Sandstorm')).toEqual({ source, weatherCode: null, condition: 'Sandstorm' })
    expect(rowOf({ 'Weather Condition': '3.0' }).weather).toBeNull()
    // a number that no weather has is none, however large
    const odd = { 'Weather Temperature': '1e307', 'Apparent Temperature': '-100000', Dewpoint: '3.456' }
    expect(rowOf(odd).weather).toEqual({ source, dewPoint: 3.46, weatherCode: null, condition: null })
  })
})

test('alone it is one run without recording per Run row; without one, or with damage, it is refused', () => {
  const named = (name: string, more = {}) => ({ ...RUN, 'Activity Name': name, ...more })
  const ride = { ...RUN, 'Activity Type': 'Ride' }
  const parsed = parse(stravaCsv([named('A'), ride, named('B', { 'Activity Date': 'Jul 13, 2016, 5:13:58 PM' })]))
  const run = { recording: null, source: 'strava_import' }
  expect(parsed).toMatchObject({
    ...{ type: 'csv', skippedOther: 1 },
    activities: [
      { name: 'A', startedAtMs: Date.UTC(2016, 6, 12, 17, 13, 58), ...run },
      { name: 'B', ...run },
    ],
  })
  const open = new TextDecoder().decode(stravaCsv([RUN])).replace(',Run,', ',"Run,')
  for (const [bytes, message] of [
    [stravaCsv([ride]), 'activities.csv has no row of type Run'],
    [
      stravaCsv([named('A', { 'Activity Date': 'soon' })]),
      'The date of the activity A in activities.csv cannot be read',
    ],
    [new TextEncoder().encode(open), 'The CSV is cut off or damaged: a quote is not closed'],
  ] as const)
    expect(() => parse(bytes)).toThrow(new FormatError(message))
})
