import { describe, expect, test } from 'bun:test'
import { averageEffort, relativeEffort } from '../../../src/engine/run/effort.ts'
import { heldSeries } from '../../../src/engine/run/hold.ts'
import { DEFAULT_ZONES, HEART_RATE_RANGE } from '../../../src/engine/run/zones.ts'
import type { Span } from '../../../src/engine/track.ts'
import { pairs } from '../../fixtures/pairs.ts'
import oracles from '../../oracles.json'

/** Samples at 0, dt, …, total - dt, each with its part's heart rate (the notation of oracles.json). */
function series(parts: readonly (readonly number[])[], dtS: number): [Float64Array, Float64Array] {
  const bpm = parts.flatMap(([durationS, heartRateBpm]) => Array(Math.round(durationS! / dtS)).fill(heartRateBpm))
  return [Float64Array.from(bpm, (_, i) => i * dtS), Float64Array.from(bpm)]
}

/** Of the samples that count. */
function effortOf(tS: Float64Array, bpm: Float64Array, off: readonly Span[] = []) {
  const heartRate = heldSeries(tS, bpm, HEART_RATE_RANGE)
  return heartRate && relativeEffort(heartRate, DEFAULT_ZONES, off)
}

describe('relativeEffort', () => {
  test.each(oracles.relativeEffort)('oracle: $name', ({ parts, dt, zones, expect: wanted }) => {
    expect([zones, effortOf(...series(parts, dt))!.relativeEffort]).toEqual(['age30', wanted])
  })

  test('timer-off time is taken out after the hold rule', () => {
    const [tS, bpm] = series([[1200, 140]], 1)
    const off = pairs('-5,0 100.5,400.5 400.5,700.5').map(([startS, endS]) => ({ startS, endS }))
    expect(effortOf(tS, bpm, off)).toEqual({ relativeEffort: 30, zoneSeconds: [0, 0, 600, 0, 0] })
  })

  test('seconds in zones are whole and add up to the floored sum', () => {
    // Samples every 2.5 s: 7.5 s in zone 1, 2.5 s in zone 2, the last one in zone 5 held for the nominal 2.5 s.
    const tS = Float64Array.of(0, 2.5, 5, 7.5, 10)
    const effort = effortOf(tS, Float64Array.of(100, 100, 100, 120, 180))!
    expect(effort.zoneSeconds).toEqual([7, 3, 0, 0, 2])
    expect(effort.relativeEffort).toBe(0) // (7.5 + 2 * 2.5 + 5 * 2.5) / 60 = 0.417
  })

  test('the gap that still counts in full is four nominal intervals, at least 10 s', () => {
    const times = [
      [0, 1, 2, 12, 13],
      [0, 1, 2, 12.5, 13.5],
      [0, 5, 10, 30, 35],
      [0, 5, 10, 31, 36],
    ]
    const seconds = times.map((tS) => effortOf(Float64Array.from(tS), new Float64Array(5).fill(140))!.zoneSeconds[2])
    expect(seconds).toEqual([14, 5, 40, 25])
  })
})

test('an average heart rate counts for the whole duration', () => {
  expect(averageEffort(140, 3600, DEFAULT_ZONES)).toEqual({ relativeEffort: 180, zoneSeconds: [0, 0, 3600, 0, 0] })
  expect(averageEffort(200, 600, DEFAULT_ZONES)!.relativeEffort).toBe(50)
  expect(averageEffort(90, 3600, DEFAULT_ZONES)).toEqual({ relativeEffort: 0, zoneSeconds: [0, 0, 0, 0, 0] })
  expect(averageEffort(29, 3600, DEFAULT_ZONES)).toBeNull()
  expect(averageEffort(Number.NaN, 3600, DEFAULT_ZONES)).toBeNull()
})
