import { expect, test } from 'bun:test'
import { bareLap } from '../../../src/engine/laps.ts'
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

test('totals are the sums of the laps, unknown when a lap lacks one, and left to points that carry a distance', () => {
  const lap = (from: number, more: Partial<TcxLap>): TcxLap => ({
    ...{ startMs: START + from * 1000, tracks: [points(from, 61)], ...more },
  })
  const of = (...laps: TcxLap[]) => runOf(laps).totals
  const sums = { timerS: 90, distanceM: 300, caloriesKcal: 20, avgHeartRateBpm: 150, maxHeartRateBpm: 181 }
  const first = lap(0, { totalTimeS: 60, distanceM: 180, calories: 12, avgHr: 140, maxHr: 155 })
  const second = lap(60, { totalTimeS: 30, distanceM: 120, calories: 8, avgHr: 170, maxHr: 181 })
  expect(of(first, second)).toMatchObject({ ...sums, elapsedS: null })
  expect(of(lap(0, { totalTimeS: 60, distanceM: 180, avgHr: 140 }), lap(60, { calories: 0 }))).toMatchObject({
    ...{ timerS: null, distanceM: null, caloriesKcal: null, avgHeartRateBpm: null },
  })
  const measured = [points(0, 61, (i) => ({ distanceM: i * 3.01 }))]
  expect(of(lap(0, { totalTimeS: 60, distanceM: 180, tracks: measured })).distanceM).toBeNull()
  // a timer that ran longer than the record
  expect(of(lap(0, { totalTimeS: 3600 })).timerS).toBeNull()
})

test('laps have what the file states of them, and last until their last point, pauses included', () => {
  const at = (s: number) => START + s * 1000
  const run = runOf([
    {
      ...{ startMs: at(0), totalTimeS: 240, distanceM: 900, avgHr: 150, maxHr: 171, intensity: 'Active' },
      ...{ triggerMethod: 'Distance', tracks: [points(0, 101), points(160, 141)] },
    },
    {
      ...{ startMs: at(300), totalTimeS: 60.5, intensity: 'Resting', triggerMethod: 'Manual' },
      tracks: [points(301, 60)],
    },
  ])
  expect(run.laps).toEqual([
    {
      ...{ ...bareLap(at(0), at(300)), timerS: 240, distanceM: 900, avgHeartRateBpm: 150, maxHeartRateBpm: 171 },
      ...{ trigger: 'distance', intensity: 'active' },
    },
    { ...bareLap(at(300), at(360.5)), timerS: 60.5, trigger: 'manual', intensity: 'rest' },
  ])
})

test('laps without track points are a run without recording', () => {
  const activity = runOf([{ startMs: START, totalTimeS: 1800, distanceM: 5000, tracks: [] }])
  const totals = { distanceM: 5000, elapsedS: 1800, timerS: 1800 }
  expect(activity).toMatchObject({ startedAtMs: START, recording: null, totals })
})

test('each running activity is a run, others are counted; a ride alone, and nothing, are refused', () => {
  const run = steadyTcx({ n: 20, startMs: START })
  const ride = steadyTcx({ n: 20, startMs: START - 3_600_000, sport: 'Biking' })
  const { activities, skippedOther } = parse(tcxFile([ride, run, { ...run, sport: 'Other' }]))
  expect([activities.length, skippedOther]).toEqual([2, 1])
  // a row that says Run takes the first activity, whatever it is
  const first = parse(tcxFile([ride, run]), true)
  expect(first).toMatchObject({ skippedOther: 0, activities: [{ startedAtMs: START - 3_600_000 }] })
  for (const [file, message] of [
    [tcxFile([ride]), 'The file is not a run: its sport is Biking'],
    [tcxFile([]), 'TCX has no activity'],
    [tcxFile([{ laps: [{ startMs: START, tracks: [] }] }]), 'TCX has no track points with times'],
  ] as const)
    expect(() => parse(file)).toThrow(new FormatError(message))
})
