import { describe, expect, test } from 'bun:test'
import { FormatError } from '../../../src/formats/format.ts'
import { tcxFormat } from '../../../src/formats/xml/tcx.ts'
import { steadyTcx, type TcxLap, type TcxPoint, tcxFile } from '../../fixtures/tcx.ts'

const START = Date.UTC(2024, 4, 1, 6)
const parse = (bytes: Uint8Array, anySport = false) => tcxFormat.parse(bytes, { filename: 'run.tcx', anySport })
const runOf = (laps: TcxLap[], more = {}) => parse(tcxFile([{ laps, ...more }])).activities[0]!
const points = (from: number, n: number, more: (i: number) => Partial<TcxPoint> = () => ({})): TcxPoint[] =>
  Array.from({ length: n }, (_, i) => ({
    ...{ timeMs: START + (from + i) * 1000, lat: 47 + (from + i) * 1e-5, lon: 8 },
    ...more(i),
  }))

test('laps are concatenated and Tracks are segments', () => {
  const laps = [
    { startMs: START, tracks: [points(0, 10), points(60, 10)] },
    { startMs: START + 70_000, tracks: [points(70, 10)] },
  ]
  const activity = runOf(laps, { creator: 'Forerunner', notes: 'Windy' })
  const texts = { name: null, notes: 'Windy', source: 'tcx_import', device: 'Forerunner' } as const
  expect(activity).toMatchObject({ startedAtMs: START, ...texts, rawFitData: null })
  expect([...activity.recording!.segment!]).toEqual(Array.from({ length: 30 }, (_, i) => Math.floor(i / 10)))
  const metadata = { desc: 'Windy', author: 'Forerunner' }
  expect(activity.rawGpxData?.()).toMatchObject({ source: 'tcx_import', metadata })
})

test('every sensor of a point is read', () => {
  const sensors = { ele: 401.5, distanceM: 3.1, hr: 151, runCadence: 86, speedMps: 3.05, watts: 260 }
  const { recording } = runOf([{ startMs: START, tracks: [points(0, 2, () => sensors)] }])
  const { elevM, distanceM, heartRateBpm, cadenceRpm, speedMps, powerW } = recording!
  const columns = [elevM, distanceM, heartRateBpm, cadenceRpm, speedMps, powerW]
  expect(columns.map((column) => column[1])).toEqual([401.5, 3.1, 151, 86, 3.05, 260])
  expect(runOf([{ startMs: START, tracks: [points(0, 2, () => ({ cadence: 80 }))] }]).recording!.cadenceRpm[0]).toBe(80)
})

test('a heart rate without value does not take the one before', () => {
  const xml = new TextDecoder()
    .decode(tcxFile([{ laps: [{ startMs: START, tracks: [points(0, 3, () => ({ hr: 150 }))] }] }]))
    .replace(/(<HeartRateBpm>)<Value>150<\/Value>(<\/HeartRateBpm><\/Trackpoint>\s*<\/Track>)/, '$1$2')
  const { recording } = parse(new TextEncoder().encode(xml)).activities[0]!
  expect([...recording!.heartRateBpm]).toEqual([150, 150, Number.NaN])
})

describe('totals', () => {
  const lap = (from: number, more: Partial<TcxLap>): TcxLap => ({
    startMs: START + from * 1000,
    tracks: [points(from, 61)],
    ...more,
  })
  test('are the sums of the laps', () => {
    const { totals } = runOf([
      lap(0, { totalTimeS: 60, distanceM: 180, calories: 12, avgHr: 140, maxHr: 155 }),
      lap(60, { totalTimeS: 30, distanceM: 120, calories: 8, avgHr: 170, maxHr: 181 }),
    ])
    const sums = { timerS: 90, distanceM: 300, caloriesKcal: 20, avgHeartRateBpm: 150, maxHeartRateBpm: 181 }
    expect(totals).toMatchObject({ ...sums, elapsedS: null })
  })
  test('are unknown when a lap lacks one', () => {
    const { totals } = runOf([lap(0, { totalTimeS: 60, distanceM: 180, avgHr: 140 }), lap(60, { calories: 0 })])
    expect(totals).toMatchObject({ timerS: null, distanceM: null, caloriesKcal: null, avgHeartRateBpm: null })
  })
  test('leave the distance to points that carry one', () => {
    const laps = [lap(0, { totalTimeS: 60, distanceM: 180, tracks: [points(0, 61, (i) => ({ distanceM: i * 3.01 }))] })]
    expect(runOf(laps).totals.distanceM).toBeNull()
  })

  test('leave out a timer that ran longer than the record', () => {
    expect(runOf([lap(0, { totalTimeS: 3600 })]).totals.timerS).toBeNull()
  })
})

test('laps without track points are a run without recording', () => {
  const activity = runOf([{ startMs: START, totalTimeS: 1800, distanceM: 5000, tracks: [] }])
  const totals = { distanceM: 5000, elapsedS: 1800, timerS: 1800 }
  expect(activity).toMatchObject({ startedAtMs: START, recording: null, totals })
})

describe('sports', () => {
  const run = steadyTcx({ n: 20, startMs: START })
  const ride = steadyTcx({ n: 20, startMs: START - 3_600_000, sport: 'Biking' })
  test('each running activity is a run, others are counted', () => {
    const parsed = parse(tcxFile([ride, run, { ...run, sport: 'Other' }]))
    expect([parsed.activities.length, parsed.skippedOther]).toEqual([2, 1])
  })
  test('a ride alone is refused by name', () => {
    expect(() => parse(tcxFile([ride]))).toThrow(new FormatError('The file is not a run: its sport is Biking'))
  })
  test('a row that says Run takes the first activity, whatever it is', () => {
    const parsed = parse(tcxFile([ride, run]), true)
    expect(parsed.activities.map(({ startedAtMs }) => startedAtMs)).toEqual([START - 3_600_000])
    expect(parsed.skippedOther).toBe(0)
  })
})

test('a file without activity or points is refused', () => {
  expect(() => parse(tcxFile([]))).toThrow(new FormatError('TCX has no activity'))
  expect(() => runOf([{ startMs: START, tracks: [] }])).toThrow(new FormatError('TCX has no track points with times'))
})
