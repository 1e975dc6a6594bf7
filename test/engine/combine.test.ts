// A workout is what its recordings tell, in the order in which they came, and what repairs leave of it.
import { describe, expect, test } from 'bun:test'
import type { CombineOptions } from '../../src/engine/combine.ts'
import { combine } from '../../src/engine/combine.ts'
import { NUMBER_NAMES, type Said } from '../../src/engine/numbers.ts'
import type { CropRepair } from '../../src/engine/repair/crop.ts'
import { cleanRecording } from '../../src/engine/run/samples.ts'
import { type Recording, voicesOf } from '../../src/engine/run/statement.ts'
import type { Track } from '../../src/engine/track.ts'
import { degreesAt, OPTIONS, recordingOf, START_MS } from '../fixtures/recording.ts'

const { zones, elevation } = OPTIONS
const FIRST: CombineOptions = { zones, elevation, primary: 0, ours: { effort: false } }
const { perNorthM } = degreesAt(47)

type Sensor = 'hr' | 'cadence' | 'elevation'

/** 20 min at 3 m/s, a record a second; of the sensors only those that are named. */
function trackWith(sensors: readonly Sensor[] = ['hr', 'cadence', 'elevation'], indoor = false): Track {
  const tS = Float64Array.from({ length: 1201 }, (_, t) => t)
  const columns = {
    distanceM: tS.map((t) => t * 3),
    ...(indoor ? {} : { latDeg: tS.map((t) => 47 + t * 3 * perNorthM), lonDeg: tS.map(() => 8) }),
    ...(sensors.includes('elevation') ? { elevM: tS.map((t) => 400 + 10 * Math.sin(t / 60)) } : {}),
    ...(sensors.includes('hr') ? { heartRateBpm: tS.map((t) => 140 + Math.floor(20 * Math.sin(t / 90))) } : {}),
    ...(sensors.includes('cadence') ? { cadenceRpm: tS.map(() => 85) } : {}),
  }
  return cleanRecording(recordingOf(tS, columns, { indoor }))!
}

const file = (track: Track, said: Said = {}): Recording => ({ kind: 'file', said, track })
const row = (said: Said): Recording => ({ kind: 'row', said, track: null })
const archive = (said: Said, track: Track | null = null): Recording => ({ kind: 'archive', said, track })

const ROW: Said = {
  ...{ distanceM: 5000, durationS: 2000, timerTimeS: 1100, movingTimeS: 1000, calories: 99, maxPowerWatts: 400 },
  ...{ avgHeartRateBpm: 151, maxHeartRateBpm: 172, avgCadenceRpm: 80.6, elevGainM: 12.34, elevLossM: 0 },
}

describe('two recordings', () => {
  test('a row fills what its file lacks, and changes nothing that is known', () => {
    const bare = file(trackWith(['hr']))
    const own = combine([bare], [], FIRST).numbers
    const filled = combine([bare, row(ROW)], [], FIRST).numbers
    expect(filled).toMatchObject({ calories: 99, maxPowerWatts: 400, avgCadenceRpm: 81, elevGainM: 12.3 })
    for (const name of NUMBER_NAMES) if (own[name] !== null) expect(filled[name] as unknown).toEqual(own[name])
  })

  test('the other way round the row arrived first', () => {
    const recordings = [row(ROW), file(trackWith(), { calories: 300, minHeartRateBpm: 100 })]
    const { numbers, origins, track } = combine(recordings, [], { ...FIRST, primary: 1 })
    expect(track?.n).toBe(1201)
    expect(numbers).toMatchObject({
      ...{ distanceM: 5000, durationS: 2000, calories: 99, avgHeartRateBpm: 151, elevGainM: 12.3, elevLossM: 0 },
      ...{ minHeartRateBpm: 100, maxElevM: 410 },
    })
    const [samples, device] = ['samples', 'device'].map((origin) => ({ origin, recording: 1 }))
    expect(origins).toMatchObject({ maxElevM: samples, minHeartRateBpm: device })
    // scored from the samples, whatever the stated average
    expect(numbers.hrZoneSeconds!.reduce((sum, seconds) => sum + seconds, 0)).toBe(1201)
  })

  test('the climb of a row is ignored for a treadmill run, unless the row arrived before the file', () => {
    const indoor = file(trackWith([], true))
    const flat = { elevGainM: null, maxElevM: null, calories: 99 }
    expect(combine([indoor, row(ROW)], [], FIRST).numbers).toMatchObject(flat)
    expect(combine([row(ROW), indoor], [], { ...FIRST, primary: 1 }).numbers.elevGainM).toBe(12.3)
  })

  test('a maximum speed that nobody runs counts for nothing, and is still listed among what the recording states', () => {
    const fast = row({ ...ROW, maxSpeedMps: 12.6 })
    expect(combine([fast], [], FIRST).numbers.maxSpeedMps).toBeNull()
    expect(combine([row({ ...ROW, maxSpeedMps: 12.5 })], [], FIRST).numbers.maxSpeedMps).toBe(12.5)
    expect(voicesOf(fast, FIRST)).toContainEqual({ name: 'maxSpeedMps', origin: 'row', value: 12.6 })
  })
})

describe('an archive', () => {
  const SAID: Said = { ...ROW, avgHeartRateBpm: null, avgSpeedMps: 2.468, gapPaceS: 400.125, relativeEffort: 77 }

  test('states its numbers as they are, null included, and its samples do not replace them', () => {
    const { numbers, origins } = combine([archive(SAID, trackWith())], [], FIRST)
    expect(numbers).toMatchObject({
      ...{ distanceM: 5000, avgSpeedMps: 2.468, gapPaceS: 400.125, avgCadenceRpm: 80.6 },
      ...{ avgHeartRateBpm: null, maxSpeedMps: null, minElevM: null, relativeEffort: 77, hrZoneSeconds: null },
    })
    const own = { origin: 'archive', recording: 0 }
    expect(origins).toMatchObject({
      ...{ distanceM: own, relativeEffort: own, avgHeartRateBpm: null },
      avgPaceS: { origin: 'derived', recording: null },
    })
  })

  test('without an effort is not scored, until a recalculation took it over', () => {
    const { relativeEffort: _, ...silent } = SAID
    const recordings = [archive(silent, trackWith())]
    expect(combine(recordings, [], FIRST).numbers.relativeEffort).toBeNull()
    const ours = combine(recordings, [], { ...FIRST, ours: { effort: true } })
    expect(ours.numbers.relativeEffort).toBe(combine([file(trackWith())], [], FIRST).numbers.relativeEffort)
    expect(ours.origins.relativeEffort?.origin).toBe('derived')
  })

  test('a file that comes later fills its nulls and changes nothing else', () => {
    const later = file(trackWith(), { distanceM: 1, calories: 1 })
    const { numbers } = combine([archive(SAID), later], [], { ...FIRST, primary: 1 })
    const said = { distanceM: 5000, calories: 99, relativeEffort: 77, gapPaceS: 400.125 }
    expect(numbers).toMatchObject({ ...said, maxSpeedMps: 3 })
    expect(numbers.avgHeartRateBpm).toBeWithin(135, 146)
  })
})

describe('crops', () => {
  const cut = (fromS: number, toS: number, more: Partial<CropRepair> = {}): CropRepair => {
    return { kind: 'crop', fromMs: fromS * 1000, toMs: toS * 1000, climbLimit: null, caloriesKcal: null, ...more }
  }

  test('hide the totals of devices, rows and archives; calories are those of the last crop', () => {
    const said = { distanceM: 4000, calories: 300, maxHeartRateBpm: 200, avgPowerWatts: 250 }
    for (const recordings of [
      [file(trackWith(), said), row(ROW)],
      [archive(said, trackWith()), row(ROW)],
    ]) {
      const repairs = [cut(0, 900, { caloriesKcal: 200.4 }), cut(100, 700, { caloriesKcal: 133.5 })]
      const { numbers, origins, track } = combine(recordings, repairs, FIRST)
      expect(numbers).toMatchObject({ durationS: 600, distanceM: 1800, calories: 134, avgPowerWatts: null })
      expect(numbers.maxHeartRateBpm).toBeLessThan(170)
      expect(track!.startMs).toBe(START_MS + 100_000)
      for (const name of NUMBER_NAMES) {
        expect(origins[name]).toEqual(numbers[name] === null ? null : { origin: 'derived', recording: 0 })
      }
    }
  })
})
