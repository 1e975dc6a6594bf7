import { describe, expect, test } from 'bun:test'
import { axisTicks, metricTicks } from '../../../../src/web/run/charts/metrics.ts'
import { clockStep, decimalStep, ticksBetween } from '../../../../src/web/run/charts/ticks.ts'

/** Labels and unit of an axis from nothing to a value. */
function shown(axis: 'distance' | 'time', to: number, most: number): string {
  const { labels, unit } = axisTicks(axis, [0, to], { most, units: 'metric' })
  return [...labels, ...(unit === undefined ? [] : [unit])].join(' ')
}

describe('ticks', () => {
  test('steps are 1, 2 and 5 times a power of ten', () => {
    expect([10, 7, 42.195, 0.9, 100].map((range) => decimalStep(range, 5))).toEqual([2, 2, 10, 0.2, 20])
    expect(decimalStep(1, 1)).toBe(1)
  })

  test('clocks are divided as clocks are', () => {
    const ranges = [40, 180, 600, 3600, 14_400, 100_000]
    expect(ranges.map((range) => clockStep(range, 6))).toEqual([10, 30, 120, 600, 3600, 21_600])
    expect(clockStep(30 * 86_400, 6)).toBe(5 * 86_400)
  })

  test('ticks include both ends, are exact decimals and never minus nothing', () => {
    expect(ticksBetween(0, 1, 0.2)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1])
    expect(ticksBetween(-1e-12, 2, 1)).toEqual([0, 1, 2])
    expect(Object.is(ticksBetween(-1e-12, 2, 1)[0], -0)).toBe(false)
    expect(ticksBetween(0.3, 0.4, 1)).toEqual([])
    expect(ticksBetween(0, 1e9, 1)).toHaveLength(1000)
  })

  test('paces in miles have round times a mile', () => {
    // 5:00 to 7:00 a km is 8:03 to 11:16 a mile
    const { values, labels } = metricTicks('pace', [300, 420], { most: 5, units: 'imperial' })
    expect(labels).toEqual(['9:00', '10:00', '11:00'])
    expect(values[0]).toBeCloseTo(540 / 1.609344, 9)
  })

  test('altitudes in feet have round feet', () => {
    const { values, labels } = metricTicks('elevation', [0, 100], { most: 4, units: 'imperial' })
    expect(labels).toEqual(['0', '100', '200', '300'])
    expect(values[1]).toBeCloseTo(30.48, 9)
  })

  test('a distance axis counts in the unit of the reader, a time axis in clock times', () => {
    expect(shown('distance', 10_021, 6)).toBe('0 2 4 6 8 10 km')
    const miles = axisTicks('distance', [0, 5000], { most: 4, units: 'imperial' }).values
    expect(miles).toEqual([0, 1609.344, 3218.688, 4828.032])
    expect(shown('time', 3600, 6)).toBe('0:00 10:00 20:00 30:00 40:00 50:00 1:00:00')
    expect(axisTicks('time', [5, 5], { most: 6, units: 'metric' })).toEqual({ values: [], labels: [] })
  })
  test('a distance axis of some metres has metres or feet', () => {
    expect(shown('distance', 120, 5)).toBe('0 50 100 m')
    const feet = axisTicks('distance', [0, 120], { most: 5, units: 'imperial' })
    expect([feet.labels, feet.unit]).toEqual([['0', '100', '200', '300'], 'ft'])
    expect(feet.values[1]).toBeCloseTo(30.48, 9)
    // a metre is the least
    expect(shown('distance', 3, 6)).toBe('0 1 2 3 m')
    expect(axisTicks('distance', [0, 700], { most: 5, units: 'metric' }).unit).toBe('km')
    expect(shown('time', 40, 5)).toBe('0:00 0:10 0:20 0:30 0:40')
  })
})
