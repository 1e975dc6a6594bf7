import { expect } from 'bun:test'
import { FormatError } from '../../../src/formats/format.ts'
import { stravaColumns } from '../../../src/formats/strava/columns.ts'
import { csvFormat } from '../../../src/formats/table/csv.ts'
import { corpusFile, corpusTest, expectedOf } from '../../corpus.ts'
import { stravaRows } from '../../fixtures/csv.ts'

const parse = (bytes: Uint8Array) => csvFormat.parse(bytes, { filename: 'activities.csv' })
const CORPUS = 'en-103col en-79col-crlf-excel en-87col-translation_missing en-GB-dates es-103col nl-99col'
  .split(' ')
  .map((name) => `csv/strava-activities.${name}.csv`)
const rowsOf = (file: string) => [...stravaRows([corpusFile(file)])]

for (const file of CORPUS) {
  corpusTest(`${file}: every row has a type, a date and its file column`, () => {
    const expected = expectedOf(file) as {
      rows: number
      types: Record<string, number>
      rows_with_media: number
      filename_column_index: number
      columns: number
    }
    const rows = rowsOf(file)
    const types: Record<string, number> = {}
    for (const { type } of rows) types[type] = (types[type] ?? 0) + 1
    expect(rows).toHaveLength(expected.rows)
    expect(types).toEqual(expected.types)
    expect(rows.filter(({ media }) => media.length > 0)).toHaveLength(expected.rows_with_media)
    for (const row of rows) {
      expect(row.startedAtMs).not.toBeNull()
      expect(row.filename === null || row.filename.startsWith('activities/')).toBe(true)
      expect(row.totals.elapsedS).toBeGreaterThan(0)
    }
  })
}

corpusTest('the newest English export', () => {
  const row = rowsOf('csv/strava-activities.en-103col.csv')[1]!
  expect(row).toMatchObject({
    ...{ startedAtMs: Date.UTC(2026, 3, 13, 4, 51, 23), name: 'Morning Run', isRun: true, rpe: 3, runType: null },
    ...{ gear: 'Adidas Adizero Evo SL', filename: 'activities/19188892578.gpx.gz' },
    totals: {
      ...{ distanceM: 10809.5, elapsedS: 4180, movingS: 4167, maxHeartRateBpm: 168, avgHeartRateBpm: 163 },
      ...{ avgCadenceRpm: 82, maxCadenceRpm: 84, caloriesKcal: 859, elevGainM: 149.3, elevLossM: 151.1 },
      ...{ minElevM: 9.5, maxElevM: 45, maxSpeedMps: 3.143, avgSpeedMps: 2.594 },
    },
  })
  expect(row.media).toHaveLength(4)
  const raw = { activityId: 18087157972, maxGrade: 42.1, averageGrade: 0, relativeEffort: 129 }
  expect(row.raw).toMatchObject({ ...raw, gear: 'Adidas Adizero Evo SL' })
})

corpusTest('a Spanish export with narrow spaces', () => {
  const rows = rowsOf('csv/strava-activities.es-103col.csv')
  expect(rows[0]).toMatchObject({
    ...{ startedAtMs: Date.UTC(2026, 7, 2, 12, 20, 32), name: 'Carrera | Corre Quimbaya 10k', isRun: true },
    totals: {
      ...{ distanceM: 9749, elapsedS: 2735, movingS: 2722, maxHeartRateBpm: 186, avgHeartRateBpm: 163 },
      ...{ caloriesKcal: 438, elevGainM: 137.4, minElevM: 1219, maxElevM: 1320 },
    },
  })
  expect(rows[2]!.startedAtMs).toBe(Date.UTC(2026, 7, 1, 0, 53, 54))
  expect(rows.filter(({ isRun }) => isRun)).toHaveLength(4)
  const walk = rows.find(({ startedAtMs }) => startedAtMs === Date.UTC(2026, 4, 18, 13, 22, 30))!
  const weather = { temperature: 22.3, humidity: 81, pressure: 1012.9, windDirection: 38, cloudCover: 73 }
  expect(walk).toMatchObject({ weather })
})

corpusTest('a Dutch export with decimal commas', () => {
  const rows = rowsOf('csv/strava-activities.nl-99col.csv')
  expect(rows[0]).toMatchObject({
    startedAtMs: Date.UTC(2017, 6, 8, 15, 25, 34),
    isRun: true,
    totals: { distanceM: 9721.5, elapsedS: 3107, movingS: 3095, elevGainM: 72.1, minElevM: 45, maxElevM: 80.4 },
  })
  expect(rows.filter(({ isRun }) => isRun)).toHaveLength(4)
})

corpusTest('an export of 2021 re-saved by Excel, its columns two places earlier', () => {
  const rows = rowsOf('csv/strava-activities.en-79col-crlf-excel.csv')
  expect(rows[0]).toMatchObject({
    filename: 'activities/3184653380.fit.gz',
    notes: null,
    totals: {
      ...{ distanceM: 5005.200195, elapsedS: 1509, avgCadenceRpm: 83, maxCadenceRpm: 86 },
      ...{ caloriesKcal: 344, elevGainM: 30, elevLossM: 35 },
    },
  })
  expect(rows[0]!.raw).toMatchObject({ commute: 0, activityId: 2987876185 })
  expect(rows.at(-1)!.totals.distanceM).toBe(1025)
})

corpusTest('headers with markup', () => {
  const bytes = corpusFile('csv/strava-activities.en-87col-translation_missing.csv')
  const run = [...stravaRows([bytes])].find(({ startedAtMs }) => startedAtMs === Date.UTC(2021, 1, 22, 10, 30, 6))!
  const weather = { temperature: 4.68, humidity: 87, windDirection: 173, condition: null, weatherCode: null }
  expect(run).toMatchObject({ weather })
  const titles = [...stravaRows([bytes])].flatMap(({ raw }) => Object.keys((raw.otherFields ?? {}) as object))
  expect(titles.filter((title) => title.includes('<'))).toEqual([])
})

corpusTest('the British export', () => {
  const run = rowsOf('csv/strava-activities.en-GB-dates.csv')[1]!
  expect(run).toMatchObject({
    startedAtMs: Date.UTC(2024, 4, 21, 0, 48, 20),
    weather: { temperature: 12.31, humidity: 76, pressure: 1030.75, windDirection: 162, cloudCover: 66 },
  })
})

corpusTest('the German header: every column by name', () => {
  const header = csvHeader(corpusFile('csv/strava-activities.de-92col.header-only.csv'))
  const { indexes } = stravaColumns(header)
  expect(Object.fromEntries(indexes)).toMatchObject({
    ...{ filename: [12], distance: [6, 17], elapsedTime: [5, 15], maxHeartRate: [7, 30], media: [91], humidity: [59] },
    activityPrivateNote: [10],
  })
  expect(() => parse(corpusFile('csv/strava-activities.de-92col.header-only.csv'))).toThrow(
    new FormatError('activities.csv has no row of type Run'),
  )
})

for (const file of [...CORPUS, 'csv/strava-activities.de-92col.header-only.csv', 'strava-export/activities.csv']) {
  corpusTest(`${file}: names and layout agree on every column up to the ozone`, () => {
    const header = csvHeader(corpusFile(file))
    const byName = stravaColumns(header).indexes
    const masked = header.map((title) => `§${Bun.hash(title.replace(/<[^>]*>/g, ''))}`)
    const byLayout = stravaColumns(masked).indexes
    for (const [column, at] of byLayout) expect([column, at.at(-1)]).toEqual([column, byName.get(column)?.at(-1)])
    expect(byLayout.size).toBeGreaterThan(45)
  })
}

corpusTest('the export: names, notes of several lines, media', () => {
  const rows = rowsOf('strava-export/activities.csv')
  expect([rows.length, rows.filter(({ isRun }) => isRun).length]).toEqual([13, 10])
  expect(rows[0]).toMatchObject({
    startedAtMs: Date.UTC(2016, 6, 12, 17, 13, 58),
    notes: 'Easy, then "fast finish"\n\n2nd paragraph, with comma\n\nknee ok',
    media: ['media/3DF8844E-7BE1-4166-B220-156BB13A990B.jpg', 'media/1B5BB8EE-FF8A-4C86-88AE-AD844A28EB42.jpg'],
    totals: { distanceM: 7830.600098, elapsedS: 2271, movingS: 2229, elevGainM: 10.62142849, caloriesKcal: 754 },
  })
  expect(rows[2]!.gear).toBe('Brooks Ghost 7')
  expect(rows[3]!.name).toBe('Treadmill 🏃, 5K')
  const manual = { startedAtMs: Date.UTC(2018, 0, 22, 7), totals: { distanceM: 5000, elapsedS: 1800 } }
  expect(rows[10]).toMatchObject({ filename: null, ...manual })
})

function csvHeader(bytes: Uint8Array): string[] {
  const text = new TextDecoder().decode(bytes)
  const titles = text.slice(0, text.indexOf('\n')).match(/"(?:[^"]|"")*"|[^,\r\n]+/g) ?? []
  return titles.map((title) => title.replace(/^"|"$/g, '').replace(/""/g, '"'))
}
