// A row beside its file is to come to what the file alone comes to with the totals that it lacked.
import { expect, test } from 'bun:test'
import type { Analysis } from '../../src/engine/analysis.ts'
import {
  type DeviceTotals,
  NO_TOTALS,
  NUMBER_NAMES,
  NUMBERS,
  type Numbers,
  saidTotals,
} from '../../src/engine/numbers.ts'
import { cleanRecording } from '../../src/engine/run/samples.ts'
import { DEFAULT_ZONES } from '../../src/engine/run/zones.ts'
import type { Track } from '../../src/engine/track.ts'
import { parseFile } from '../../src/formats/registry.ts'
import { analyze, settle } from '../fixtures/derived.ts'
import { fitFile } from '../fixtures/fit.ts'
import { START_MS } from '../fixtures/runs.ts'

const ROW: DeviceTotals = {
  ...NO_TOTALS,
  ...{ distanceM: 5000, elapsedS: 2000, timerS: 1999, movingS: 1500.6, avgHeartRateBpm: 151, maxHeartRateBpm: 172 },
  ...{ avgCadenceRpm: 84, maxCadenceRpm: 95, avgPowerW: 251, maxPowerW: 401, caloriesKcal: 99, elevGainM: 12.34 },
  ...{ elevLossM: 0, minElevM: -3.26, maxElevM: 20.55, avgSpeedMps: 2.5, maxSpeedMps: 4.4444 },
}

const SENSORS = ['hr', 'cadence', 'power', 'altitude', 'position', 'treadmill', 'totals'] as const
type Sensors = Readonly<Record<(typeof SENSORS)[number], boolean>>

/** A run whose file has only some of the sensors. */
function run(sensors: Sensors) {
  const samples = Array.from({ length: 601 }, (_, t) => ({
    ...{ t, distanceM: t * 3 },
    ...(sensors.position ? { lat: 47 + (t * 3) / 111_170, lon: 8 } : {}),
    ...(sensors.hr ? { hr: 140 } : {}),
    ...(sensors.cadence ? { cadence: 85 } : {}),
    ...(sensors.power ? { powerW: 250 } : {}),
    ...(sensors.altitude ? { elevM: 400 + t / 20 } : {}),
  }))
  const totals = sensors.totals ? { calories: 80, avgHr: 139, maxCadence: 90 } : {}
  const session = { subSport: sensors.treadmill ? 1 : 0, ...totals }
  const bytes = fitFile({ startMs: START_MS, samples, session })
  const { activities } = parseFile(bytes, { filename: 'a.fit', nowMs: START_MS + 1e9 })
  const activity = activities[0]!
  const track = cleanRecording(activity.recording!)!
  return { track, totals: activity.totals, own: numbersOf(analyze(track, options(activity.totals))) }
}

function options(totals: DeviceTotals) {
  return { totals, splitLengthM: 1000, zones: DEFAULT_ZONES, elevation: { thresholdM: 2, minDistanceM: 10 } }
}

function numbersOf({ routeIndex: _r, splits: _s, bestEfforts: _b, preview: _p, ...numbers }: Analysis): Numbers {
  return numbers
}

/** What the file and its row settle to. */
function settled(track: Track, totals: DeviceTotals, row: DeviceTotals): Numbers {
  const recordings = [
    { kind: 'file' as const, said: saidTotals(totals), track },
    { kind: 'row' as const, said: saidTotals(row), track: null },
  ]
  return settle(recordings, [], { ...options(totals), primary: 0, ours: { effort: false } }).numbers
}

const CLIMB = ['elevGainM', 'elevLossM', 'minElevM', 'maxElevM']

/** The totals of the file, and those of the row for every number that nothing of the file tells. */
function filledTotals(totals: DeviceTotals, own: Numbers, row: DeviceTotals): DeviceTotals {
  const missing = NUMBER_NAMES.filter((name) => own[name] === null && !['timerTimeS'].includes(name))
  const entries = missing.flatMap((name) => {
    const { total } = NUMBERS[name]
    return total === null || (row[total] === 0 && !CLIMB.includes(name)) ? [] : [[total, row[total]] as const]
  })
  return { ...totals, ...Object.fromEntries(entries) }
}

test('whatever sensors a file lacks, the filled run is the run with those totals, and nothing known changes', () => {
  let filledCount = 0
  for (let bits = 0; bits < 2 ** SENSORS.length; bits += 1) {
    const sensors = Object.fromEntries(SENSORS.map((name, k) => [name, (bits & (1 << k)) !== 0])) as unknown as Sensors
    const { track, totals, own } = run(sensors)
    const filled = settled(track, totals, ROW)
    const again = numbersOf(analyze(track, options(filledTotals(totals, own, ROW))))
    expect(filled, JSON.stringify(sensors)).toEqual(again)
    for (const [key, value] of Object.entries(own)) {
      if (value !== null) expect(filled[key as keyof typeof own], key).toEqual(value as never)
      else if (filled[key as keyof typeof own] !== null) filledCount += 1
    }
    // what a row says of distance and duration never enters
    expect([filled.distanceM, filled.durationS]).toEqual([own.distanceM, own.durationS])
  }
  expect(filledCount).toBeGreaterThan(300)
})
