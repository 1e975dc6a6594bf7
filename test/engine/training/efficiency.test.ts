import { describe, expect, test } from 'bun:test'
import { lengthS } from '../../../src/engine/run/clock.ts'
import { stops } from '../../../src/engine/run/moving.ts'
import { clocksOf, pulseTime } from '../../../src/engine/training/run/counted-time.ts'
import { efficiency, paceAtReferenceS, referenceHeartRate } from '../../../src/engine/training/run/decoupling.ts'
import { durability } from '../../../src/engine/training/run/durability.ts'
import { best30, hardPeaks, peakFrom, peakHeartRate } from '../../../src/engine/training/run/threshold-windows.ts'
import {
  isHardHalfHour,
  isTestRace,
  maxHeartRateOf,
  tanakaMaxBpm,
  zonesOfLthr,
} from '../../../src/engine/training/thresholds.ts'
import { heldShare, speedAtShare } from '../../../src/engine/training/vdot.ts'
import { knots } from '../../fixtures/knots.ts'
import { pairs } from '../../fixtures/pairs.ts'
import oracles from '../../training-oracles.json'
import { expectAllNear, expectNear } from './near.ts'

type Part = readonly (number | null)[]

/** Seconds, metres per second and beats per minute of each part; - is not a heart rate. */
const parts = (text: string): Part[] =>
  text.split(' ').map((part) => part.split(',').map((value) => (value === '-' ? null : Number(value))))

/** A run of [seconds, m/s, bpm]; the heart rate of a second is that of the part it begins in. */
function made(parts: readonly Part[], dtS = 1) {
  const { tS, distanceM } = knots(
    parts.map(([seconds, mps]) => [seconds!, mps!]),
    dtS,
  )
  const found = stops(tS, distanceM, { off: [], elevM: null })
  const times: number[] = []
  const values: number[] = []
  let fromS = 0
  for (const [seconds, , bpm] of parts) {
    for (let atS = fromS; atS < fromS + seconds! - 1e-9; atS += dtS) {
      if (bpm === null) continue
      times.push(atS)
      values.push(bpm!)
    }
    fromS += seconds!
  }
  const heartRate = { tS: Float64Array.from(times), values: Float64Array.from(values) }
  return { heartRate, ...clocksOf({ tS, off: [] }, { distanceM, equivalentM: null, heartRate, found }) }
}

function efficiencyOf(parts: readonly Part[]) {
  const { steady } = made(parts)
  return efficiency(pulseTime(steady), lengthS(steady))
}

describe('decoupling', () => {
  test.each(oracles.efficiency.decoupling)('$name', ({ parts, expect: expected }) => {
    const found = efficiencyOf(parts)
    const { reason, ...numbers } = { reason: null, ...expected } as Record<string, unknown>
    expect(found.reason).toBe(reason as typeof found.reason)
    expectAllNear(found, numbers as Record<string, number>)
    if (reason !== null) expect(found.decouplingPct).toBeNull()
  })

  test('pace at one heart rate is the middle of the full minutes near it', () => {
    const pieces = efficiencyOf(parts('600,3,120 540,3,140 540,3.2,146 600,3.4,152')).pieces
    expect(pieces).toHaveLength(28)
    expectNear(paceAtReferenceS(pieces, 143), 1000 / 3.1)
    expect(paceAtReferenceS(pieces, 170)).toBeNull()
    expect(referenceHeartRate(190)).toBe(143)
  })
})

test('durability is that of the vectors: of 34 km, and none of 15 km', () => {
  for (const { parts, expect: expected } of oracles.efficiency.durability) {
    const found = durability(made(parts).moving)
    expect(found?.ratios.map(([km]) => km)).toEqual(expected?.ratios.map(([km]) => km!))
    if (expected === null || found === null) continue
    for (const [i, [, ratio]] of expected.ratios.entries()) expectNear(found.ratios[i]![1], ratio!)
    expectNear(found.last, expected.last)
    expect(found.onsetKm).toBe(expected.onsetKm)
  }
})

describe('thresholds', () => {
  test('the fastest half hour, maxima and zones are those of the vectors', () => {
    for (const { parts, expect: expected } of oracles.thresholds.lthr) {
      const found = best30(made(parts).elapsed)
      if (expected === null) expect(found).toBeNull()
      else expectAllNear(found!, expected)
    }
    for (const { peaks, propose } of oracles.thresholds.maxHeartRate) expect(maxHeartRateOf(peaks)).toBe(propose)
    for (const { lthrBpm, bounds, top } of oracles.thresholds.frielZones) {
      const zones = zonesOfLthr(lthrBpm, 100)
      expect(zones.map(({ minBpm }) => minBpm)).toEqual(bounds)
      expect(zones.map(({ maxBpm }) => maxBpm)).toEqual([...bounds.slice(1), top])
      expect(zonesOfLthr(lthrBpm, 210)[4].maxBpm).toBe(210)
    }
  })
  test('a peak is a mean of 15 s that are held throughout', () => {
    const peak = (parts: readonly Part[]) => {
      const { elapsed, heartRate } = made(parts)
      return peakHeartRate(elapsed, heartRate)?.bpm ?? null
    }
    expectNear(peak(parts('100,3,150 10,3,200 100,3,150')), (10 * 200 + 5 * 150) / 15)
    expect(peak(parts('10,3,190 100,3,- 30,3,160'))).toBe(160)
    expect(peak([[100, 3, 99]])).toBeNull()
  })
  test('a peak counts where the pulse climbed to it, by the speed of the minute before', () => {
    const peaks = (text: string) => {
      const { elapsed, heartRate } = made(parts(text))
      return hardPeaks(elapsed, heartRate)
    }
    const climb = (step: number, from: number, to: number) =>
      Array.from({ length: (to - from) / step }, (_, k) => `1,4,${from + step * (k + 1)}`).join(' ')
    // 1.8 beats a second are a pulse, 2 are not
    expect(peaks(`300,4,150 ${climb(1.8, 150, 186)} 20,4,186`).at(-1)).toEqual([4, 186])
    expect(peaks(`300,4,150 ${climb(2, 150, 186)} 20,4,186`)).toEqual([[4, (12 * 150 + 152 + 154 + 156) / 15]])
    expect(peaks('300,4,150 20,4,186 100,4,150')).toEqual([[4, 150]])
    expect(peaks('300,4,150 50,4,186')).toEqual([[4, 186]])
    // faster and lower, slower and higher
    const two = pairs('2,182 4,180')
    expect(peaks(`300,4,150 ${climb(1, 150, 180)} 100,4,180 100,2,180 100,2,182`)).toEqual(two)
    expect(peaks('59,4,180')).toEqual([])
    expect([peakFrom(two, 3.6), peakFrom(two.slice(0, 1), 3.6)]).toEqual([180, null])
  })

  test('hard is nearly what VDOT promises, or a race of about an hour', () => {
    const speedMps = 0.97 * speedAtShare(50, heldShare(30))
    expect(isHardHalfHour(speedMps, 50)).toBe(true)
    expect(isHardHalfHour(speedMps - 0.001, 50)).toBe(false)
    // a marathon is run below the one-hour limit
    expect([1799, 1800, 4500, 4501].map((s) => isTestRace(true, s))).toEqual([false, true, true, false])
    expect(isTestRace(false, 3600)).toBe(false)
    expect(tanakaMaxBpm(40)).toBe(180)
  })
})
