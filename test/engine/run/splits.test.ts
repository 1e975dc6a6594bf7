import { describe, expect, test } from 'bun:test'
import type { Split } from '../../../src/engine/analysis.ts'
import { cleanRecording } from '../../../src/engine/run/samples.ts'
import { readingSplits, type SplitReadings, splitBoundaries, trackSplits } from '../../../src/engine/run/splits.ts'
import type { Track } from '../../../src/engine/track.ts'
import { knots } from '../../fixtures/knots.ts'
import { pairs } from '../../fixtures/pairs.ts'
import { OPTIONS, recordingOf } from '../../fixtures/recording.ts'
import oracles from '../../oracles.json'

const nothingElse = { off: [], profile: null, equivalentM: null, heartRate: null, cadence: null, found: null }

const splits = (input: SplitReadings & Pick<Track, 'tS' | 'off'>, splitLengthM: number): Split[] =>
  readingSplits(input, input, splitLengthM)
const run = (parts: readonly (readonly number[])[]) => ({ ...knots(parts, 1), ...nothingElse })

describe('boundaries', () => {
  test.each(oracles.splits)('oracle: $name', ({ parts, dt, splitM, expect: wanted }) => {
    const { tS, distanceM } = knots(parts, dt)
    const bounds = splitBoundaries(tS, distanceM, splitM)
    expect(bounds.count).toBe(wanted.length)
    for (const [k, want] of wanted.entries()) {
      const metres = bounds.distanceM[k + 1]! - bounds.distanceM[k]!
      const seconds = bounds.timeS[k + 1]! - bounds.timeS[k]!
      expect(metres).toBeCloseTo(want.distanceM, 6)
      expect(seconds).toBeCloseTo(want.durationS, 6)
      expect((1000 * seconds) / metres).toBeCloseTo(want.paceS, 6)
    }
  })

  test('a remainder of exactly a tenth is its own split, a little less is merged', () => {
    const lengths = (metres: number) =>
      splits({ ...nothingElse, tS: Float64Array.of(0, 1000), distanceM: Float64Array.of(0, metres) }, 1000).map(
        (split) => split.distanceM,
      )
    expect(lengths(2100)).toEqual([1000, 1000, 100])
    expect(lengths(2099.99)).toEqual([1000, 1099.99])
    for (const metres of [2000, 2000.0000001, 1999.9999999]) expect(lengths(metres)).toEqual([1000, 1000])
  })
})

describe('stored splits', () => {
  test('a pause on a boundary belongs to the split after it and is not moving time', () => {
    const input = { ...run(pairs('250,4 60,0 250,4')), found: [{ startS: 250, endS: 310 }] }
    const unknown = { elevGainM: null, elevLossM: null, avgHeartRateBpm: null, avgCadenceRpm: null, gapPaceS: null }
    const common = { distanceM: 1000, movingTimeS: 250, ...unknown }
    expect(splits(input, 1000)).toEqual([
      { idx: 0, durationS: 250, paceS: 250, startElapsedS: 0, endElapsedS: 250, ...common },
      { idx: 1, durationS: 310, paceS: 310, startElapsedS: 250, endElapsedS: 560, ...common },
    ])
  })

  test('durations are rounded on cumulative boundaries: 333, 334, 333 and so on to 2500', () => {
    const found = splits(run(pairs('1000,3 500,5 1000,3')), 1000)
    expect(found.map((split) => split.durationS)).toEqual([333, 334, 333, 200, 200, 267, 333, 333, 167])
    const third = 333.33
    expect(found.map((split) => split.paceS)).toEqual([third, third, third, 200, 200, 266.67, third, third, third])
    expect(found[1]).toMatchObject({ startElapsedS: 333.333, endElapsedS: 666.667 })
  })

  test('impossible heart rates and cadences of zero take no part; a split without any has null', () => {
    const tS = Float64Array.from({ length: 501 }, (_, i) => i)
    const distanceM = tS.map((t) => 4 * t)
    const heartRateBpm = tS.map((t) => (t >= 250 ? 20 : t % 2 === 0 ? 140 : 251))
    const cadenceRpm = tS.map((t) => (t % 2 === 0 ? 85 : 0))
    const track = cleanRecording(recordingOf(tS, { distanceM, heartRateBpm, cadenceRpm }))!
    const found = trackSplits(track, OPTIONS)
    expect(found.map((split) => split.avgHeartRateBpm)).toEqual([140, null])
    expect(found.map((split) => split.avgCadenceRpm)).toEqual([85, 85])
    const late = { tS: Float64Array.of(400, 401), values: Float64Array.of(150, 150) }
    const [first, second] = splits({ ...run([[500, 4]]), heartRate: late }, 1000)
    expect([first?.avgHeartRateBpm, second?.avgHeartRateBpm]).toEqual([null, 150])
  })
})
