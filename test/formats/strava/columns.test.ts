import { describe, expect, test } from 'bun:test'
import { FormatError } from '../../../src/formats/format.ts'
import { isStravaHeader } from '../../../src/formats/strava/columns.ts'
import { csvFile, STRAVA_HEADER, stravaRows } from '../../fixtures/csv.ts'

describe('columns', () => {
  const OLD = 'id,date,name,type,description,elapsed_time,distance,commute,gear,filename'.split(',')
  test('of before 2019: metres, a gear name', () => {
    const cells = '7,2018-03-10 08:05:37,Old run,Run,fine,1800,5012.3,false,Ghost,activities/7.gpx'.split(',')
    const row = [...stravaRows([csvFile({ header: OLD, rows: [cells] })])][0]!
    const startedAtMs = Date.UTC(2018, 2, 10, 8, 5, 37)
    expect(row).toMatchObject({ name: 'Old run', isRun: true, notes: 'fine', gear: 'Ghost', startedAtMs })
    expect(row).toMatchObject({ filename: 'activities/7.gpx', totals: { distanceM: 5012.3, elapsedS: 1800 } })
  })
  test('in an unlisted language are found by the layout that all languages share', () => {
    const unknown = STRAVA_HEADER.map(
      (title) => `Q${[...title].map((letter) => letter.charCodeAt(0).toString(36)).join('')}`,
    )
    expect(isStravaHeader(unknown)).toBe(true)
    const cells = Array(unknown.length).fill('')
    const texts = { 0: '9', 1: '22 May 2024, 08:19:26', 2: 'N', 3: 'Run', 4: 'D', 10: 'P', 11: 'Ghost' }
    const numbers = { 5: '1800', 6: '5.00', 15: '1801.0', 16: '1700.0', 17: '5001.0', 20: '12.5', 31: '150.0' }
    const more = { 12: 'activities/9.fit', 34: '300.0', 43: '4.0', 59: '0.5' }
    for (const [index, value] of Object.entries({ ...texts, ...numbers, ...more })) cells[Number(index)] = value
    const row = [...stravaRows([csvFile({ header: unknown, rows: [cells] })])][0]!
    const words = { name: 'N', notes: 'D\n\nP', gear: 'Ghost', weather: { humidity: 50 } }
    expect(row).toMatchObject({ ...words, isRun: true, rpe: 4 })
    const totals = { distanceM: 5001, elapsedS: 1801, movingS: 1700, elevGainM: 12.5, avgHeartRateBpm: 150 }
    expect(row).toMatchObject({ filename: 'activities/9.fit', totals: { ...totals, caloriesKcal: 300 } })
  })
  test('that are missing are named, those of other tables are not Strava', () => {
    const header = STRAVA_HEADER.slice(0, 5)
    const missing = new FormatError("activities.csv has no column for the activity's filename")
    expect(() => [...stravaRows([csvFile({ header, rows: [] })])]).toThrow(missing)
    for (const other of ['time,lat,lon,distance', 'Activity Type,Date,Favorite,Title,Distance,Calories,Time,Avg HR'])
      expect(isStravaHeader(other.split(','))).toBe(false)
  })
})
