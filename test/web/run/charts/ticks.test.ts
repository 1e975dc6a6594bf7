import { expect, test } from 'bun:test'
import { axisTicks, clockStep, decimalStep, metricTicks } from '../../../../src/web/run/charts/series.ts'

test('steps are 1, 2 and 5 times a power of ten; clocks are divided as clocks are', () => {
  expect([10, 7, 42.195, 0.9, 100].map((range) => decimalStep(range, 5))).toEqual([2, 2, 10, 0.2, 20])
  expect(decimalStep(1, 1)).toBe(1)
  const ranges = [40, 180, 600, 3600, 14_400, 100_000, 30 * 86_400]
  expect(ranges.map((range) => clockStep(range, 6))).toEqual([10, 30, 120, 600, 3600, 21_600, 5 * 86_400])
})

test('paces in miles have round times a mile, altitudes in feet round feet', () => {
  // 5:00 to 7:00 a km is 8:03 to 11:16 a mile
  for (const [metric, range, most, words, at, value] of [
    ['pace', [300, 420], 5, '9:00 10:00 11:00', 0, 540 / 1.609344],
    ['elevation', [0, 100], 4, '0 100 200 300', 1, 30.48],
  ] as const) {
    const { values, labels } = metricTicks(metric, range, { most, units: 'imperial' })
    expect(labels.join(' ')).toBe(words)
    expect(values[at]).toBeCloseTo(value, 9)
  }
})

test.each([
  ['distance', 10_021, 6, 'metric', '0 2 4 6 8 10 km'],
  ['distance', 700, 2, 'metric', '0.0 0.5 km'],
  // of some metres it has metres or feet; a metre is the least
  ['distance', 120, 5, 'metric', '0 50 100 m'],
  ['distance', 120, 5, 'imperial', '0 100 200 300 ft'],
  ['distance', 3, 6, 'metric', '0 1 2 3 m'],
  ['time', 3600, 6, 'metric', '0:00 10:00 20:00 30:00 40:00 50:00 1:00:00'],
  ['time', 40, 5, 'metric', '0:00 0:10 0:20 0:30 0:40'],
] as const)('an axis of %s to %d with about %d ticks has in %s units %s', (axis, to, most, units, words) => {
  const { labels, unit } = axisTicks(axis, [0, to], { most, units })
  expect([...labels, ...(unit === undefined ? [] : [unit])].join(' ')).toBe(words)
})
